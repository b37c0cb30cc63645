// Runs side by side, in the lanes of packs, are the runs alone to the last bit: their states, their ledgers,
// their failures, with walls that the lanes reach at different times, and with 2 lanes or 4.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "carom/numerics/exact_pack.hpp"
#include "carom/system/autodiff_system.hpp"
#include "carom/system/validated_start.hpp"
#include "carom/systems/billiard.hpp"
#include "carom/systems/star.hpp"
#include "model/formula_system.hpp"
#include "run/packed_runs.hpp"
#include "run/run_system.hpp"
#include "support/built_in.hpp"

namespace carom::test {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

template <int W>
void expect_bits_of_doubles() {
  const double numbers[] = {0.3, -1.7, 1e6, 0.0, 2.5, -0.0, 1e-300, 12.25};
  const auto same = [&](const auto& f) {
    for (int first = 0; first + W <= 8; first += W) {
      ExactPack<W> x;
      for (int i = 0; i < W; ++i) x.lanes[i] = numbers[first + i];
      const ExactPack<W> y = f(x);
      for (int i = 0; i < W; ++i) {
        const double alone = f(numbers[first + i]);
        EXPECT_TRUE(bits(y[i]) == bits(alone) || (std::isnan(y[i]) && std::isnan(alone))) << y[i];
      }
    }
  };
  same([](auto x) { return sin(x); });
  same([](auto x) { return cos(x); });
  same([](auto x) { return sin_cos(x).sin * sin_cos(x).cos; });
  same([](auto x) { return tan(x); });
  same([](auto x) { return exp(x) + sqrt(x) + log(x); });
  same([](auto x) { return pow(x, 3.0) - pow(x, x); });
  same([](auto x) { return atan2(x, 2.0 * x) + atan(x) + tanh(x); });
  same([](auto x) { return 1.0 / x + abs(x) - max(x, -x) * min(x, 2.0 * x); });
}
TEST(ExactPack, GivesTheBitsOfDoubles) { expect_bits_of_doubles<2>(), expect_bits_of_doubles<4>(); }

// Every number of a result, and its words.
std::vector<std::uint64_t> numbers_of(const RunResult& r) {
  std::vector<std::uint64_t> all;
  const auto add = [&all](std::initializer_list<double> list) {
    for (const double x : list) all.push_back(std::isnan(x) ? bits(std::nan("")) : bits(x));
  };
  for (const double x : r.q) add({x});
  for (const double x : r.p) add({x});
  add({r.t, r.energy.initial, r.energy.final, r.energy.max_abs_error, r.drift_per_time, r.last_impact});
  for (const Constancy& m : r.momenta) add({m.initial, m.final, m.max_abs_error});
  add({r.smallest_gap.value_or(-1), r.largest_joint.value_or(-1), r.work, r.friction, r.loss, r.remainder});
  for (const std::int64_t x : {r.steps, r.impacts, r.impact_solves, r.fallbacks, r.newton_iterations})
    all.push_back(static_cast<std::uint64_t>(x));
  return all;
}
std::vector<std::string> words_of(const RunResult& r) {
  std::vector<std::string> all{r.status, r.reason, r.ended_by, r.system, r.method};
  all.insert(all.end(), r.warnings.begin(), r.warnings.end());
  return all;
}

constexpr int members = 7;  // so that lanes are filled again, and stand idle at the end

// Members that start farther and farther along the first coordinate.
std::vector<Scenario> members_of(const std::string& text, double along) {
  std::vector<Scenario> r(members, parse_scenario(text, "test.toml", {}));
  for (int i = 0; i < members; ++i) r[i].initial.q->at(0) += along * i;
  return r;
}

using Shared = std::shared_ptr<const System>;

RunState start_of(const System& system, const Scenario& s) {
  const auto vector = [](const std::vector<double>& x) {
    return Values(Eigen::Map<const Values>(x.data(), x.size()));
  };
  return validated_state(system, Start<Eigen::Dynamic>{vector(*s.initial.q), vector(*s.initial.v), {}});
}

// The results of the runs alone, after those in lanes have been held against them.
std::vector<RunResult> same_in_lanes(const Shared& system, const std::vector<Scenario>& scenarios) {
  const Method method = make_method(scenarios[0]);
  const auto start = [&](const Scenario& s) { return start_of(*system, s); };
  std::vector<RunResult> alone;
  for (const Scenario& s : scenarios) alone.push_back(run_system({system, start(s), {}}, s, method, {}));
  for (const int lanes : {2, 4}) {
    std::size_t given = 0, done = 0;
    const auto next = [&] { return given < scenarios.size() ? &scenarios[given++] : nullptr; };
    const auto compare = [&](std::size_t i, const RunResult& r) {
      ++done;
      EXPECT_EQ(numbers_of(r), numbers_of(alone[i])) << lanes << " lanes, member " << i;
      EXPECT_EQ(words_of(r), words_of(alone[i])) << lanes << " lanes, member " << i;
    };
    EXPECT_TRUE(run_packed(system, start, scenarios[0], method, {}, {next, compare}, lanes));
    EXPECT_EQ(done, scenarios.size()) << lanes << " lanes";
  }
  return alone;
}

std::int64_t impacts_of(const std::vector<RunResult>& runs) {
  std::int64_t sum = 0;
  for (const RunResult& r : runs) sum += r.impacts;
  return sum;
}

const std::string billiard = R"toml(
[system]
name = "billiard"
parameters = { k = 0.5, g = 0.3 }
[initial]
q = [0.1, 0.2]
v = [1.0, 0.7]
)toml";

