// The contact stepper over whole runs: the cradle keeps its pattern and its time, the energy of impacts and
// lasting contacts has no trend, nothing penetrates, and a run can be repeated and resumed bit for bit.
#include <gtest/gtest.h>

#include <cmath>

#include "support/contact_runs.hpp"
#include "support/order.hpp"
#include "support/sixths.hpp"

namespace carom::test {
namespace {

constexpr double amplitude = std::numbers::pi / 5;

// A cradle without gaps whose first balls are drawn, and what of it is known exactly: as balls of one mass
// exchange their velocities, each swing is that of one pendulum.
struct Drawn {
  CradleShape shape;
  int drawn;
  bool in_angles;
  SystemRef system;
  Phase start;

  Drawn(int balls, int count, bool angles)
      : shape{balls},
        drawn(count),
        in_angles(angles),
        system(angles ? SystemRef(std::make_shared<CradleInAngles>(shape))
                      : SystemRef(std::make_shared<CradleInCoordinates>(shape))) {
    Values a = Values::Zero(balls);
    a.head(count).setConstant(-amplitude);
    start.q = angles ? a : CradleInCoordinates(shape).at(a);
    start.p = Values::Zero(start.q.size());
  }
  double swing() const {  // from one turning point to the next
    return 2 * std::sqrt(shape.l / shape.g) * std::comp_ellint_1(std::sin(amplitude / 2));
  }
  double angle(const Phase& z, int i) const {
    return in_angles ? z.q[i] : std::atan2(z.q[2 * i] - shape.pivot(i), -z.q[2 * i + 1]);
  }
  double rate(const Phase& z, int i) const {
    if (in_angles) return z.p[i] / (shape.m * shape.l * shape.l);
    const double a = angle(z, i);
    return (std::cos(a) * z.p[2 * i] + std::sin(a) * z.p[2 * i + 1]) / (shape.m * shape.l);
  }
  // Whether ball i is up at the turning point n = 0, 1, ...
  bool is_up(int i, std::int64_t n) const { return n % 2 == 0 ? i < drawn : i >= shape.balls - drawn; }
  double energy(const Phase& z) const {
    return hamiltonian(system, z) + shape.balls * shape.m * shape.g * shape.l;
  }
};

struct Pattern {
  double drawn = 0, others = 0;  // the largest departures from the exact angles at turning points
  std::int64_t turns = 0;
};

void expect_pattern(const Drawn& cradle, const Flow& flow, double h, std::int64_t turns,
                    const ContactOptions& options = {}) {
  Pattern worst;
  const double E0 = cradle.energy(cradle.start);
  const auto watch = [&](double t, const Stepped& now) {
    if (t < static_cast<double>(worst.turns + 1) * cradle.swing()) return;
    ++worst.turns;
    for (int i = 0; i < cradle.shape.balls; ++i) {
      const bool up = cradle.is_up(i, worst.turns);
      const double exact = up ? (worst.turns % 2 == 0 ? -amplitude : amplitude) : 0;
      double& off = up ? worst.drawn : worst.others;
      off = std::fmax(off, std::abs(cradle.angle(now.step.z, i) - exact) / amplitude);
    }
  };
  const auto steps = std::llround(cradle.swing() * static_cast<double>(turns) / h) + 1;
  const auto r = run_contact(cradle.system, flow, h, steps, cradle.start, options, watch);
  const std::string label = std::to_string(cradle.drawn) + " of " + std::to_string(cradle.shape.balls) +
                            (cradle.in_angles ? " in angles" : " in coordinates") + ", " + flow.name;
  ASSERT_FALSE(r.failure) << label << ": " << r.failure->reason << " at step " << r.steps;
  std::printf("%s: %lld turns, drawn off by %.1e, others by %.1e; energy %.1e .. %.1e; gap %.1e\n",
              label.c_str(), static_cast<long long>(worst.turns), worst.drawn, worst.others,
              (r.low - r.H0) / E0, (r.high - r.H0) / E0, r.least_gap);
  EXPECT_GE(worst.turns, turns) << label;
  EXPECT_LT(worst.drawn, 0.1) << label;
  EXPECT_LT(worst.others, 0.1) << label;
  EXPECT_LT(r.high - r.H0, 1e-3 * E0) << label;
  EXPECT_GT(r.low - r.H0, -1e-3 * E0) << label;
  EXPECT_GE(r.least_gap, -1e-12) << label;
}

TEST(ContactCradle, TwoOfFiveInTwoOut) {
  expect_pattern({5, 2, true}, svc(), 0.01, 510);
  expect_pattern({5, 2, false}, svc(), 0.01, 510);
}
TEST(ContactCradle, OneThreeAndFourOfFive) {
  for (const int drawn : {1, 3, 4}) {
    expect_pattern({5, drawn, true}, svc(), 0.01, 200);
    expect_pattern({5, drawn, false}, svc(), 0.01, 60);
  }
}
TEST(ContactCradle, SevenAndTwentyBalls) {
  for (const auto& [balls, drawn, turns] : {std::array{7, 3, 100}, {20, 1, 40}, {20, 7, 40}}) {
    expect_pattern({balls, drawn, true}, svc(), 0.01, turns);
    expect_pattern({balls, drawn, false}, svc(), 0.01, turns / 4);
  }
}
TEST(ContactCradle, OtherFlowsAndTheOtherLaw) {
  for (const bool angles : {true, false}) {
    for (const Flow& flow : {midpoint(), make_flow("yoshida4", {.base = "svc"})})
      expect_pattern({5, 2, angles}, flow, 0.01, 40);
    ContactOptions options;
    options.law = continuous_energy();
    expect_pattern({5, 2, angles}, svc(), 0.01, 40, options);
  }
}

// How late the balls that are up are after `turns` swings: a grid of steps that ends there, where their rate
// would be 0, and is -+ g/l sin(amplitude) times the time that they are late.
double lateness(const Drawn& cradle, const Flow& flow, std::int64_t turns, std::int64_t steps) {
  const double h = cradle.swing() * static_cast<double>(turns) / static_cast<double>(steps);
  const auto r = run_contact(cradle.system, flow, h, steps, cradle.start);
  EXPECT_FALSE(r.failure) << r.failure->reason;
  const double pull = cradle.shape.g / cradle.shape.l * std::sin(amplitude);
  double late = 0;
  for (int i = 0; i < cradle.shape.balls; ++i)
    if (cradle.is_up(i, turns)) late = std::fmax(late, std::abs(cradle.rate(r.z, i)) / pull);
  return late;
}
// The same of one pendulum, which meets nothing.
double lateness_of_a_pendulum(const Flow& flow, std::int64_t turns, std::int64_t steps) {
  return lateness({1, 1, true}, flow, turns, steps);
}

TEST(ContactCradle, KeepsTimeAsItsFlowDoes) {
  constexpr std::int64_t turns = 20;
  for (const bool angles : {true, false})
    for (const Flow& flow : {svc(), make_flow("yoshida4", {.base = "svc"})}) {
      std::vector<ErrorAt> errors;
      const std::vector<std::int64_t> grids = flow.order == 2
                                                  ? std::vector<std::int64_t>{531, 743, 1051, 1487, 2111}
                                                  : std::vector<std::int64_t>{211, 299, 421, 593, 839};
      for (const std::int64_t steps : grids) {
        const double late = lateness({5, 2, angles}, flow, turns, steps);
        errors.push_back({1.0 / static_cast<double>(steps), late});
        std::printf("%s, %lld steps: late by %.3e, a pendulum in angles %.3e\n", flow.name.c_str(),
                    static_cast<long long>(steps), late, lateness_of_a_pendulum(flow, turns, steps));
      }
      const auto order = observed_order(errors, 1e-10);
      EXPECT_NEAR(order.slope, flow.order, 0.2) << flow.name << (angles ? " in angles" : "") << order.table;
    }
}
// In angles the flow of each ball is that of a pendulum, and so is its phase error.
TEST(ContactCradle, IsLateByWhatAPendulumIs) {
  for (const std::int64_t steps : {531, 2111}) {
    const double alone = lateness_of_a_pendulum(svc(), 20, steps);
    EXPECT_NEAR(lateness({5, 2, true}, svc(), 20, steps), alone, 0.01 * alone) << steps;
  }
}

// 003, Fig. 8.3: one point slides along the sphere, the other one bounces.
TEST(ContactLaws, SpringAndSphereHasNoTrend) {
  const double w = 1 / std::sqrt(17.0), T = 1000;
  const Phase start{values({4, -1, 3, -4}), values({w, 4 * w, .8, .6})};
  const auto system = dense(SpringAndSphere{});
  const double L0 = angular_momentum<double>(start.q, start.p);
  for (const Flow& flow : {svc(), midpoint()})
    for (const auto& [h, percent] : {std::pair{0.5, 1.5}, {0.25, 0.35}, {0.1, 0.06}}) {
      const auto steps = std::llround(T / h);
      Sixths sixths(steps);
      double L = 0, off = 0;
      std::int64_t n = 0;
      const auto r = run_contact(system, flow, h, steps, start, {}, [&](double, const Stepped& now) {
        sixths.add(n++, hamiltonian(system, now.step.z));
        L = std::fmax(L, std::abs(angular_momentum<double>(now.step.z.q, now.step.z.p) - L0));
        off = std::fmax(off, std::abs(gaps(system, now.step.z.q)[1]));
      });
      ASSERT_FALSE(r.failure) << r.failure->reason;
      std::printf(
          "%s, h = %g: band %.3f %%, trend %.1e of %.1e, momentum %.1e, |g| %.1e, gap %.1e, %lld impacts\n",
          flow.name.c_str(), h, 100 * r.band(), sixths.trend(), sixths.band_within(), L, off, r.least_gap,
          static_cast<long long>(r.impacts));
      EXPECT_LE(100 * r.band(), percent) << flow.name;
      EXPECT_LT(sixths.trend(), 0.1 * sixths.band_within()) << flow.name << sixths.table();
      EXPECT_LE(L, 1e-11) << flow.name;
      EXPECT_LE(off, 1e-13) << flow.name;
      EXPECT_GE(r.least_gap, -1e-13) << flow.name;
      EXPECT_GT(r.impacts, 100);
      for (const auto& change : r.changes) EXPECT_EQ(change.contact, 1) << "at " << change.t;
    }
}

TEST(ContactLaws, PogoStickKeepsItsEnergy) {
  const auto system = dense(Pogo{});
  Sixths sixths(10000);
  std::int64_t n = 0;
  const auto r =
      run_contact(system, svc(), 0.1, 10000, {values({6, 1}), values({0, 0})}, {},
                  [&](double, const Stepped& now) { sixths.add(n++, hamiltonian(system, now.step.z)); });
  ASSERT_FALSE(r.failure) << r.failure->reason;
  std::printf("pogo: %.3f .. %.3f, trend %.1e of %.1e, gap %.1e\n", r.low, r.high, sixths.trend(),
              sixths.band_within(), r.least_gap);
  EXPECT_NEAR(r.H0, 68.6, 1e-12);
  EXPECT_GE(r.low, 67.5);
  EXPECT_LE(r.high, 70.0);
  EXPECT_LT(sixths.trend(), 0.1 * sixths.band_within()) << sixths.table();
  EXPECT_GE(r.least_gap, -1e-14);
  EXPECT_GT(r.impacts, 1000);
}

// The numbers of a stepper: written down, then given back.
struct Kept final : KeptNumbers {
  std::vector<double> list;
  bool reads = false;
  std::size_t next = 0;
  void operator()(double& x) override { keep(x); }
  void operator()(std::int64_t& x) override { keep(x); }
  template <class T>
  void keep(T& x) {
    if (reads)
      x = static_cast<T>(list[next++]);
    else
      list.push_back(static_cast<double>(x));
  }
};

// Two runs are equal bit for bit, and so is one that goes on from its numbers in another stepper, wherever it
// was stopped: before its first step, with contacts that last and without.
TEST(ContactLaws, DeterministicAndResumable) {
  struct Case {
    SystemRef system;
    Phase start;
    double h;
    ContactOptions options;
  };
  const double w = 1 / std::sqrt(17.0);
  const BallColumn column(4);
  const Drawn cradle{5, 2, true};
  std::vector<Case> cases{
      {dense(SpringAndSphere{}), {values({4, -1, 3, -4}), values({w, 4 * w, .8, .6})}, 0.5, {}},
      {cradle.system, cradle.start, 0.02, {}},
      {{std::make_shared<BallColumn>(column)},
       {column.rest() + values({0.1, 0.3, 0.4, 0.8}), Values::Zero(4)},
       0.01,
       {.restitution = 0.5}}};
  cases.push_back(cases[1]);
  cases.back().options.law = continuous_energy();
  for (const Case& c : cases) {
    constexpr int steps = 200;
    const SteadyFlow flow(svc(), c.h);
    ContactStepper whole(c.system, flow, c.options), twin(c.system, flow, c.options);
    std::vector<Phase> states{c.start};
    for (int n = 0; n < steps; ++n) {
      const auto a = whole.step(n * c.h, states[n]), b = twin.step(n * c.h, states[n]);
      ASSERT_FALSE(a.failure) << a.failure->reason;
      ASSERT_EQ(a.step.z.q, b.step.z.q);
      ASSERT_EQ(a.step.z.p, b.step.z.p);
      states.push_back(a.step.z);
    }
    for (const int stop : {0, 1, 50, 77, 131}) {
      ContactStepper before(c.system, flow, c.options), after(c.system, flow, c.options);
      for (int n = 0; n < stop; ++n) ASSERT_FALSE(before.step(n * c.h, states[n]).failure);
      Kept kept;
      before.numbers(kept);
      kept.reads = true;
      after.numbers(kept);
      EXPECT_EQ(kept.next, kept.list.size());
      for (int n = stop; n < steps; ++n) {
        const auto r = after.step(n * c.h, states[n]);
        ASSERT_EQ(r.step.z.q, states[n + 1].q) << "step " << n << ", stopped at " << stop;
        ASSERT_EQ(r.step.z.p, states[n + 1].p) << "step " << n << ", stopped at " << stop;
      }
      EXPECT_EQ(after.solves(), whole.solves());
      EXPECT_EQ(after.fallbacks(), whole.fallbacks());
      EXPECT_EQ(after.lasting_contacts(), whole.lasting_contacts());
    }
  }
}

}  // namespace
}  // namespace carom::test
