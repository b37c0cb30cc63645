// Measured orders, two-sided: the slope of the error over the five smallest steps whose error is above
// rounding must lie within 0.2 of what the flow claims. The double pendulum and the cart-pendulum are not
// separable.
#include <gtest/gtest.h>

#include "support/flow_cases.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

template <SystemStruct Sys>
ObservedOrder measure(const Sys& system, const Flow& flow, const State<double, Sys::dim>& z, double T,
                      double rounding) {
  const auto reference = run_flow(system, gauss(8), z, T, static_cast<int>(80 * T));
  std::vector<ErrorAt> errors;
  for (double steps = 4 * T; steps < 400 * T; steps *= 1.12) {
    const int n = static_cast<int>(std::lround(steps));
    double error = 0;
    try {
      error = distance(run_flow(system, flow, z, T, n), reference);
    } catch (const std::runtime_error&) {
      continue;  // so large a step that its equations have no solution
    }
    if (error <= rounding) break;
    errors.push_back({T / n, error});
  }
  if (errors.size() > 5) errors.erase(errors.begin(), errors.end() - 5);
  return observed_order(errors, rounding);
}

// Gauss takes a tenth of the substeps of a composition and so meets rounding later.
double rounding_of(const Flow& flow) { return flow.name == "gauss" ? 1e-13 : 2e-12; }

template <SystemStruct Sys>
void expect_claimed_orders(const Sys& system, const State<double, Sys::dim>& z, double T) {
  for (const auto& [label, flow] : all_flows()) {
    if (flow.order > 8) continue;
    const auto observed = measure(system, flow, z, T, rounding_of(flow));
    EXPECT_NEAR(observed.slope, flow.order, 0.2) << label << "\n" << observed.table;
    EXPECT_GE(observed.points, 4) << label;
  }
}

TEST(Order, DoublePendulum) { expect_claimed_orders(DoublePendulum{}, {{0.4, 0.3}, {1.0, 0.2}}, 2); }

TEST(Order, CartPendulum) {
  const CartPendulum system;
  expect_claimed_orders(system, validated_state(system, system.start()), 0.8);
}

// Beyond eight, orders drown in rounding: the stages must agree with each other instead.
TEST(Order, GaussWithManyStagesAgrees) {
  const CartPendulum cart;
  const auto z = validated_state(cart, cart.start());
  const DoublePendulum pendulum;
  const State<double, 2> w{{0.4, 0.3}, {1.0, 0.2}};
  const auto expected = run_flow(cart, gauss(5), z, 1, 60);
  const auto expected_w = run_flow(pendulum, gauss(5), w, 1, 60);
  for (int s = 6; s <= most_stages; ++s) {
    EXPECT_LT(distance(run_flow(cart, gauss(s), z, 1, 40), expected), 1e-12) << s;
    EXPECT_LT(distance(run_flow(pendulum, gauss(s), w, 1, 40), expected_w), 1e-12) << s;
  }
}

// A pendulum on a moving, leaking support: a force that depends on time, place and velocity, and a mass that
// depends on the place.
struct ForcedCart : CartPendulum {
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return Vector<S, 2>(cos(3 * t) - 0.3 * v[0] + 0.2 * sin(q[1]),
                        0.5 * sin(2 * t + q[0]) - 0.1 * v[1] * v[1] * v[1]);
  }
};

TEST(Order, ForcedFlowsKeepTheirOrder) {
  const ForcedCart system;
  expect_claimed_orders(system, validated_state(system, system.start()), 0.8);
}

// What the forces did is what the energy gained, to the order of the flow.
TEST(Order, WorkOfForcesBalancesTheEnergy) {
  const ForcedCart system;
  const auto start = validated_state(system, system.start());
  for (const char* name : {"svc", "midpoint", "yoshida4", "gauss"}) {
    const Flow flow = make_flow(name, {.stages = 3});
    std::vector<ErrorAt> errors;
    for (int steps : {16, 20, 25, 32, 40}) {
      auto z = start;
      double work = 0;
      for (int n = 0; n < steps; ++n) {
        const auto r = flow_step(system, flow, n * 1.0 / steps, 1.0 / steps, z);
        ASSERT_TRUE(r.outcome.ok());
        z = r.z, work += r.work;
      }
      errors.push_back(
          {1.0 / steps, std::abs(hamiltonian(system, 0.0, z) - hamiltonian(system, 0.0, start) - work)});
    }
    const auto observed = observed_order(errors, 1e-13);
    EXPECT_NEAR(observed.slope, flow.order, 0.5) << name << "\n" << observed.table;
  }
}

}  // namespace
}  // namespace carom::test
