// Long runs: energy without trend, momentum to rounding.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/flow_cases.hpp"

namespace carom::test {
namespace {

// "No trend": the mean of H over the last sixth of a run differs from that over the second sixth by less than a
// tenth of the band within a sixth.
struct Sixths {
  explicit Sixths(std::int64_t all) : steps(all) {}
  void add(std::int64_t n, double H) {
    const int k = static_cast<int>(std::min<std::int64_t>(5, 6 * n / steps));
    sum[k] += H, ++count[k];
    low[k] = std::min(low[k], H), high[k] = std::max(high[k], H);
  }
  double mean(int k) const { return sum[k] / count[k]; }
  double band() const { return *std::max_element(high, high + 6) - *std::min_element(low, low + 6); }
  double trend() const { return std::abs(mean(5) - mean(1)); }

  std::int64_t steps;
  double sum[6] = {}, count[6] = {};
  double low[6] = {1e300, 1e300, 1e300, 1e300, 1e300, 1e300}, high[6] = {-1e300, -1e300, -1e300, -1e300, -1e300, -1e300};
};

TEST(LongRun, DoublePendulumEnergyHasNoTrendOver1e5StepsOfSvc) {
  const DoublePendulum system;
  const Flow flow = svc();
  auto z = validated_state(system, system.start());
  const double H0 = hamiltonian(system, z);
  const std::int64_t steps = 100000;
  Sixths sixths(steps);
  for (std::int64_t n = 0; n < steps; ++n) {
    const auto r = flow_step(system, flow, 0.0, 0.01, z);
    ASSERT_TRUE(r.outcome.ok());
    z = r.z;
    sixths.add(n, hamiltonian(system, z) - H0);
  }
  RecordProperty("band", std::to_string(sixths.band()));
  RecordProperty("trend", std::to_string(sixths.trend()));
  EXPECT_LT(sixths.band(), 0.1) << "of H = " << H0;
  EXPECT_LT(sixths.trend(), 0.1 * sixths.band());
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
    EXPECT_NEAR(hamiltonian(system, z), hamiltonian(system, start), 1e-11) << name;
  }
}

}  // namespace
}  // namespace carom::test
