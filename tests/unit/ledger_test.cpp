// The ledger: slopes, errors and extremes of a run against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "carom/flow/flow_stepper.hpp"
#include "carom/run/ledger.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "carom/systems/particle.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

struct Sample {
  double t, y;
};

// Σ (t - mean t)(y - mean y) / Σ (t - mean t)², in two passes.
double textbook_slope(const std::vector<Sample>& samples) {
  long double mean_t = 0, mean_y = 0, tt = 0, ty = 0;
  for (const auto& [t, y] : samples) mean_t += t, mean_y += y;
  mean_t /= samples.size(), mean_y /= samples.size();
  for (const auto& [t, y] : samples) tt += (t - mean_t) * (t - mean_t), ty += (t - mean_t) * (y - mean_y);
  return static_cast<double>(ty / tt);
}
double slope(const std::vector<Sample>& samples) {
  Slope r;
  for (const auto& [t, y] : samples) r.add(t, y);
  return r.value();
}

TEST(Slope, IsLeastSquares) {
  std::mt19937_64 random(2024);
  std::normal_distribution<double> noise;
  for (const double t0 : {0.0, -3.0, 1e6})
    for (const double y0 : {0.0, 17.0, -1e6}) {
      std::vector<Sample> samples;
      for (int i = 0; i < 1000; ++i) samples.push_back({t0 + 0.01 * i, y0 + 0.5 * i + noise(random)});
      const double right = textbook_slope(samples);
      EXPECT_NEAR(slope(samples), right, 1e-9 * std::abs(right)) << "t0 = " << t0 << ", y0 = " << y0;
    }
}
TEST(Slope, OfNoiseFarFromTheOrigin) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise;
  std::vector<Sample> samples;
  for (int i = 0; i < 5000; ++i) samples.push_back({1e6 + 0.1 * i, 1e-12 * noise(random)});
  const double right = textbook_slope(samples);
  EXPECT_NEAR(slope(samples), right, 1e-9 * std::abs(right) + 1e-24);
}
TEST(Slope, OfALineIsExact) {
  EXPECT_DOUBLE_EQ(slope({{1, 5}, {2, 3}, {3, 1}}), -2);
  EXPECT_DOUBLE_EQ(slope({{1e6, 1}, {1e6 + 1, 4}, {1e6 + 2, 7}, {1e6 + 3, 10}}), 3);
}
TEST(Slope, NeedsTwoTimes) {
  EXPECT_EQ(slope({}), 0);
  EXPECT_EQ(slope({{1, 7}}), 0);
  EXPECT_EQ(slope({{1, 7}, {1, 9}}), 0);
}

TEST(Constancy, KeepsFirstLastAndWorst) {
  Constancy c{"J"};
  c.add(2, true);
  EXPECT_EQ(c.max_abs_error, 0);
  c.add(2.5, false), c.add(-1, false), c.add(2.25, false);
  EXPECT_EQ(c.name, "J");
  EXPECT_EQ(c.initial, 2);
  EXPECT_EQ(c.final, 2.25);
  EXPECT_EQ(c.max_abs_error, 3);
}
// A quantity that was lost on the way must not pass for constant.
TEST(Constancy, ANumberThatIsNoneIsAnError) {
  Constancy c;
  c.add(1, true), c.add(std::nan(""), false), c.add(1, false);
  EXPECT_FALSE(c.max_abs_error <= 1e-12) << c.max_abs_error;
}

// Everything that the ledger says, again from the states that an observer kept.
struct Kept {
  SystemRef system;
  std::vector<Sample> energy = {};
  std::vector<double> gaps = {};
  std::int64_t iterations = 0;
  double work = 0;
  void operator()(const GridPoint& point) {
    energy.push_back({point.t, hamiltonian(system, point.z)});
    if (const Values g = test::gaps(system, point.z.q); g.size() > 0) gaps.push_back(g.minCoeff());
    if (point.step) iterations += point.step->outcome.iterations, work += point.step->work;
  }
  double worst() const {
    double r = 0;
    for (const auto& [t, H] : energy) r = std::max(r, std::abs(H - energy[0].y));
    return r;
  }
};

