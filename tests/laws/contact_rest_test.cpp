// Contacts that last: bounces that die out at the right time, stacks and corners that come to rest and stay
// there, sliding along curved walls and leaving them where the forces say so.
#include <gtest/gtest.h>

#include "support/contact_runs.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

constexpr double gravity = 9.8;

struct Ball {
  static constexpr int dim = 1;
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return gravity * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return q;
  }
};

// From height 1 the bounces take √(2/g) (1 + e)/(1 - e) in all.
TEST(ContactRest, ABallSettlesAtTheRightTime) {
  for (const double e : {0.5, 0.9})
    for (const double h : {0.01, 0.1})
      for (const Flow& flow : {svc(), midpoint(), make_flow("yoshida4", {.base = "svc"})}) {
        const double exact = std::sqrt(2 / gravity) * (1 + e) / (1 - e);
        Phase rest;
        const auto r = run_contact(dense(Ball{}), flow, h, std::llround(12 / h), {values({1}), values({0})},
                                   {.restitution = e}, [&](double t, const Stepped& now) {
                                     if (t > exact + h && rest.q.size() == 0) rest = now.step.z;
                                   });
        ASSERT_FALSE(r.failure) << r.failure->reason;
        ASSERT_EQ(r.changes.size(), 1u) << "e = " << e << ", h = " << h;
        EXPECT_TRUE(r.changes[0].begins);
        EXPECT_NEAR(r.changes[0].settled, exact, 1e-9) << "e = " << e << ", h = " << h << ", " << flow.name;
        EXPECT_LE(r.changes[0].t, r.changes[0].settled);
        EXPECT_EQ(r.z.p[0], 0);
        EXPECT_EQ(r.z.q, rest.q);
        EXPECT_NEAR(r.z.q[0], 0, 1e-15);
        EXPECT_GE(r.least_gap, -1e-15);
      }
}
TEST(ContactRest, WithoutRestitutionItStaysAtOnce) {
  const double h = 0.01, exact = std::sqrt(2 / gravity);
  const auto r = run_contact(dense(Ball{}), svc(), h, 200, {values({1}), values({0})}, {.restitution = 0});
  ASSERT_FALSE(r.failure) << r.failure->reason;
  EXPECT_EQ(r.impacts, 1);
  ASSERT_EQ(r.changes.size(), 1u);
  EXPECT_NEAR(r.changes[0].t, exact, 1e-13);
  EXPECT_EQ(r.changes[0].settled, r.changes[0].t);
  EXPECT_EQ(r.z.p[0], 0);
  EXPECT_NEAR(r.z.q[0], 0, 1e-15);
}

TEST(ContactRest, DroppedStacksComeToRest) {
  for (const int n : {3, 5})
    for (const double e : {0.0, 0.5, 0.9}) {
      const BallColumn column(n);
      Values q = column.rest();
      for (int i = 0; i < n; ++i) q[i] += 0.3 + 0.1 * i;
      const double h = 0.01;
      const auto r =
          run_contact({std::make_shared<BallColumn>(column)}, svc(), h, std::llround((e > 0.8 ? 40 : 10) / h),
                      {q, Values::Zero(n)}, {.restitution = e});
      ASSERT_FALSE(r.failure) << n << " balls, e = " << e << ": " << r.failure->reason;
      EXPECT_EQ(r.z.p, Values(Values::Zero(n))) << n << " balls, e = " << e;
      EXPECT_LE((r.z.q - column.rest()).lpNorm<Eigen::Infinity>(), 1e-13) << n << " balls, e = " << e;
      EXPECT_GE(r.least_gap, -1e-13);
      EXPECT_LE(r.high, r.H0 * (1 + 1e-14));
    }
}

TEST(ContactRest, AStackAtRestStaysBitForBit) {
  for (const double e : {0.0, 0.5, 1.0})
    for (const Flow& flow : {svc(), midpoint()}) {
      const BallColumn column(5);
      const auto r = run_contact({std::make_shared<BallColumn>(column)}, flow, 0.01, 10000,
                                 {column.rest(), Values::Zero(5)}, {.restitution = e});
      ASSERT_FALSE(r.failure) << r.failure->reason;
      EXPECT_EQ(r.z.q, column.rest()) << flow.name;
      EXPECT_EQ(r.z.p, Values(Values::Zero(5))) << flow.name;
      EXPECT_EQ(r.impacts, 0);
      EXPECT_EQ(r.changes.size(), 5u);
    }
}