Shared billiard_with_springs() {
  Billiard r;
  r.k = 0.5, r.g = 0.3;
  return std::make_shared<AutodiffSystem<Billiard>>(r);
}
std::vector<RunResult> billiard_in_lanes(const std::string& rest) {
  return same_in_lanes(billiard_with_springs(), members_of(billiard + rest, 0.11));
}

TEST(PackedRuns, AreTheRunsAloneBetweenWalls) {
  const auto runs = billiard_in_lanes(R"toml(
[method]
flow = "sva"
impact = "continuous-energy"
[time]
step = 0.01
end = 30.0
)toml");
  EXPECT_GT(impacts_of(runs), 50);
  for (const auto& r : runs) EXPECT_EQ(r.status, "completed") << r.reason;
}
TEST(PackedRuns, KeepTheShadowLawsEnergyWithLosses) {  // each impact makes it look at the state again
  const auto runs = billiard_in_lanes(R"toml(
[method]
flow = "svc"
impact = "shadow"
restitution = 0.9
[time]
step = 0.01
end = 10.0
)toml");
  for (const auto& r : runs) EXPECT_GT(r.impacts, 0);
}
TEST(PackedRuns, EndAfterImpactsEachInItsOwnTime) {
  const auto runs = billiard_in_lanes(R"toml(
[method]
flow = "yoshida4"
base = "svb"
impact = "shadow"
[time]
step = 0.02
impacts = 12
)toml");
  EXPECT_NE(runs[0].steps, runs[1].steps);
  for (const auto& r : runs) EXPECT_EQ(r.ended_by, "impacts");
}
TEST(PackedRuns, FailOneByOne) {
  const auto runs = billiard_in_lanes(R"toml(
[method]
flow = "sva"
stepper = "smooth"
[time]
step = 0.01
end = 10.0
)toml");
  EXPECT_NE(runs[0].steps, runs[1].steps);
  for (const auto& r : runs) EXPECT_EQ(r.status, "failed");
}

// Three coordinates, written in C++.
TEST(PackedRuns, AreTheRunsAloneOfAStar) {
  const auto runs = same_in_lanes(std::make_shared<AutodiffSystem<Star>>(Star{}), members_of(R"toml(
[system]
name = "star"
[initial]
q = [0.0, 3.5, 0.0]
v = [-2.0, 0.0, 5.0]
[method]
flow = "sva"
impact = "continuous-energy"
[time]
step = 0.01
end = 10.0
)toml",
                                                                                             0.02));
  for (const auto& r : runs) EXPECT_EQ(r.status, "completed") << r.reason;
}

std::vector<RunResult> formulas_in_lanes(const std::string& text, double along) {
  const auto scenarios = members_of(text, along);
  return same_in_lanes(std::make_shared<FormulaSystem>(define_system(scenarios[0])), scenarios);
}

TEST(PackedRuns, AreTheRunsAloneOfFormulas) {
  const auto runs = formulas_in_lanes(R"toml(
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + 0.4*x'*y' + y'^2) - 0.5*(x^2 + y^2) - x^2*y + y^3/3"
gaps = { left = "x + 0.3", right = "0.3 - x", floor = "y + 0.3 + 0.02*sin(9*x)", ceiling = "0.3 - y" }
momenta = { some = "x*y' - y*x'" }
[initial]
q = [0.0, 0.1]
v = [0.3, 0.37]
[method]
flow = "kahan-li6"
impact = "shadow"
[time]
step = 0.02
end = 20.0
)toml",
                                      0.03);
  EXPECT_GT(impacts_of(runs), 50);
}
// Three coordinates, sums of more than two terms, and sines.
TEST(PackedRuns, AreTheRunsAloneWithoutWalls) {
  const auto runs = formulas_in_lanes(R"toml(
[system]
name = "expression"
coordinates = ["x", "y", "z"]
lagrangian = "0.5*(x'^2 + 2*y'^2 + 3*z'^2) + x'*z'/2 + cos(x - y) - 1/sqrt(x^2 + y^2 + z^2) - exp(z/3)"
[initial]
q = [0.4, 0.9, -0.3]
v = [0.3, 0.0, 0.1]
[method]
flow = "sva"
[time]
step = 0.01
end = 20.0
)toml",
                                      0.2);
  for (const auto& r : runs) EXPECT_EQ(r.status, "completed") << r.reason;
}

TEST(PackedRuns, AreRefusedWhereStepsAreNotExplicit) {
  const auto refuses = [](const std::string& rest) {
    const auto scenarios = members_of(billiard + rest, 0.1);
    const auto next = [&] { return &scenarios[0]; };
    const auto start = [&](const Scenario& s) { return start_of(*billiard_with_springs(), s); };
    return !run_packed(billiard_with_springs(), start, scenarios[0], make_method(scenarios[0]), {},
                       {next, {}}, 4);
  };
  EXPECT_TRUE(refuses("[method]\nflow = \"midpoint\"\n[time]\nstep = 0.01\nend = 1.0\n"));
  EXPECT_TRUE(refuses("[method]\nflow = \"gauss\"\n[time]\nstep = 0.01\nend = 1.0\n"));
  EXPECT_TRUE(refuses("[method]\nflow = \"sva\"\n[time]\nstep = 0.01\nend = 1.0\nuntil = \"x\"\n"));
}

}  // namespace
}  // namespace carom::test