TEST(Ledger, AgreesWithTheStatesOfARun) {
  const auto [name, system, start] = system_case("double-pendulum", DoublePendulum{.wall = -3});
  FlowStepper stepper(*system, midpoint(), 0.02);
  Ledger ledger(system);
  Kept kept{system};
  const auto ended = simulate(stepper, start, Grid{5, 0.02, 200}, ledger, kept);
  ASSERT_FALSE(ended.failure);
  EXPECT_EQ(ledger.energy.name, "H");
  EXPECT_EQ(ledger.energy.initial, kept.energy.front().y);
  EXPECT_EQ(ledger.energy.final, kept.energy.back().y);
  EXPECT_EQ(ledger.H, kept.energy.back().y);
  EXPECT_EQ(ledger.energy.max_abs_error, kept.worst());
  EXPECT_GT(kept.worst(), 1e-6);
  EXPECT_NEAR(ledger.drift.value(), textbook_slope(kept.energy), 1e-10);
  EXPECT_EQ(ledger.smallest_gap, *std::min_element(kept.gaps.begin(), kept.gaps.end()));
  EXPECT_EQ(ledger.iterations, kept.iterations);
  EXPECT_GT(ledger.iterations, 200);
  EXPECT_EQ(ledger.work, 0);
  EXPECT_TRUE(ledger.momenta.empty());  // gravity acts
}

TEST(Ledger, NamesAndFollowsMomenta) {
  const auto system = as_system(Particle{});
  FlowStepper stepper(*system, svc(), 0.01);
  Ledger ledger(system);
  const Phase start{Vector<double, 2>(0, 5), Vector<double, 2>(-1.5, 0)};
  const auto ended = simulate(stepper, start, Grid{0, 0.01, 50}, ledger);
  ASSERT_FALSE(ended.failure);
  ASSERT_EQ(ledger.momenta.size(), 1u);
  EXPECT_EQ(ledger.momenta[0].name, "horizontal momentum");
  EXPECT_EQ(ledger.momenta[0].initial, -1.5);
  EXPECT_EQ(ledger.momenta[0].max_abs_error, 0);
  EXPECT_LT(ledger.energy.max_abs_error, 1e-12);
}

// Impacts count, and where they happen counts for the smallest gap.
TEST(Ledger, CountsImpacts) {
  const auto system = as_system(Particle{});
  Ledger ledger(system);
  const Phase z{Vector<double, 2>(0, 1), Vector<double, 2>(0, 0)};
  std::vector<Impact> impacts(2);
  impacts[0].q = Vector<double, 2>(0, 0.25), impacts[1].q = Vector<double, 2>(0, -1e-12);
  for (auto& impact : impacts) impact.p_before = impact.p_after = Vector<double, 2>(0, 0);
  ledger({0, 0.0, z, nullptr});
  ledger({1, 0.1, z, nullptr, impacts});
  ledger({2, 0.2, z, nullptr, std::span(impacts).first(1)});
  EXPECT_EQ(ledger.impacts, 3);
  EXPECT_EQ(ledger.smallest_gap, -1e-12);
}

// A damped oscillator: what the energy loses, the force's work took.
struct Damped {
  static constexpr int dim = 1;
  double c = 0.3;
  template <class S>
  S lagrangian(const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    return 0.5 * v[0] * v[0] - 0.5 * q[0] * q[0];
  }
  template <class S>
  Vector<S, 1> force(const S&, const Vector<S, 1>&, const Vector<S, 1>& v) const {
    return Vector<S, 1>(-c * v[0]);
  }
};
TEST(Ledger, AddsUpTheWorkOfForces) {
  const auto system = as_system(Damped{});
  FlowStepper stepper(*system, gauss(4), 0.05);
  Ledger ledger(system);
  Kept kept{system};
  const Phase start{Values::Ones(1), Values::Zero(1)};
  const auto ended = simulate(stepper, start, Grid{0, 0.05, 100}, ledger, kept);
  ASSERT_FALSE(ended.failure);
  EXPECT_LT(ledger.work, -0.2);
  EXPECT_EQ(ledger.work, kept.work);
  EXPECT_NEAR(ledger.work, ledger.energy.final - ledger.energy.initial, 1e-9);
  EXPECT_EQ(ledger.smallest_gap, HUGE_VAL);  // it has none
}

}  // namespace
}  // namespace carom::test
