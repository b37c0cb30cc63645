// Where event-driven steppers go wrong: grazes, starts on the wall, impacts on grid points, accumulating
// impacts, several walls at once, walls before a singularity.
#include <numbers>

#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/particle.hpp"
#include "carom/systems/point_mass.hpp"
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

Phase on_line(double q, double p) { return {Values::Constant(1, q), Values::Constant(1, p)}; }
Phase in_plane(const Vector<double, 2>& q, const Vector<double, 2>& p) { return {q, p}; }

LawCase plain_law(double h) { return {"continuous-energy", SteadyFlow(svc(), h), continuous_energy()}; }

const auto point_mass = as_system(PointMass{}), weightless = as_system(PointMass{.m = 1, .g = 0});

// Of a point mass with m = g = 1 the discrete energy over tau is H - tau²/8: that is what discrete-energy
// keeps, so that H changes by the difference between the parts before and after the impact. The other laws
// keep H.
double jump_of_H(const LawCase& c, double before, double after) {
  return c.law.at == ImpactLaw::At::leg ? (after * after - before * before) / 8 : 0;
}

// A point mass whose weight points away from the floor, on the parabola whose lowest point is `depth` below
// it at time `bottom`. Every flow of order 2 follows a parabola exactly.
const auto rising = as_system(PointMass{.m = 1, .g = -1});
std::size_t impacts_of_dip(const LawCase& c, double depth, double bottom) {
  const auto r = run_from(on_line(0.5 * bottom * bottom - depth, -bottom), rising, c, {}, 5);
  EXPECT_FALSE(r.ended.failure) << c.label << ", depth " << depth << ", bottom at " << bottom << ": "
                                << r.failure();
  return r.seen.size();
}
std::vector<double> phases() {
  std::vector<double> r;
  for (int k = 0; k < 20; ++k) r.push_back((k + 0.5) / 20);
  return r;
}
TEST(Graze, EveryDipIsFound) {
  const double h = 0.1;
  for (const auto& c : all_laws(rising, h))
    for (double depth = 1e-2; depth > 5e-13; depth *= 1e-2)
      for (const double phase : phases())
        EXPECT_EQ(impacts_of_dip(c, depth, (2 + phase) * h), 1u)
            << c.label << ", depth " << depth << ", phase " << phase;
}
TEST(Graze, AMissIsNone) {
  const double h = 0.1;
  for (const auto& c : all_laws(rising, h))
    for (const double phase : phases())
      EXPECT_EQ(impacts_of_dip(c, -1e-12, (2 + phase) * h), 0u) << c.label << ", phase " << phase;
}
// The search samples a step at its quarters: a dip next to a sample must not hide behind it, nor a miss
// become one.
std::vector<double> phases_next_to_samples() {
  std::vector<double> r;
  for (const double sample : {0.0, 0.25, 0.5, 0.75, 1.0})
    for (const double away : {0.0, 1e-6, 1e-5, 3e-5, 1e-4, 1e-3})
      for (const double sign : {-1.0, 1.0}) r.push_back(sample + sign * away);
  return r;
}
TEST(Graze, NextToASample) {
  const double h = 0.1;
  const auto c = plain_law(h);
  for (const double phase : phases_next_to_samples()) {
    for (double depth = 1e-2; depth > 5e-13; depth *= 1e-2)
      EXPECT_EQ(impacts_of_dip(c, depth, (2 + phase) * h), 1u) << "depth " << depth << ", phase " << phase;
    EXPECT_EQ(impacts_of_dip(c, -1e-12, (2 + phase) * h), 0u) << "a miss, phase " << phase;
  }
}

