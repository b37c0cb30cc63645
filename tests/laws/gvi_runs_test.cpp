// The generalized variational integrator over whole runs: the figures of 003 with what was measured of them,
// rest, determinism and resumed runs.
#include <gtest/gtest.h>

#include <set>

#include "support/local_systems.hpp"

namespace carom::test {
namespace {

using Energy = GviOptions::Energy;
const auto angular = [](const Phase& z) { return angular_momentum<double>(z.q, z.p); };

TEST(GviRuns, Figure51StaysOnTheSphere) {
  const Phase start{values({4, -3, 3, -4}), values({.6, .8, .8, .6})};
  const auto r = run_gvi(dense(SpringAndSphere{}), midpoint(), 0.5, 20000, start, {}, angular);
  ASSERT_FALSE(r.failure);
  EXPECT_NEAR(r.H0, 6, 1e-14);
  EXPECT_GE(r.low, 5.9835);
  EXPECT_LE(r.high, 6.0045);
  EXPECT_LE(r.drift, 3e-13);
  EXPECT_GE(r.least_gap, -1e-14);
  EXPECT_EQ(r.impacts, 0);
  EXPECT_LE(gaps(dense(SpringAndSphere{}), r.z.q).lpNorm<Eigen::Infinity>(), 1e-14);
}

TEST(GviRuns, Figure82OfTheOscillator) {
  const Phase start{values({0, -1.4, 0, 1.4}), values({1, 0, -1, 0})};
  const auto r = run_gvi(dense(Oscillator{}), midpoint(), 0.1, 100000, start, {}, angular);
  ASSERT_FALSE(r.failure);
  EXPECT_NEAR(r.H0, 4.6127, 5e-5);
  EXPECT_NEAR(angular(start), 2.8, 1e-15);
  EXPECT_NEAR(r.low, 4.502, 1e-3);
  EXPECT_LE(r.high, 4.6135);
  EXPECT_LE(r.drift, 3e-13);
  EXPECT_GT(r.impacts, 1000);
}

// Gradients at the predicted place break the angular momentum; a linear gap at the start changes nothing.
TEST(GviRuns, Figure82dLosesItsMomentum) {
  const Phase start{values({0, -1.4, 0, 1.4}), values({1, 0, -1, 0})};
  for (const auto how : {GviOptions::Constraints::linearized, GviOptions::Constraints::predicted}) {
    GviOptions options;
    options.constraints = how;
    const auto r = run_gvi(dense(Oscillator{}), midpoint(), 0.1, 10000, start, options, angular);
    ASSERT_FALSE(r.failure);
    if (how == GviOptions::Constraints::linearized)
      EXPECT_LE(r.drift, 1e-12);
    else
      EXPECT_GT(r.drift, 0.1);
  }
}

// Verlet keeps I = H - h²/8 ∇V'M^-1∇V of a quadratic potential exactly, and so does the reflection.
TEST(GviRuns, PogoStickKeepsItsInvariant) {
  constexpr double h = 0.1;
  const Pogo pogo;
  const auto I = [&](const Phase& z) {
    const double d = z.q[0] - z.q[1] - pogo.l, a = pogo.k * d + pogo.g, b = -pogo.k * d + pogo.g;
    return 0.5 * z.p.squaredNorm() + pogo.potential(Vector<double, 2>(z.q)) - h * h / 8 * (a * a + b * b);
  };
  const Phase start{values({6, 1}), values({0, 0})};
  const auto r = run_gvi(dense(pogo), svc(), h, 100000, start, {}, I);
  ASSERT_FALSE(r.failure);
  EXPECT_LE(r.drift, 1e-10 * I(start));
  EXPECT_NEAR(r.H0, 68.6, 1e-12);
  EXPECT_GE(r.low, 68.595);
  EXPECT_LE(r.high, 70.165);
  EXPECT_GT(r.impacts, 10000);
  GviOptions options;
  options.energy = Energy::numerical;
  const auto e2 = run_gvi(dense(pogo), svc(), h, 100000, start, options);
  ASSERT_FALSE(e2.failure);
  EXPECT_GE(e2.low, 67.88);
  EXPECT_LE(e2.high, 69.50);
}

// Energies of Fig. 8.3 over T = 1000: what reflecting on the numerical energy or the shadow energy is worth.
TEST(GviRuns, Figure83ByEnergies) {
  const double s = std::sqrt(17.0);
  const Phase start{values({4, -1, 3, -4}), values({1 / s, 4 / s, .8, .6})};
  const auto worst = [&](const Flow& flow, Energy energy) {
    GviOptions options;
    options.energy = energy;
    const auto r = run_gvi(dense(SpringAndSphere{}), flow, 0.5, 2000, start, options, angular);
    EXPECT_FALSE(r.failure);
    EXPECT_LE(r.drift, 2e-13);
    return std::fmax(r.high - r.H0, r.H0 - r.low) / r.H0;
  };
  EXPECT_NEAR(worst(midpoint(), Energy::hamiltonian), 0.14, 0.01);
  EXPECT_LT(worst(midpoint(), Energy::numerical), 0.04);
  EXPECT_LT(worst(svc(), Energy::numerical), 0.02);
  EXPECT_LT(worst(midpoint(), Energy::shadow), 0.02);
  EXPECT_LT(worst(svc(), Energy::shadow), 0.02);
}

TEST(GviRuns, CradleBandsAndPenetration) {
  const Cradle cradle(5);
  const SystemRef system{std::make_shared<Cradle>(5)};
  const Phase start{cradle.raised(2), Values::Zero(10)};
  for (const auto& [h, percent] : {std::pair{3e-2, 0.24}, {2e-2, 0.11}, {1e-2, 0.027}, {5e-3, 0.007}}) {
    const auto r = run_gvi(system, midpoint(), h, std::llround(100 / h), start);
    ASSERT_FALSE(r.failure) << h;
    const double band = 100 * (r.high - r.low) / (r.H0 + 5 * cradle.shape.g * cradle.shape.l);
    EXPECT_NEAR(band, percent, percent < 0.1 ? (percent < 0.01 ? 6e-4 : 1.1e-3) : 6e-3) << h;
    EXPECT_GT(r.least_gap, -2.8 * h) << h;  // measured: 1.5 to 2.2 h; balls meet at 1.94
    EXPECT_LT(r.joint, 5e-15) << h;
    EXPECT_GT(r.impacts, 500) << h;
  }
}

// Beginnings and releases, one after the other, are what tells the set of lasting contacts; also of a stepper
// that was resumed in between.
TEST(GviRuns, ToldChangesAddUpToTheLastingContacts) {
  const double h = 0.01;
  const SystemRef system{std::make_shared<Cradle>(20)};
  const SteadyFlow flow(midpoint(), h);
  GviStepper first(system, flow, {}), second(system, flow, {});
  Phase z{Cradle(20).raised(2), Values::Zero(40)};
  std::set<int> lasting;
  int begun = 0, released = 0;
  for (int n = 0; n < 400; ++n) {
    if (n == 230) {
      std::vector<double> kept;
      keep_numbers(first, [&](auto& x) { kept.push_back(static_cast<double>(x)); });
      std::size_t next = 0;
      keep_numbers(second, [&](auto& x) { x = static_cast<std::decay_t<decltype(x)>>(kept[next++]); });
      EXPECT_EQ(next, kept.size());
      EXPECT_FALSE(lasting.empty()) << "or nothing would be kept";
    }
    GviStepper& stepper = n < 230 ? first : second;
    const auto r = stepper.step(n * h, z);
    ASSERT_FALSE(r.failure);
    for (const ContactChange& change : r.changes) {
      EXPECT_EQ(change.t, n * h);
      EXPECT_EQ(change.settled, change.t);
      if (change.begins)
        EXPECT_TRUE(lasting.insert(change.contact).second) << change.contact << " lasted already";
      else
        EXPECT_EQ(lasting.erase(change.contact), 1u) << change.contact << " did not last";
      ++(change.begins ? begun : released);
    }
    EXPECT_EQ(std::vector<int>(lasting.begin(), lasting.end()), stepper.lasting()) << n;
    z = r.step.z;
  }
  EXPECT_GT(begun, 20);
  EXPECT_GT(released, 20);
}

TEST(GviRuns, AColumnRests) {
  for (const Flow& flow : {svc(), midpoint(), sva()}) {
    const Column column(100);
    const auto rest = [&](const Phase& z) { return (z.q - column.at_rest()).lpNorm<Eigen::Infinity>(); };
    const auto r = run_gvi({std::make_shared<Column>(column)}, flow, 1e-3, 1000,
                           {column.at_rest(), Values::Zero(100)}, {}, rest);
    ASSERT_FALSE(r.failure) << flow.name;
    EXPECT_LE(r.drift, 1e-12) << flow.name;
    EXPECT_EQ(r.impacts, 0) << flow.name;
  }
}

// A particle that slides from the top of a disc leaves it at y/R = 2/3 + v0²/(3 g R), up to one step.
TEST(GviRuns, LeavesADiscWhereItShould) {
  const Disc disc;
  const auto system = dense(disc);
  std::vector<double> constants;
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const double v0 = 0.8, expected = 2.0 / 3 + v0 * v0 / (3 * disc.g * disc.R);
    GviStepper stepper(system, SteadyFlow(svc(), h), {});
    Phase z{values({0, disc.R}), values({disc.m * v0, 0})};
    int n = 0;
    for (; n < 100000 && gaps(system, z.q)[0] < 1e-13; ++n) {
      const auto r = stepper.step(n * h, z);
      ASSERT_FALSE(r.failure) << r.failure->reason;
      ASSERT_TRUE(r.impacts.empty());
      z = r.step.z;
    }
    constants.push_back((z.q[1] / disc.R - expected) / h);
    const double speed = z.p.norm() / disc.m;  // a step moves by no more than this times h
    EXPECT_LT(std::abs(constants.back()), 2 * speed) << h;
    std::printf("h = %g: leaves at %.6f, expected %.6f, off by %.3f h\n", h, z.q[1], expected,
                constants.back());
  }
}

// 003, Fig. 1.2, without forces: (a) along a boundary, (c) leaving it and (d) meeting it tangentially. The
// ground is y = a x² for x < 0 and y = b x² for x > 0.
struct Ground {
  static constexpr int dim = 2;
  double a = 0, b = 0;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1] - (q[0] < 0 ? a : b) * q[0] * q[0]);
  }
};
TEST(GviRuns, TangentialApproachAndExit) {
  const double h = 0.01;
  const Phase start{values({-1.003, 0}), values({1, 0})};
  for (const Ground ground : {Ground{0, 0}, Ground{0, -0.3}}) {  // (a), (c): nothing ever pushes
    const auto r = run_gvi(dense(ground), midpoint(), h, 200, start);
    ASSERT_FALSE(r.failure);
    EXPECT_EQ(r.impacts, 0);
    EXPECT_EQ(r.z.p, start.p);
    EXPECT_NEAR(r.z.q[0], start.q[0] + 200 * h, 1e-14);
    EXPECT_EQ(r.z.q[1], 0);
  }
  // (d): what is reached within a step reflects at its start, where the ground still has a slope of at most
  // 2 |a| h.
  const auto meets = run_gvi(dense(Ground{-0.3, 0}), midpoint(), h, 200, start);
  ASSERT_FALSE(meets.failure);
  EXPECT_LE(std::abs(meets.z.p[1]), 2 * 2 * 0.3 * h);
  EXPECT_NEAR(meets.z.p.norm(), 1, 1e-14);
  EXPECT_GE(meets.least_gap, 0);
  // (a): up a slope that begins smoothly, held by the boundary from the first step on.
  const auto up = run_gvi(dense(Ground{0, 0.3}), midpoint(), h, 200, start);
  ASSERT_FALSE(up.failure);
  EXPECT_EQ(up.impacts, 0);
  EXPECT_GE(up.least_gap, -1e-15);
  EXPECT_NEAR(up.z.q[1], 0.3 * up.z.q[0] * up.z.q[0], 1e-9);
  EXPECT_NEAR(up.high, up.low, 1e-3);
  // (d) into a slope: small bounces, no deeper than what a step falls behind the curve.
  const auto down = run_gvi(dense(Ground{-0.3, 0.3}), midpoint(), h, 200, start);
  ASSERT_FALSE(down.failure);
  EXPECT_GE(down.least_gap, -2 * h * 0.6);
  EXPECT_NEAR(down.high, down.low, 1e-12);
  EXPECT_LT(down.z.q[1] - 0.3 * down.z.q[0] * down.z.q[0], 0.05);
}

