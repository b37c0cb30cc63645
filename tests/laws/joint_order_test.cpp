// Measured orders with joints, two-sided, as in order_test.cpp: a pendulum on a rod against the same pendulum
// in its angle, by Gauss collocation; others against a fine step of order 8.
#include <gtest/gtest.h>

#include "support/jointed_systems.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

template <System Sys>
void expect_claimed_orders(const Sys& system, const State<double, Sys::dim>& reference, double T) {
  const auto z = validated_state(system, system.start());
  for (const auto& [label, flow] : jointed_flows()) {
    std::vector<ErrorAt> errors;
    for (double steps = 6 * T; steps < 400 * T; steps *= 1.2) {
      const int n = static_cast<int>(std::lround(steps));
      double error = 0;
      try {
        error = distance(run_flow(system, flow, z, T, n), reference);
      } catch (const std::runtime_error&) {
        continue;  // so large a step that its equations have no solution
      }
      if (error <= 2e-12) break;
      errors.push_back({T / n, error});
    }
    if (errors.size() > 5) errors.erase(errors.begin(), errors.end() - 5);
    const auto observed = observed_order(errors, 2e-12);
    EXPECT_NEAR(observed.slope, flow.order, 0.2) << label << "\n" << observed.table;
    EXPECT_GE(observed.points, 4) << label;
  }
}

TEST(JointOrder, RodAgainstItsAngle) {
  const double T = 2, angle = std::numbers::pi / 3;
  const auto end =
      run_flow(AnglePendulum{}, gauss(8), {Vector<double, 1>(angle), Vector<double, 1>(0.6)}, T, 200);
  const double a = end.q[0], w = end.p[0];
  expect_claimed_orders(RodPendulum{}, {{std::sin(a), -std::cos(a)}, {w * std::cos(a), w * std::sin(a)}}, T);
}

// A drag and a push that changes with time, on the rod and in its angle.
struct ForcedRod : RodPendulum {
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>& v) const {
    return Vector<S, 2>(2.0 * cos(t) - 0.3 * v[0], -0.3 * v[1]);
  }
};
struct ForcedAngle : AnglePendulum {
  template <class S>
  Vector<S, 1> force(const S& t, const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    return Vector<S, 1>(2.0 * cos(t) * cos(q[0]) - 0.3 * v[0]);
  }
};
TEST(JointOrder, ForcedRodAgainstItsAngle) {
  const double T = 1.5, angle = std::numbers::pi / 3;
  const auto end =
      run_flow(ForcedAngle{}, gauss(8), {Vector<double, 1>(angle), Vector<double, 1>(0.6)}, T, 200);
  const double a = end.q[0], w = end.p[0];
  expect_claimed_orders(ForcedRod{}, {{std::sin(a), -std::cos(a)}, {w * std::cos(a), w * std::sin(a)}}, T);
}

template <System Sys>
void expect_orders_by_a_fine_step(double T) {
  const Sys system;
  const auto z = validated_state(system, system.start());
  expect_claimed_orders(system, run_flow(system, kahan_li8(svc()), z, T, static_cast<int>(400 * T)), T);
}
TEST(JointOrder, SphericalPendulum) { expect_orders_by_a_fine_step<SphericalPendulum>(1); }
TEST(JointOrder, TwoRods) { expect_orders_by_a_fine_step<TwoRods>(1); }
TEST(JointOrder, MassThatDependsOnPosition) { expect_orders_by_a_fine_step<WavyBead>(4); }
TEST(JointOrder, NotQuadratic) { expect_orders_by_a_fine_step<FastPendulum>(1); }
TEST(JointOrder, DependentJoints) { expect_orders_by_a_fine_step<TwiceHeld>(1); }

}  // namespace
}  // namespace carom::test