// Thrown into a corner in the origin, where nothing but its own rounding is left to be relative to.
struct Notch {
  static constexpr int dim = 2;
  double place = 0;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d{{1, 8.17}, {8.17, 99.392}}; }
  template <class S>
  S potential(const Vector<S, 2>&) const {
    return S(0);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {0.815 * (q[1] - place) + 0.579 * (q[0] - place), 0.436 * (q[1] - place) - 0.9 * (q[0] - place)};
  }
};
TEST(ContactRest, ABodyRestsInACornerWithoutForces) {
  for (const double place : {0.0, 3.0})
    for (const Flow& flow : {svc(), midpoint(), yoshida4(svc())}) {
      const auto system = dense(Notch{place});
      const auto r =
          run_contact(system, flow, 0.01, 200, {values({place - 0.18, place + 0.5}), values({-7.81, -96.45})},
                      {.restitution = 0});
      ASSERT_FALSE(r.failure) << place << ", " << flow.name << ": " << r.failure->reason;
      EXPECT_LT(r.z.p.norm(), 1e-13);
      EXPECT_LT((r.z.q.array() - place).matrix().norm(), 1e-14);
    }
}

// Two walls at right angles, leaning by less and by more.
struct Corner {
  static constexpr int dim = 2;
  double lean = 0.6435;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * q[1];
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {std::cos(lean) * q[1] - std::sin(lean) * q[0], std::sin(lean) * q[1] + std::cos(lean) * q[0]};
  }
};
TEST(ContactRest, ABodyRestsOnTwoWalls) {
  for (const double lean : {0.2, 0.6435, 1.3})
    for (const double e : {0.0, 0.5, 0.9}) {
      const auto system = dense(Corner{lean});
      const auto r =
          run_contact(system, svc(), 0.01, 4000, {values({0.01, 1}), values({0, 0})}, {.restitution = e});
      ASSERT_FALSE(r.failure) << "lean " << lean << ", e = " << e << ": " << r.failure->reason;
      EXPECT_LE(r.z.q.norm(), 1e-13) << "lean " << lean << ", e = " << e;
      EXPECT_LE(r.z.p.norm(), 1e-13) << "lean " << lean << ", e = " << e;
      EXPECT_GE(r.least_gap, -1e-14);
      const auto stays = run_contact(system, svc(), 0.01, 1000, {values({0, 0}), values({0, 0})});
      EXPECT_LE(stays.z.q.norm(), 1e-17) << "lean " << lean;
      EXPECT_LE(stays.z.p.norm(), 1e-17) << "lean " << lean;
    }
}

// From the top of a disc with speed v0: release at cos a = 2/3 + v0²/(3 g R), then a parabola.
struct SlideOff {
  Disc disc;
  double v0 = 0.5, end = 1.2;

  double turning(double a) const {  // by the energy
    return std::sqrt(v0 * v0 + 2 * disc.g * disc.R * (1 - std::cos(a))) / disc.R;
  }
  double height() const { return disc.R * (2.0 / 3 + v0 * v0 / (3 * disc.g * disc.R)); }
  double release() const {  // ∫ da / a' by Simpson's rule
    constexpr int n = 20000;
    const double width = std::acos(height() / disc.R) / n;
    double sum = 1 / turning(0) + 1 / turning(n * width);
    for (int i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) / turning(i * width);
    return sum * width / 3;
  }
  Phase at_end() const {
    const double cosine = height() / disc.R, sine = std::sqrt(1 - cosine * cosine);
    const double v = disc.R * turning(std::acos(cosine)), s = end - release();
    return {
        disc.R * values({sine, cosine}) + s * v * values({cosine, -sine}) + values({0, -disc.g * s * s / 2}),
        disc.m * values({v * cosine, -v * sine - disc.g * s})};
  }
};
TEST(ContactRest, LeavesADiscInTheOrderOfTheFlow) {
  const SlideOff exact;
  const Phase end = exact.at_end();
  for (const Flow& flow : {svc(), midpoint(), make_flow("yoshida4", {.base = "svc"})}) {
    std::vector<ErrorAt> times, states, heights;
    const bool fourth = flow.order == 4;
    for (const int steps : fourth ? std::array{22, 31, 43, 61, 87} : std::array{61, 87, 122, 173, 245}) {
      const double h = exact.end / steps;
      const auto r = run_contact(dense(exact.disc), flow, h, steps,
                                 {values({0, exact.disc.R}), values({exact.disc.m * exact.v0, 0})});
      ASSERT_FALSE(r.failure) << r.failure->reason;
      EXPECT_EQ(r.impacts, 0);
      EXPECT_GE(r.least_gap, -1e-14);
      ASSERT_EQ(r.changes.size(), 2u);
      EXPECT_TRUE(r.changes[0].begins && !r.changes[1].begins);
      const double left = r.changes[1].t, s = exact.end - left;
      const double height = r.z.q[1] - s * r.z.p[1] / exact.disc.m - exact.disc.g * s * s / 2;
      times.push_back({h, std::abs(left - exact.release())});
      heights.push_back({h, std::abs(height - exact.height())});
      states.push_back({h, (r.z.q - end.q).norm() + (r.z.p - end.p).norm()});
    }
    for (const auto& [what, errors] :
         {std::pair{"release time", &times}, {"height", &heights}, {"end", &states}}) {
      const auto order = observed_order(*errors, 1e-8);  // forces are clear to 1e-9, and so is the release
      EXPECT_NEAR(order.slope, flow.order, 0.2) << flow.name << ", " << what << "\n" << order.table;
    }
  }
}