TEST(StartOnTheWall, MovingIn) {
  const auto& system = point_mass;
  for (const auto& c : all_laws(system, 0.1)) {
    const auto r = run_from(on_line(0, -1), system, c, {}, 5);
    ASSERT_FALSE(r.ended.failure) << c.label << ": " << r.ended.failure->reason;
    ASSERT_EQ(r.seen.size(), 1u) << c.label;
    EXPECT_EQ(r.seen[0].impact.t, 0) << c.label;
    EXPECT_EQ(r.fallbacks, 0) << c.label;
    EXPECT_NEAR(hamiltonian(system, r.ended.z), 0.5 + jump_of_H(c, 0, 0.1), 1e-12) << c.label;
  }
}
TEST(StartOnTheWall, MovingOut) {
  const auto& system = point_mass;
  for (const auto& c : all_laws(system, 0.1)) {
    const auto r = run_from(on_line(0, 1), system, c, {}, 30);  // comes back at t = 2
    ASSERT_FALSE(r.ended.failure) << c.label;
    ASSERT_EQ(r.seen.size(), 1u) << c.label;
    EXPECT_NEAR(r.seen[0].impact.t, 2, 1e-12) << c.label;
  }
}
TEST(StartOnTheWall, AtRestAndPressedIsNamed) {
  const auto& system = point_mass;
  for (const auto& c : all_laws(system, 0.1)) {
    const auto r = run_from(on_line(0, 0), system, c, {}, 5);
    ASSERT_TRUE(r.ended.failure) << c.label;
    EXPECT_NE(r.ended.failure->reason.find("stays closed"), std::string::npos) << r.ended.failure->reason;
    EXPECT_EQ(r.ended.failure->contact, "floor");
    EXPECT_EQ(r.ended.steps, 0);
  }
}
TEST(StartOnTheWall, AtRestAndUnpressedStays) {
  const auto& system = weightless;
  for (const auto& c : all_laws(system, 0.1)) {
    const auto r = run_from(on_line(0, 0), system, c, {}, 5);
    EXPECT_FALSE(r.ended.failure) << c.label;
    EXPECT_TRUE(r.seen.empty()) << c.label;
    EXPECT_EQ(r.ended.z.q[0], 0);
    EXPECT_EQ(r.ended.z.p[0], 0);
  }
}

// Dropped so that it lands at t = 5 h: to the last bit for h = 1/8, to rounding for h = 0.1, and one ulp to
// each side.
TEST(OnTheGrid, AnImpactWithinRoundingOfAGridPointHappensOnce) {
  const auto& system = point_mass;
  for (const double h : {0.125, 0.1})
    for (const auto& c : all_laws(system, h))
      for (const double side : {-1.0, 0.0, 1.0}) {
        const double exact = 0.5 * (5 * h) * (5 * h),
                     height = side == 0 ? exact : std::nextafter(exact, side * HUGE_VAL);
        const auto r = run_from(on_line(height, 0), system, c, {}, 9);
        const std::string label = c.label + ", h = " + std::to_string(h) + ", side " + std::to_string(side);
        ASSERT_FALSE(r.ended.failure) << label << ": " << r.ended.failure->reason;
        ASSERT_EQ(r.seen.size(), 1u) << label;
        EXPECT_NEAR(r.seen[0].impact.t, 5 * h, 1e-15) << label;
        const bool at_end = r.seen[0].t_node < 4.5 * h;  // of the step before, or at the start of the next
        const double jump = at_end ? jump_of_H(c, h, 0) : jump_of_H(c, 0, h);
        EXPECT_NEAR(hamiltonian(system, r.ended.z), height + jump, 1e-13) << label;
      }
}

// Likewise for the quarters of a step, where the search samples the motion.
TEST(OnTheGrid, AnImpactNextToASampleOfTheSearchHappensOnce) {
  const auto& system = weightless;
  const double h = 0.125;
  for (const auto& c : all_laws(system, h))
    for (int quarter = 4; quarter <= 8; ++quarter)
      for (const double off : {0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-11, -1e-11, 1e-9, -1e-9}) {
        const auto r = run_from(on_line(quarter * h / 4 + off, -1), system, c, {}, 4);
        const std::string label =
            c.label + ", quarter " + std::to_string(quarter) + ", off " + std::to_string(off * 1e16) + "e-16";
        ASSERT_FALSE(r.ended.failure) << label << ": " << r.ended.failure->reason;
        ASSERT_EQ(r.seen.size(), 1u) << label;
        EXPECT_NEAR(r.ended.z.q[0], 4 * h - (quarter * h / 4 + off), 2e-10)
            << label;  // contacts are closed within 1e-10
      }
}

