// The limits of stability of the flows, by their own steps of an oscillator; frequencies; and what is said.
#include "run/stability.hpp"

#include <gtest/gtest.h>

#include "carom/carom.hpp"
#include "support/built_in.hpp"

namespace carom::test {
namespace {

// ½ (x'^2 + m y'^2) - ½ k x^2 - ½ c y^2, in other units of time by `unit`.
struct TwoSprings {
  static constexpr int dim = 2;
  double k = 9, c = 2, m = 8;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return 0.5 * (v[0] * v[0] + m * v[1] * v[1]) - 0.5 * (k * q[0] * q[0] + c * q[1] * q[1]);
  }
};

std::vector<Flow> flows() {
  return {se1(),           se2(),          midpoint(),       svc(),           sva(), svb(), gamma_flow(0.3),
          yoshida4(sva()), suzuki4(svc()), kahan_li6(sva()), kahan_li8(svb())};
}

// How large 4000 steps make an oscillation.
double growth(const Flow& flow, double omega_h) {
  const auto system = make_system(TwoSprings{1, 1, 1});
  FlowStepper stepper(*system, flow, omega_h);
  Phase z{Values::Zero(2), Values::Zero(2)};
  z.q << 1, 0.5;
  const Ended ended = simulate(stepper, z, Grid{0, omega_h, 4000});
  return ended.failure ? HUGE_VAL : ended.z.q.norm() + ended.z.p.norm();
}

TEST(StabilityLimit, IsWhereOscillationsGrow) {
  for (const Flow& flow : flows()) {
    const double limit = stability_limit(flow);
    if (std::isinf(limit)) {
      EXPECT_LT(growth(flow, 7), 100) << flow.name;
      continue;
    }
    EXPECT_LT(growth(flow, limit - 0.02), 1e3) << flow.name << ' ' << limit;
    EXPECT_GT(growth(flow, limit + 0.02), 1e6) << flow.name << ' ' << limit;
  }
}

TEST(StabilityLimit, HasTheKnownValues) {
  for (const Flow& flow : {se1(), se2(), svc(), sva(), svb()})
    EXPECT_NEAR(stability_limit(flow), 2, 0.011) << flow.name;
  for (const Flow& flow : {midpoint(), gauss(2)}) EXPECT_TRUE(std::isinf(stability_limit(flow))) << flow.name;
  EXPECT_NEAR(stability_limit(yoshida4(sva())), 1.573, 0.011);
}

TEST(FastestFrequency, IsTheLargest) {
  const Phase z{Values::Zero(2), Values::Zero(2)};
  for (const double unit : {1e-12, 1.0, 1e12}) {
    const auto system = make_system(TwoSprings{9 * unit, 2 * unit, 8});
    EXPECT_NEAR(fastest_frequency(*system, 0, z), 3 * std::sqrt(unit), 1e-6 * std::sqrt(unit));
  }
  EXPECT_EQ(fastest_frequency(*make_system(TwoSprings{0, 0, 1}), 0, z), 0);
  EXPECT_EQ(fastest_frequency(*make_system(TwoSprings{-4, -1, 1}), 0, z),
            0);  // falls off, and does not oscillate
}

RunResult result_of(double change, double scale) {
  RunResult r;
  r.grid.step = 0.01, r.order = 2, r.energies = {scale, change, change, 1e-12};
  return r;
}
Method of_flow(const Flow& flow) {
  Method method;
  method.flow = flow;
  return method;
}

TEST(Judgement, SaysWhatWouldDo) {
  RunResult good = result_of(0.005, 1);
  judge_energy(good, of_flow(svc()), {.frequency = {.at_start = 199}});
  EXPECT_TRUE(good.warnings.empty());

  RunResult coarse = result_of(0.02, 1);
  judge_energy(coarse, of_flow(svc()), {.may_have_tolerance = true});
  ASSERT_EQ(coarse.warnings.size(), 1u);
  EXPECT_EQ(coarse.warnings[0],
            "the energy errs by 2% of what the run exchanges: time.step = 0.005 or method.tolerance = 1e-8 "
            "would do better");

  RunResult wild = result_of(1e31, 1e31);
  judge_energy(wild, of_flow(svc()), {.frequency = {.at_end = 202}});
  ASSERT_EQ(wild.warnings.size(), 1u);
  EXPECT_NE(wild.warnings[0].find("left all bounds: H changed by 1e+31"), std::string::npos)
      << wild.warnings[0];
  EXPECT_NE(wild.warnings[0].find("omega h = 2.02 is beyond the limit 2 of svc"), std::string::npos);
  EXPECT_NE(wild.warnings[0].find("time.step = 0.00099 would do"), std::string::npos) << wild.warnings[0];

  RunResult still = result_of(0, 0);
  judge_energy(still, of_flow(svc()), {.frequency = {.at_start = 300}});
  ASSERT_EQ(still.warnings.size(), 1u);
  EXPECT_NE(still.warnings[0].find("where the run starts"), std::string::npos);

  RunResult failed = result_of(1, 1);
  failed.status = "failed", failed.reason = "step 3 failed";
  judge_energy(failed, of_flow(svc()), {.frequency = {.at_start = 300}});
  EXPECT_TRUE(failed.warnings.empty());
  EXPECT_TRUE(failed.reason.starts_with("step 3 failed; the fastest oscillation has omega = 300"))
      << failed.reason;

  RunResult rounding = result_of(1e-13, 0);
  judge_energy(rounding, of_flow(svc()), {});
  EXPECT_TRUE(rounding.warnings.empty());
}

}  // namespace
}  // namespace carom::test
