// The sliding window gives the shadow energy that HeldFlow gives at a point, whatever happens between its
// points.
#include <gtest/gtest.h>

#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

const auto pendulum = system_case("double-pendulum", DoublePendulum{});

TEST(ShadowWindow, EqualsTheShadowEnergyAtEveryPoint) {
  auto [name, system, z] = system_case("cart-pendulum", CartPendulum{});
  const SteadyFlow flow(make_flow("svc"), 0.01);
  ShadowWindow window(*system, flow, 4);
  const double H = hamiltonian(system, z);
  for (int n = 0; n < 200; ++n) {
    const double t = n * flow.h;
    EXPECT_NEAR(window.at(n, t, z).energy, shadow_energy(system, flow, t, z, 4), 1e-12 * H) << n;
    free_step(system, flow.forward, t, flow.h, z);
    if (n % 50 == 49) z.p = -z.p;  // as an impact: the window must begin anew
  }
}

TEST(ShadowWindow, SkippedPointsAreNoObstacle) {
  auto [name, system, z] = pendulum;
  const SteadyFlow flow(make_flow("sva"), 0.01);
  ShadowWindow window(*system, flow, 3);
  for (int n = 0; n < 100; ++n) {
    if (n % 7 == 0) {
      EXPECT_NEAR(window.at(n, n * flow.h, z).energy, shadow_energy(system, flow, n * flow.h, z, 3), 1e-11)
          << n;
    }
    free_step(system, flow.forward, n * flow.h, flow.h, z);
  }
}

// What it has taken ahead is what the run would take, to the last bit; where it has nothing it says so.
TEST(ShadowWindow, TakesTheStepsOfTheRunAheadOfIt) {
  auto [name, system, z] = pendulum;
  const SteadyFlow flow(make_flow("svc"), 0.01);
  ShadowWindow window(*system, flow, 4);
  EXPECT_FALSE(window.step_from(z));
  for (int n = 0; n < 60; ++n) {
    window.at(n, n * flow.h, z);
    const auto ahead = window.step_from(z);
    const auto step = free_step(system, flow.forward, n * flow.h, flow.h, z);
    ASSERT_TRUE(ahead) << n;
    EXPECT_EQ(ahead->z.q, z.q) << n;
    EXPECT_EQ(ahead->z.p, z.p) << n;
    EXPECT_EQ(ahead->spent.energy, step.energy) << n;
    EXPECT_EQ(ahead->spent.outcome.iterations, step.outcome.iterations) << n;
    EXPECT_FALSE(window.step_from(z)) << n;  // not until it is looked at
    if (n % 20 == 19) z.p = -z.p;
  }
}

// A copy that took over the numbers goes on bit for bit; one that begins anew differs in the last digits.
TEST(ShadowWindow, NumbersCarryItOver) {
  auto [name, system, z] = pendulum;
  const SteadyFlow flow(make_flow("svc"), 0.01);
  ShadowWindow window(*system, flow, 4), copy(*system, flow, 4);
  for (int n = 0; n < 60; ++n) {
    const double energy = window.at(n, n * flow.h, z).energy;
    if (n > 30) {
      EXPECT_EQ(copy.at(n, n * flow.h, z).energy, energy) << n;
    }
    if (n == 30) {
      std::vector<double> list;
      window.numbers([&](auto& x) { list.push_back(static_cast<double>(x)); });
      std::size_t next = 0;
      copy.numbers([&](auto& x) { x = static_cast<std::decay_t<decltype(x)>>(list[next++]); });
    }
    free_step(system, flow.forward, n * flow.h, flow.h, z);
  }
}

TEST(ShadowWindow, UncertaintyFallsWithTheStep) {
  auto [name, system, z] = pendulum;
  const auto uncertainty = [&, &system = system, &z = z](double h) {
    return ShadowWindow(*system, SteadyFlow(make_flow("svc"), h), 3).at(0, 0, z).uncertainty;
  };
  EXPECT_NEAR(std::log2(uncertainty(0.04) / uncertainty(0.02)), 4, 0.5);  // the difference of orders 4 and 6
}

}  // namespace
}  // namespace carom::test
