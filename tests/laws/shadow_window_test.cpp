// The sliding window gives the shadow energy that shadow_energy() gives, whatever happens between its points.
#include <gtest/gtest.h>

#include "carom/carom.hpp"

namespace carom {
namespace {

TEST(ShadowWindow, EqualsTheShadowEnergyAtEveryPoint) {
  const CartPendulum system;
  const SteadyFlow flow(make_flow("svc"), 0.01);
  ShadowWindow<CartPendulum> window(system, flow, 4);
  auto z = validated_state(system, system.start());
  const double H = hamiltonian(system, z);
  for (int n = 0; n < 200; ++n) {
    const double t = n * flow.h;
    EXPECT_NEAR(window.at(n, t, z).energy, shadow_energy(system, flow, t, z, 4), 1e-12 * H) << n;
    z = flow_step(system, flow.forward, t, flow.h, z).z;
    if (n % 50 == 49) z.p = -z.p;  // as an impact: the window must begin anew
  }
}

TEST(ShadowWindow, SkippedPointsAreNoObstacle) {
  const DoublePendulum system;
  const SteadyFlow flow(make_flow("sva"), 0.01);
  ShadowWindow<DoublePendulum> window(system, flow, 3);
  auto z = validated_state(system, system.start());
  for (int n = 0; n < 100; ++n) {
    if (n % 7 == 0) {
      EXPECT_NEAR(window.at(n, n * flow.h, z).energy, shadow_energy(system, flow, n * flow.h, z, 3), 1e-11)
          << n;
    }
    z = flow_step(system, flow.forward, n * flow.h, flow.h, z).z;
  }
}

// What it has taken ahead is what the run would take, to the last bit; where it has nothing it says so.
TEST(ShadowWindow, TakesTheStepsOfTheRunAheadOfIt) {
  const DoublePendulum system;
  const SteadyFlow flow(make_flow("svc"), 0.01);
  ShadowWindow<DoublePendulum> window(system, flow, 4);
  auto z = validated_state(system, system.start());
  EXPECT_EQ(window.step_from(z), nullptr);
  for (int n = 0; n < 60; ++n) {
    window.at(n, n * flow.h, z);
    const auto step = flow_step(system, flow.forward, n * flow.h, flow.h, z);
    const auto* ahead = window.step_from(z);
    ASSERT_NE(ahead, nullptr) << n;
    EXPECT_EQ(ahead->z.q, step.z.q) << n;
    EXPECT_EQ(ahead->z.p, step.z.p) << n;
    EXPECT_EQ(ahead->energy, step.energy) << n;
    EXPECT_EQ(ahead->outcome.iterations, step.outcome.iterations) << n;
    z = step.z;
    EXPECT_EQ(window.step_from(z), nullptr) << n;  // not until it is looked at
    if (n % 20 == 19) z.p = -z.p;
  }
}

// A copy that took over the numbers goes on bit for bit; one that begins anew differs in the last digits.
TEST(ShadowWindow, NumbersCarryItOver) {
  const DoublePendulum system;
  const SteadyFlow flow(make_flow("svc"), 0.01);
  ShadowWindow<DoublePendulum> window(system, flow, 4), copy(system, flow, 4);
  auto z = validated_state(system, system.start());
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
    z = flow_step(system, flow.forward, n * flow.h, flow.h, z).z;
  }
}

TEST(ShadowWindow, UncertaintyFallsWithTheStep) {
  const DoublePendulum system;
  const auto z = validated_state(system, system.start());
  const auto uncertainty = [&](double h) {
    return ShadowWindow<DoublePendulum>(system, SteadyFlow(make_flow("svc"), h), 3).at(0, 0, z).uncertainty;
  };
  EXPECT_NEAR(std::log2(uncertainty(0.04) / uncertainty(0.02)), 4, 0.5);  // the difference of orders 4 and 6
}

}  // namespace
}  // namespace carom
