// Where the contact stepper could go wrong silently: grazes, bodies that would fly through each other,
// bounces without end, contacts that squeeze, forces, masses that depend on q, potentials undefined behind a
// wall.
#include <gtest/gtest.h>

#include "carom/systems/box_of_discs.hpp"
#include "support/contact_runs.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

// A point that a force `a` drives away from a floor: y = y0 - v t + a t²/2 is lowest at y0 - v²/2a.
struct Repelled {
  static constexpr int dim = 1;
  double a = 2;
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return -a * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return q;
  }
};
// A point that passes a disc of radius 1 at the distance of its place x.
const Disc pillar{.R = 1, .g = 0, .m = 1};

struct Graze {
  std::string label;
  SystemRef system;
  Phase at(double depth, double before) const {  // so long before it is deepest
    if (label == "floor") return {values({before * before - depth}), values({-2 * before})};
    return {values({1 - depth, -before}), values({0, 1})};
  }
};
const Graze grazes[] = {{"floor", dense(Repelled{})}, {"disc", dense(pillar)}};

TEST(ContactEdgeCases, GrazesAreFoundAndMissesAreNot) {
  for (const Graze& graze : grazes)
    for (const double depth : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12})
      for (const double before : {0.55, 0.5001, 0.5, 0.4777, 0.45})
        for (const double h : {0.1, 0.013}) {
          const std::string label = graze.label + ", depth " + std::to_string(-std::log10(depth)) + ", " +
                                    std::to_string(before) + " before, h = " + std::to_string(h);
          const auto steps = std::llround(1 / h);
          const auto hit = run_contact(graze.system, svc(), h, steps, graze.at(depth, before));
          ASSERT_FALSE(hit.failure) << label << ": " << hit.failure->reason;
          EXPECT_GE(hit.impacts + static_cast<std::int64_t>(hit.changes.size()), 1) << label;
          EXPECT_GE(hit.least_gap, -1e-14) << label;
          const auto miss = run_contact(graze.system, svc(), h, steps, graze.at(-depth, before));
          ASSERT_FALSE(miss.failure) << label << ": " << miss.failure->reason;
          EXPECT_EQ(miss.impacts, 0) << label;
          EXPECT_TRUE(miss.changes.empty()) << label;
        }
}

// Discs of radius 1e-3 that meet at ten times a unit of length per step, at every distance of their ways.
TEST(ContactEdgeCases, SmallFastDiscsDoNotFlyThroughEachOther) {
  const double r = 1e-3, h = 0.1;
  const SystemRef system{std::make_shared<BoxOfDiscs>(values({r, r}), values({1, 1}), 10, 10, 0)};
  for (int k = -30; k <= 30; ++k)
    for (const double where : {0.0, 0.0171, 0.31, 0.5, 0.777}) {
      const double apart = 2 * r * (k / 20.0);  // of their ways: up to 1.5 diameters
      const auto run = run_contact(system, svc(), h, 2,
                                   {values({4 + where, 5, 6 + where, 5 + apart}), values({10, 0, -10, 0})});
      ASSERT_FALSE(run.failure) << run.failure->reason;
      if (std::abs(k) != 20) {  // at one diameter they touch or not, by rounding
        EXPECT_EQ(run.impacts, std::abs(k) < 20 ? 1 : 0) << k / 20.0 << " of a diameter, from " << where;
      }
      EXPECT_GE(run.least_gap, -1e-14);
      EXPECT_NEAR(run.high, run.H0, 1e-11);
      EXPECT_NEAR(run.low, run.H0, 1e-11);
      if (k == 0) {
        EXPECT_LT((run.z.p - values({-10, 0, 10, 0})).norm(), 1e-11);
      }
    }
}

// A point that meets its wall exactly where the search looks, and shortly before and after.
struct Straight {
  static constexpr int dim = 1;
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return q;
  }
};
TEST(ContactEdgeCases, AWallThatIsReachedExactlyWhereTheSearchLooksReflects) {
  for (const ImpactLaw& law : {shadow_law(), continuous_energy()})
    for (int k = 0; k <= 32; ++k)
      for (const double off : {0.0, 1e-16, 1e-15, 3e-15, -1e-16, -1e-15, -3e-15}) {
        const double x = k / 16.0 + off;
        const auto r = run_contact(dense(Straight{}), svc(), 1, 3, {values({x}), values({-1})}, {.law = law});
        ASSERT_FALSE(r.failure) << x << ": " << r.failure->reason;
        EXPECT_EQ(r.impacts, 1) << x;
        EXPECT_TRUE(r.changes.empty()) << x;
        EXPECT_NEAR(r.z.q[0], 3 - x, 1e-14) << x;
        EXPECT_NEAR(r.z.p[0], 1, 1e-14) << x;
        EXPECT_GE(r.least_gap, -4e-15) << x;
      }
}

