// Measured orders with joints, two-sided, as in order_test.cpp: a pendulum on a rod against the same pendulum
// in its angle, by Gauss collocation; others against a fine step of order 8.
#include <gtest/gtest.h>

#include "support/jointed_systems.hpp"

namespace carom::test {
namespace {

void expect_claimed_orders(const SystemCase& c, const Phase& reference, double T) {
  for (const auto& [label, flow] : jointed_flows()) {
    std::vector<ErrorAt> errors;
    for (double steps = 6 * T; steps < 400 * T; steps *= 1.2) {
      const int n = static_cast<int>(std::lround(steps));
      double error = 0;
      try {
        error = distance(run_flow(c.system, flow, c.start, T, n), reference);
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

// Where the pendulum is at T, in coordinates, by its angle.
Phase end_in_angle(const SystemRef& pendulum, double T) {
  const Phase start{Values::Constant(1, std::numbers::pi / 3), Values::Constant(1, 0.6)};
  const Phase end = run_flow(pendulum, gauss(8), start, T, 200);
  const double a = end.q[0], w = end.p[0];
  return {Vector<double, 2>(std::sin(a), -std::cos(a)), Vector<double, 2>(w * std::cos(a), w * std::sin(a))};
}

TEST(JointOrder, RodAgainstItsAngle) {
  const double T = 2;
  expect_claimed_orders(system_case("rod", RodPendulum{}), end_in_angle(as_system(AnglePendulum{}), T), T);
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
  const double T = 1.5;
  expect_claimed_orders(system_case("rod", ForcedRod{}), end_in_angle(as_system(ForcedAngle{}), T), T);
}

void expect_orders_by_a_fine_step(const SystemCase& c, double T) {
  expect_claimed_orders(c, run_flow(c.system, kahan_li8(svc()), c.start, T, static_cast<int>(400 * T)), T);
}
TEST(JointOrder, SphericalPendulum) {
  expect_orders_by_a_fine_step(system_case("SphericalPendulum", SphericalPendulum{}), 1);
}
TEST(JointOrder, TwoRods) { expect_orders_by_a_fine_step(system_case("TwoRods", TwoRods{}), 1); }
TEST(JointOrder, MassThatDependsOnPosition) {
  expect_orders_by_a_fine_step(system_case("WavyBead", WavyBead{}), 4);
}
TEST(JointOrder, NotQuadratic) {
  expect_orders_by_a_fine_step(system_case("FastPendulum", FastPendulum{}), 1);
}
TEST(JointOrder, DependentJoints) { expect_orders_by_a_fine_step(system_case("TwiceHeld", TwiceHeld{}), 1); }

}  // namespace
}  // namespace carom::test
