// Orders through impacts, two-sided, on the cart-pendulum of 000 (β = 4.2, three impacts until T = 5): with
// the shadow law the order of the flow survives, up to eight.
#include <gtest/gtest.h>

#include "carom/systems/cart_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

constexpr double T = 5;
const auto cart = system_case("cart-pendulum", CartPendulum{}, CartPendulum::family(4.2));

Phase run(const SystemCase& system, const Flow& flow, int steps, const ImpactLaw& law) {
  ContactStepper stepper(system.system, SteadyFlow(flow, T / steps), from_impact_to_impact(law));
  const auto ended = simulate(stepper, system.start, Grid{0, T / steps, steps});
  EXPECT_FALSE(ended.failure) << ended.failure->reason;
  EXPECT_EQ(stepper.fallbacks(), 0);
  return ended.z;
}

Phase exact() {
  static const Phase z = run(cart, gauss(8), 125, continuous_energy());
  return z;
}

ObservedOrder measure(const Flow& flow, const ImpactLaw& law, double largest, double smallest) {
  std::vector<ErrorAt> errors;
  for (int i = 0; i < 8; ++i) {
    const int steps = static_cast<int>(std::lround(T / (largest * std::pow(smallest / largest, i / 7.0))));
    errors.push_back({T / steps, distance(run(cart, flow, steps, law), exact())});
  }
  return observed_order(errors, 2e-11);
}

void expect_order(const Flow& flow, int order_of_shadow, double largest, double smallest) {
  const auto polynomial =
      measure(flow, shadow_law(order_of_shadow, ImpactLaw::Part::polynomial), largest, smallest);
  EXPECT_NEAR(polynomial.slope, flow.order, 0.5) << flow.name << ", polynomial\n" << polynomial.table;
  const auto composition = measure(flow, shadow_law(order_of_shadow), largest, smallest);
  EXPECT_NEAR(composition.slope, flow.order, 0.5) << flow.name << ", composition\n" << composition.table;
}

TEST(ImpactOrder, Two) {
  for (const char* name : {"svc", "sva", "svb", "midpoint"}) expect_order(make_flow(name), 8, 0.02, 0.0025);
}
TEST(ImpactOrder, Four) {
  for (const char* name : {"yoshida4", "suzuki4"}) expect_order(make_flow(name), 8, 0.02, 0.0025);
}
TEST(ImpactOrder, Six) { expect_order(make_flow("kahan-li6"), 6, 0.025, 0.0025); }
TEST(ImpactOrder, Eight) {
  expect_order(make_flow("kahan-li8"), 8, 0.02, 0.008);
  expect_order(make_flow("gauss", {.stages = 4}), 8, 0.02, 0.008);
}

// With continuous-energy the order is 2 for Verlet; with composed flows of order 4 it is what the flow's
// partial steps leave, and Gauss keeps all of its own.
TEST(ImpactOrder, ContinuousEnergy) {
  for (const auto& [name, largest] :
       {std::pair{"svc", 0.02}, {"sva", 0.02}, {"yoshida4", 0.02}, {"gauss", 0.1}}) {
    const Flow flow = make_flow(name, {.stages = 2});
    std::vector<ErrorAt> errors;
    for (int i = 0; i < 6; ++i) {
      const int steps = static_cast<int>(std::lround(T / (largest * std::pow(0.125, i / 5.0))));
      errors.push_back({T / steps, distance(run(cart, flow, steps, continuous_energy()), exact())});
    }
    const auto observed = observed_order(errors, 1e-11);
    EXPECT_NEAR(observed.slope, flow.order, 0.6) << name << "\n" << observed.table;
  }
}

// Forces do work between nodes, and the law's equation must know of it.
struct DampedCart : CartPendulum {
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>& v) const {
    return Vector<S, 2>(sin(2.0 * t) - 0.2 * v[0], -0.05 * v[1]);
  }
};
const auto damped = system_case("damped cart", DampedCart{}, CartPendulum::family(4.2));

void expect_forced_order(const Flow& flow, const ImpactLaw& law, std::initializer_list<int> steps,
                         double tolerance) {
  static const Phase reference = run(damped, gauss(8), 250, continuous_energy());
  std::vector<ErrorAt> errors;
  for (const int n : steps) errors.push_back({T / n, distance(run(damped, flow, n, law), reference)});
  const auto observed = observed_order(errors, 1e-10);
  EXPECT_NEAR(observed.slope, flow.order, tolerance) << flow.name << ", " << law.name << "\n"
                                                     << observed.table;
}
TEST(ImpactOrder, ForcedSystemsKeepOrderTwo) {
  for (const ImpactLaw& law : {continuous_energy(), shadow_law(8), discrete_energy()})
    expect_forced_order(svc(), law, {300, 400, 560, 800, 1100, 1600}, 0.5);
}
// -D3 L_d is no energy of the impact where forces act; the law then takes H.
TEST(ImpactOrder, ForcedSystemsKeepTheOrderOfTheFlowWithDiscreteEnergy) {
  expect_forced_order(make_flow("yoshida4"), discrete_energy(), {300, 400, 560, 800, 1100, 1600}, 0.6);
  expect_forced_order(make_flow("kahan-li6"), discrete_energy(), {125, 150, 180, 215, 260, 320}, 0.8);
  expect_forced_order(make_flow("kahan-li8"), discrete_energy(), {80, 95, 110, 130, 150, 180}, 1);
}

}  // namespace
}  // namespace carom::test
