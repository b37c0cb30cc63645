// Two impacts in one step with discrete-energy (002, (78)-(79)): the parts before, between and after them
// have one discrete energy, and the motion is the one that smaller steps, with an impact each, converge to.
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

// A particle in a curved field over a floor and beside a wall.
struct Corner {
  static constexpr int dim = 2;
  static constexpr std::array gap_names{"wall", "floor"};

  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return q[0] + 2 * q[1] + 0.5 * sin(2 * q[0]) * cos(q[1]);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return q;
  }
};

constexpr double T = 0.8;
const auto corner = as_system(Corner{});

// A start whose motion reaches the wall 0.35 h into the step at T/2, and the floor about 0.3 h later.
Phase start_for(double h, int steps) {
  const Phase at_wall{Vector<double, 2>(0, 0.3 * h * 0.9), Vector<double, 2>(-1.3, -0.9)};
  return run_flow(corner, gauss(4), at_wall, -(steps / 2 + 0.35) * h, 100);
}

LawCase law(double h) { return {"discrete-energy", SteadyFlow(svc(), h), discrete_energy()}; }

TEST(TwoImpacts, ThePartsOfTheStepHaveOneEnergy) {
  for (const int steps : {4, 8, 16, 32}) {
    const double h = T / steps;
    const auto c = law(h);
    const auto r = run_from(start_for(h, steps), corner, c, {}, steps);
    ASSERT_FALSE(r.ended.failure) << r.ended.failure->reason;
    ASSERT_EQ(r.seen.size(), 2u);
    ASSERT_EQ(r.seen[0].in_its_step, 2u);
    EXPECT_EQ(r.fallbacks, 0);
    EXPECT_EQ(r.seen[0].impact.contacts[0], 0);
    EXPECT_EQ(r.seen[1].impact.contacts[0], 1);
    const auto& first = r.seen[0].impact;
    const auto& second = r.seen[1].impact;
    const double t = r.seen[0].t_node;
    Phase z = r.seen[0].node;
    const auto before = free_step(corner, c.flow.forward, t, first.t - t, z);
    z = {first.q, first.p_after};
    const auto between = free_step(corner, c.flow.forward, first.t, second.t - first.t, z);
    z = {second.q, second.p_after};
    const auto after = free_step(corner, c.flow.forward, second.t, t + h - second.t, z);
    EXPECT_NEAR(between.energy, before.energy, 1e-11) << h;
    EXPECT_NEAR(after.energy, between.energy, 1e-11) << h;
    EXPECT_LT(distance(z, r.seen[0].end), 1e-12) << h;
  }
}

TEST(TwoImpacts, ConvergeToTheMotionWithOneImpactPerStep) {
  std::vector<ErrorAt> errors;
  for (const int steps : {16, 24, 32, 48, 64, 96}) {
    const double h = T / steps;
    constexpr int finer = 20;  // 0.3 h are then six steps
    const auto start = start_for(h, steps);
    const auto together = run_from(start, corner, law(h), {}, steps),
               apart = run_from(start, corner, law(h / finer), {}, finer * steps);
    ASSERT_EQ(together.seen.size(), 2u) << steps;
    ASSERT_EQ(together.seen[0].in_its_step, 2u) << steps;
    ASSERT_EQ(apart.seen.size(), 2u) << steps;
    ASSERT_EQ(apart.seen[0].in_its_step, 1u) << steps;
    errors.push_back({h, distance(together.ended.z, apart.ended.z)});
  }
  const auto observed = observed_order(errors, 1e-12);
  EXPECT_NEAR(observed.slope, 2, 0.2) << observed.table;
}

}  // namespace
}  // namespace carom::test