// The times are a geometric series; with discrete-energy only roughly, as above.
TEST(Accumulation, ZenoEndsWithAName) {
  const auto& system = point_mass;
  const double e = 0.5;
  for (const auto& c : all_laws(system, 0.05)) {
    const auto r = run_from(on_line(1, 0), system, c, {.restitution = e}, 1000);
    ASSERT_TRUE(r.ended.failure) << c.label;
    EXPECT_EQ(r.ended.failure->contact, "floor") << c.label;
    ASSERT_GE(r.seen.size(), 10u) << c.label;
    EXPECT_LE(r.seen.size(), 200u) << c.label;
    double t = std::sqrt(2.0), flight = 2 * e * std::sqrt(2.0);
    for (std::size_t k = 0; k < r.seen.size(); ++k, t += flight, flight *= e)
      EXPECT_NEAR(r.seen[k].impact.t, t, c.law.at == ImpactLaw::At::leg ? 0.02 : 1e-9)
          << c.label << ", impact " << k;
  }
}

// Without weight, what hits with e = 0 slides along the floor; with a weight that lifts it, it leaves again.
TEST(Plastic, SlidesWhereNothingPresses) {
  const auto system = as_system(Particle{.m = 1, .g = 0});
  for (const auto& c : all_laws(system, 0.1)) {
    const auto r = run_from(in_plane({0, 0.25}, {1, -1}), system, c, {.restitution = 0}, 20);
    ASSERT_FALSE(r.ended.failure) << c.label << ": " << r.ended.failure->reason;
    EXPECT_EQ(r.seen.size(), 1u) << c.label;
    EXPECT_NEAR(r.ended.z.q[1], 0, 1e-13) << c.label;
    EXPECT_NEAR(r.ended.z.p[1], 0, 1e-13) << c.label;
    EXPECT_NEAR(r.ended.z.q[0], 2, 1e-12) << c.label;
  }
}
TEST(Plastic, LeavesWhereTheForceLifts) {
  const auto system = as_system(Particle{.m = 1, .g = -1});
  for (const auto& c : all_laws(system, 0.1)) {
    const auto r = run_from(in_plane({0, 0.25}, {1, -1}), system, c, {.restitution = 0}, 20);
    ASSERT_FALSE(r.ended.failure) << c.label << ": " << r.ended.failure->reason;
    ASSERT_EQ(r.seen.size(), 1u) << c.label;
    const double flight = 2 - r.seen[0].impact.t;
    EXPECT_NEAR(r.ended.z.q[1], 0.5 * flight * flight, 1e-11) << c.label;
  }
}

// A floor does not become blurred because an angle has turned 1592 times.
TEST(ManyTurns, AnAngleDoesNotBlurAFloor) {
  const auto [name, system, start] = system_case("cart-pendulum", CartPendulum{});
  for (const auto& law : {continuous_energy(), discrete_energy(), shadow_law(8)}) {
    const LawCase c{law.name, SteadyFlow(svc(), 0.02), law};
    Phase turned = start;
    turned.q[1] += 1592 * 2 * std::numbers::pi;
    const auto a = run_from(start, system, c, {}, 200), b = run_from(turned, system, c, {}, 200);
    ASSERT_FALSE(b.ended.failure) << c.label;
    ASSERT_GE(a.seen.size(), 2u);
    ASSERT_EQ(a.seen.size(), b.seen.size()) << c.label;
    for (std::size_t k = 0; k < b.seen.size(); ++k) {
      EXPECT_NEAR(b.seen[k].impact.q[0], 0, 1e-13) << c.label;
      EXPECT_NEAR(b.seen[k].impact.t, a.seen[k].impact.t, 1e-9)
          << c.label;  // 1e4 times rounding, amplified by the motion
    }
  }
}

}  // namespace
}  // namespace carom::test