// Straight ways along x over walls that bend within less than a sample of the search.
struct Hump {  // rises from where it starts, then y >= -x (x - a)(x - b): an impact at a, and free again from
               // b on
  static constexpr int dim = 2;
  double a = 0.1, b = 0.2;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1] + q[0] * (q[0] - a) * (q[0] - b));
  }
};
TEST(ContactEdgeCases, ADipRightAfterTheWallIsFound) {
  for (const ImpactLaw& law : {shadow_law(), continuous_energy()}) {
    std::vector<double> times;
    const auto r = run_contact(dense(Hump{}), svc(), 1, 1, {values({0, 0}), values({1, 0})}, {.law = law},
                               [&](double, const Stepped& now) {
                                 for (const auto& impact : now.impacts) times.push_back(impact.t);
                               });
    ASSERT_FALSE(r.failure) << r.failure->reason;
    ASSERT_EQ(times.size(), 1u);
    EXPECT_NEAR(times[0], 0.1, 1e-13);
    EXPECT_GE(r.least_gap, -1e-15);
  }
}

// The gap of the arch is 1 and does not change at both ends of the step, and is -0.2 where the wall is.
struct ArchBeforeWall {
  static constexpr int dim = 2;
  static constexpr std::array gap_names{"arch", "wall"};
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    const S x = q[0] * (1.0 - q[0]);
    return {S(1.0 + q[1] - 19.2 * x * x), S(0.5 - q[0])};
  }
};
TEST(ContactEdgeCases, AContactThatSeemsToStayOpenIsFoundAtTheNextEvent) {
  const double x = 0.5 - std::sqrt(0.25 - std::sqrt(1 / 19.2));  // 1 = 19.2 x² (1 - x)²
  for (const ImpactLaw& law : {shadow_law(), continuous_energy()}) {
    std::vector<Impact> impacts;
    const auto r = run_contact(
        dense(ArchBeforeWall{}), svc(), 1, 1, {values({0, 0}), values({1, 0})}, {.law = law},
        [&](double, const Stepped& now) { impacts.assign(now.impacts.begin(), now.impacts.end()); });
    ASSERT_FALSE(r.failure) << r.failure->reason;
    ASSERT_FALSE(impacts.empty());
    EXPECT_NEAR(impacts[0].t, x, 1e-13);
    EXPECT_EQ(*impacts[0].contacts.begin(), 0);
    EXPECT_GE(r.least_gap, -1e-13);
  }
}

// A wedge of angle a between the x axis and a wall above it: unfolded, a straight line, which crosses a wall
// wherever its polar angle passes a multiple of a.
struct Wedge {
  static constexpr int dim = 2;
  static constexpr std::array gap_names{"floor", "roof"};
  double a = 0.01;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {S(q[1]), S(std::sin(a) * q[0] - std::cos(a) * q[1])};
  }
};
TEST(ContactEdgeCases, AWedgeReflectsAsOftenAsItsAngleSays) {
  for (const double a : {0.9, 0.23, 0.0101}) {
    const double in = 0.1 * a, dive = 0.3;  // polar angle of the start, at distance 1, and its way below -x
    const Values q = values({std::cos(in), std::sin(in)}), p = values({-std::cos(dive), -std::sin(dive)});
    const Values line = q + 3 * p;
    const auto crossings = -static_cast<std::int64_t>(std::floor(std::atan2(line[1], line[0]) / a));
    for (const double h : {3.0, 0.01}) {
      const auto r = run_contact(dense(Wedge{a}), svc(), h, std::llround(3 / h), {q, p});
      ASSERT_FALSE(r.failure) << a << ": " << r.failure->reason;
      EXPECT_EQ(r.impacts, crossings) << a << ", h = " << h;
      EXPECT_NEAR(r.z.p.norm(), 1, 1e-12);
      EXPECT_NEAR(r.z.q.norm(), line.norm(), 1e-9) << "as far as the straight line";
      EXPECT_GE(r.least_gap, -1e-13);
    }
  }
}
TEST(ContactEdgeCases, BouncesWithoutEndAreReported) {
  const double a = 1e-3, in = 0.4 * a;
  const auto r =
      run_contact(dense(Wedge{a}), svc(), 3, 1,
                  {values({std::cos(in), std::sin(in)}), values({-std::cos(0.3), -std::sin(0.3)})});
  ASSERT_TRUE(r.failure);
  EXPECT_NE(r.failure->reason.find("more than 1000 impacts"), std::string::npos) << r.failure->reason;
  EXPECT_EQ(r.failure->contact, "floor\", \"roof");
}