// A floor that turns smoothly into a ramp y = x²/2, as one wall or as two of which one is the floor: it is
// met tangentially, climbed, and left for the floor again.
template <int Walls>
struct Ramp {
  static constexpr int dim = 2;
  static constexpr std::array<const char*, 2> gap_names{"ramp", "floor"};
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * q[1];
  }
  template <class S>
  Vector<S, Walls> gaps(const Vector<S, 2>& q) const {
    Vector<S, Walls> r = Vector<S, Walls>::Constant(q[1]);
    if (q[0] > 0) r[0] = q[1] - 0.5 * q[0] * q[0];
    return r;
  }
};
void expect_sliding(const SystemRef& system, double start) {
  double off = 0, highest = 0;
  const auto r = run_contact(system, svc(), 0.01, 200, {values({start, 0}), values({2, 0})}, {},
                             [&](double, const Stepped& now) {
                               off = std::fmax(off, std::abs(gaps(system, now.step.z.q).minCoeff()));
                               highest = std::fmax(highest, now.step.z.q[1]);
                             });
  ASSERT_FALSE(r.failure) << "from " << start << ", step " << r.steps << ": " << r.failure->reason;
  EXPECT_LE(off, 1e-13) << start;
  EXPECT_NEAR(highest, 2 / gravity, 1e-3) << start;  // v²/2g
  EXPECT_EQ(r.impacts, 0) << start;
  EXPECT_NEAR(r.high, r.low, 1e-3 * r.H0) << start;
  EXPECT_LT(r.z.q[0], 0) << start << ": not back on the floor";
  EXPECT_NEAR(r.z.p[0], -2, 1e-3) << start;
}
TEST(ContactRest, ATangentialApproachSlides) {
  for (const double start : {-1.0, -1.003, -0.9971}) expect_sliding(dense(Ramp<1>{}), start);
  // Two walls that are one up to a point and part there, in a grid point and inside of a step.
  for (const double start : {-1.0, -1.003}) expect_sliding(dense(Ramp<2>{}), start);
}

// A billiard in a circle whose start slides along the wall.
TEST(ContactRest, SlidesAroundACircle) {
  const auto system = dense(Disc{.g = 0, .inside = true});
  for (const Flow& flow : {svc(), midpoint(), make_flow("yoshida4", {.base = "svc"}), make_flow("kahan-li6")})
    for (const double h : {0.01, 0.2}) {
      double off = 0;
      const Phase start{values({0.6, -0.8}), values({1.6, 1.2})};
      const auto r = run_contact(system, flow, h, 5000, start, {}, [&](double, const Stepped& now) {
        off = std::fmax(off, std::abs(gaps(system, now.step.z.q)[0]));
      });
      ASSERT_FALSE(r.failure) << flow.name << ", h = " << h << ": " << r.failure->reason;
      EXPECT_LE(off, 1e-13) << flow.name << ", h = " << h;
      EXPECT_NEAR(r.z.p.norm(), 2, 1e-12) << flow.name << ", h = " << h;
      EXPECT_EQ(r.impacts, 0);
      ASSERT_EQ(r.changes.size(), 1u);
      EXPECT_TRUE(r.changes[0].begins);
    }
}

}  // namespace
}  // namespace carom::test