// Two runs are equal bit for bit, and so is one that is resumed from its numbers on the way.
TEST(GviRuns, DeterministicAndResumable) {
  const double s = std::sqrt(17.0), h = 0.5;
  const auto system = dense(SpringAndSphere{});
  const Phase start{values({4, -1, 3, -4}), values({1 / s, 4 / s, .8, .6})};
  for (const auto energy : {Energy::hamiltonian, Energy::numerical, Energy::shadow}) {
    GviOptions options;
    options.energy = energy;
    const SteadyFlow flow(svc(), h);
    GviStepper whole(system, flow, options), first(system, flow, options), second(system, flow, options);
    const auto r = run_gvi(whole, system, h, 400, start);
    Phase z = run_gvi(first, system, h, 150, start).z;
    std::vector<double> kept;
    keep_numbers(first, [&](auto& x) { kept.push_back(static_cast<double>(x)); });
    std::size_t next = 0;
    keep_numbers(second, [&](auto& x) { x = static_cast<std::decay_t<decltype(x)>>(kept[next++]); });
    for (int n = 150; n < 400; ++n) z = second.step(n * h, z).step.z;
    EXPECT_EQ(z.q, r.z.q);
    EXPECT_EQ(z.p, r.z.p);
    EXPECT_EQ(second.solves(), whole.solves());
    EXPECT_EQ(second.fallbacks(), whole.fallbacks());
  }
}

}  // namespace
}  // namespace carom::test