// A channel without width.
struct Channel {
  static constexpr int dim = 1;
  static constexpr std::array gap_names{"left", "right"};
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 1>& q) const {
    return {q[0], -q[0]};
  }
};
TEST(ContactEdgeCases, SqueezingContactsAreRefusedByName) {
  const auto r = run_contact(dense(Channel{}), svc(), 0.1, 10, {values({0}), values({1})});
  ASSERT_TRUE(r.failure);
  EXPECT_NE(r.failure->reason.find("squeeze"), std::string::npos) << r.failure->reason;
  EXPECT_EQ(r.failure->contact, "left\", \"right");
  for (const double e : {0.0, 0.5}) {  // with losses it is stopped
    const auto lossy =
        run_contact(dense(Channel{}), svc(), 0.1, 10, {values({0}), values({1})}, {.restitution = e});
    ASSERT_FALSE(lossy.failure) << lossy.failure->reason;
    EXPECT_EQ(lossy.z.q[0], 0);
    EXPECT_EQ(lossy.z.p[0], 0);
  }
}

// A ball on a floor, driven and damped, against the classical Runge-Kutta method with impacts by halves.
struct PressedBlock {
  static constexpr int dim = 1;
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return 9.8 * q[0];
  }
  template <class S>
  Vector<S, 1> force(const S& t, const Vector<S, 1>&, const Vector<S, 1>& v) const {
    return Vector<S, 1>(3.0 * sin(5.0 * t) - 0.4 * v[0]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return q;
  }
};
Phase driven_reference(double e, double T) {
  using State2 = std::array<double, 2>;
  const auto slope = [](double t, const State2& z) {
    return State2{z[1], -9.8 + 3.0 * std::sin(5.0 * t) - 0.4 * z[1]};
  };
  const auto advance = [&](double t, const State2& z, double h) {
    const auto plus = [](const State2& a, const State2& b, double f) {
      return State2{a[0] + f * b[0], a[1] + f * b[1]};
    };
    const State2 a = slope(t, z), b = slope(t + h / 2, plus(z, a, h / 2)),
                 c = slope(t + h / 2, plus(z, b, h / 2)), d = slope(t + h, plus(z, c, h));
    return State2{z[0] + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]),
                  z[1] + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])};
  };
  State2 z{1, 0};
  double t = 0;
  while (t < T) {
    double h = std::fmin(1e-3, T - t);
    const State2 next = advance(t, z, h);
    if (next[0] >= 0) {
      z = next, t += h;
      continue;
    }
    double open = 0;
    for (int i = 0; i < 60; ++i) (advance(t, z, (open + h) / 2)[0] >= 0 ? open : h) = (open + h) / 2;
    z = advance(t, z, open), t += open;
    z[1] *= -e;
  }
  return {values({z[0]}), values({z[1]})};
}
TEST(ContactEdgeCases, ForcesAreFollowedThroughImpacts) {
  const double T = 2.3;
  for (const double e : {1.0, 0.8}) {
    const Phase exact = driven_reference(e, T);
    for (const ImpactLaw& law : {shadow_law(), continuous_energy()})
      for (const Flow& flow : {svc(), midpoint()}) {
        std::vector<ErrorAt> errors;
        for (const int steps : {57, 81, 115, 163, 230, 325}) {
          const auto r = run_contact(dense(PressedBlock{}), flow, T / steps, steps,
                                     {values({1}), values({0})}, {.law = law, .restitution = e});
          ASSERT_FALSE(r.failure) << r.failure->reason;
          EXPECT_GE(r.impacts, 2);
          errors.push_back({T / steps, (r.z.q - exact.q).norm() + (r.z.p - exact.p).norm()});
        }
        const auto order = observed_order(errors, 1e-11);
        std::printf("driven, e = %g, %s, %s: order %.2f, %.1e .. %.1e\n", e, flow.name.c_str(),
                    law.name.c_str(), order.slope, errors.front().error, errors.back().error);
        EXPECT_NEAR(order.slope, 2, 0.25) << "e = " << e << ", " << flow.name << "\n" << order.table;
      }
  }
}

