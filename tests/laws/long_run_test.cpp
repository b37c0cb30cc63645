// Long runs: energy without trend, momentum to rounding.
#include <gtest/gtest.h>

#include "support/flow_cases.hpp"
#include "support/sixths.hpp"

namespace carom::test {
namespace {

TEST(LongRun, DoublePendulumEnergyHasNoTrendOver1e5StepsOfSvc) {
  const DoublePendulum system;
  const Flow flow = svc();
  auto z = validated_state(system, system.start());
  const double H0 = hamiltonian(system, 0.0, z);
  const std::int64_t steps = 100000;
  Sixths sixths(steps);
  for (std::int64_t n = 0; n < steps; ++n) {
    const auto r = flow_step(system, flow, 0.0, 0.01, z);
    ASSERT_TRUE(r.outcome.ok());
    z = r.z;
    sixths.add(n, hamiltonian(system, 0.0, z) - H0);
  }
  RecordProperty("band", std::to_string(sixths.band()));
  RecordProperty("trend", std::to_string(sixths.trend()));
  EXPECT_LT(sixths.band(), 0.1) << "of H = " << H0;
  EXPECT_LT(sixths.trend(), 0.1 * sixths.band_within()) << sixths.table();
}

TEST(LongRun, DoublePendulumWithoutGravityKeepsItsAngularMomentum) {
  DoublePendulum system;
  system.g = 0;
  for (const char* name : {"svc", "sva", "midpoint", "kahan-li6", "gauss"}) {
    const Flow flow = make_flow(name, {.stages = 3});
    auto z = validated_state(system, system.start());
    const double before = z.p[0];
    double worst = 0;
    for (int n = 0; n < (flow.order > 2 ? 10000 : 100000); ++n) {
      const auto r = flow_step(system, flow, 0.0, 0.01, z);
      ASSERT_TRUE(r.outcome.ok());
      z = r.z;
      worst = std::max(worst, std::abs(z.p[0] - before));
    }
    EXPECT_LE(worst, 1e-12) << name;
  }
}

// Steps that go wrong in a biased way show in the long run: at order eight nothing else can hide it.
TEST(LongRun, HighOrderFlowsDriftNoMoreThanRounding) {
  const DoublePendulum system;
  const auto start = validated_state(system, system.start());
  for (const char* name : {"kahan-li8", "gauss"}) {
    const Flow flow = make_flow(name, {.stages = 5});
    auto z = start;
    for (int n = 0; n < 5000; ++n) z = flow_step(system, flow, 0.0, 0.01, z).z;
    EXPECT_NEAR(hamiltonian(system, 0.0, z), hamiltonian(system, 0.0, start), 1e-11) << name;
  }
}

}  // namespace
}  // namespace carom::test