// A ball that bounces over a floor, in polar coordinates: sideways it flies on, upwards it repeats itself.
struct PolarBall {
  static constexpr int dim = 2;
  template <class S>
  Eigen::Matrix<S, 2, 2> mass(const Vector<S, 2>& q) const {
    Eigen::Matrix<S, 2, 2> M;
    M << S(1.0), S(0.0), S(0.0), q[0] * q[0];
    return M;
  }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.8 * q[0] * sin(q[1]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0] * sin(q[1]) - 1.0);
  }
};
TEST(ContactEdgeCases, AMassThatDependsOnQ) {
  const double height = 0.7, sideways = 0.4, x0 = -0.5, T = 2.1;
  const double fall = std::sqrt(2 * height / 9.8), phase = std::remainder(T, 2 * fall);
  const double x = x0 + sideways * T, y = 1 + height - 4.9 * phase * phase;
  const double r0 = std::hypot(x0, 1 + height);
  const Phase start{values({r0, std::atan2(1 + height, x0)}),
                    values({sideways * x0 / r0, -sideways * (1 + height)})};
  for (const Flow& flow : {svc(), midpoint()}) {
    std::vector<ErrorAt> errors;
    for (const int steps : {101, 143, 203, 287, 405}) {
      const auto r = run_contact(dense(PolarBall{}), flow, T / steps, steps, start);
      ASSERT_FALSE(r.failure) << r.failure->reason;
      EXPECT_EQ(r.impacts, 3);
      EXPECT_GE(r.least_gap, -1e-14);
      errors.push_back(
          {T / steps, std::hypot(r.z.q[0] * std::cos(r.z.q[1]) - x, r.z.q[0] * std::sin(r.z.q[1]) - y)});
    }
    const auto order = observed_order(errors, 1e-11);
    std::printf("polar, %s: order %.2f, %.1e .. %.1e\n", flow.name.c_str(), order.slope, errors.front().error,
                errors.back().error);
    EXPECT_NEAR(order.slope, 2, 0.25) << flow.name << "\n" << order.table;
  }
}

// Pulled towards x = 0, where the potential ends; the wall is shortly before.
struct Well {
  static constexpr int dim = 1;
  double wall = 0.05;
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return log(q[0]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return Vector<S, 1>(q[0] - wall);
  }
};
TEST(ContactEdgeCases, APotentialThatEndsBehindTheWall) {
  for (const Flow& flow : {svc(), midpoint()})
    for (const auto& [wall, h] : {std::pair{0.05, 0.01}, {0.2, 0.1}, {0.1, 0.05}}) {
      const auto r =
          run_contact(dense(Well{wall}), flow, h, std::llround(100 / h), {values({1}), values({0})});
      ASSERT_FALSE(r.failure) << flow.name << ", h = " << h << ": " << r.failure->reason;
      std::printf("well, %s, wall %g, h = %g: %lld impacts, energy %.3f .. %.3f, gap %.1e\n",
                  flow.name.c_str(), wall, h, static_cast<long long>(r.impacts), r.low, r.high, r.least_gap);
      EXPECT_GE(r.least_gap, -1e-15);
      EXPECT_GT(r.impacts, 20);
      EXPECT_LT(r.high - r.low, 0.1) << flow.name << ", h = " << h;  // of a fall of -log(wall) > 1.6
    }
}

// The three substeps that make a fraction of a step, for fractions as small as an event search tries.
TEST(ContactEdgeCases, FractionsOfAStepAreFound) {
  for (const int order : {1, 2, 4, 6, 8})
    for (int k = -64; k < 0; ++k) {
      const double alpha = std::pow(10, k / 4.0), b = outer_fraction(alpha, order);
      const double sum = std::pow(alpha + 2 * b, order + 1) + 2 * std::pow(-b, order + 1);
      EXPECT_NEAR(sum, alpha, 1e-12 * alpha) << "order " << order << ", fraction " << alpha;
      EXPECT_GT(b, 0);
      EXPECT_LT(b, 1) << "order " << order << ", fraction " << alpha;
    }
}

// What the stepper is not made for is refused where it is made.
TEST(ContactEdgeCases, RefusesWhatItCannotDo) {
  const auto system = dense(Repelled{});
  EXPECT_THROW(ContactStepper(system, SteadyFlow(gauss(2), 0.1), {}), InvalidInput);
  EXPECT_THROW(ContactStepper(system, SteadyFlow(svc(), -0.1), {}), InvalidInput);
  for (const int order : {0, 3, 18})
    EXPECT_THROW(ContactStepper(system, SteadyFlow(svc(), 0.1), {.law = shadow_law(order)}), InvalidInput);
  for (const double e : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(ContactStepper(system, SteadyFlow(svc(), 0.1), {.restitution = e}), InvalidInput);
  EXPECT_NO_THROW(ContactStepper(system, SteadyFlow(make_flow("kahan-li6"), 0.1), {.law = shadow_law(16)}));
}

}  // namespace
}  // namespace carom::test
