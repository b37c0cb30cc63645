// The law suite of impacts (DESIGN, section 8): over every impact law and every built-in system, an impact
// happens on the wall, keeps tangential and Noether's momenta and the law's own energy, and leaves with a gap
// rate >= 0.
#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "carom/systems/particle.hpp"
#include "carom/systems/point_mass.hpp"
#include "carom/systems/star.hpp"
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

class ImpactLaws : public testing::TestWithParam<SystemCase> {};

TEST_P(ImpactLaws, ImpactsAreOnTheWallAndKeepTheTangentialMomentum) {
  for (const auto& c : all_laws(GetParam().system))
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(GetParam(), c, e, e == 1 ? 5 : 2);
      ASSERT_GE(r.seen.size(), e == 1 ? 5u : e > 0 ? 2u : 1u) << label << r.failure();
      for (std::size_t k = 0; k < std::min<std::size_t>(r.seen.size(), e == 0 ? 1 : 5); ++k)
        expect_geometry(GetParam().system, r.seen[k], e, label);
      EXPECT_EQ(r.fallbacks, 0) << label;
      if (e > 0) {
        EXPECT_FALSE(r.ended.failure) << label << r.failure();
      }
    }
}

TEST_P(ImpactLaws, TheLawKeepsItsOwnEnergy) {
  const auto& [name, system, start] = GetParam();
  for (const auto& c : all_laws(system)) {
    const double anchor = c.law.anchored ? energy_at_node(system, c, c.law.before, 0, start) : 0;
    for (const auto& s : run(GetParam(), c, 1, 5).seen) {
      if (c.law.at != ImpactLaw::At::impact && s.in_its_step > 1) continue;  // two_impacts_test.cpp
      const auto [before, after] = own_energies(system, c, s, anchor);
      EXPECT_NEAR(after, before, 1e-12 * (1 + std::abs(before))) << c.label << ", t = " << s.impact.t;
    }
  }
}

// With a quadratic kinetic energy, E(s) - E(s*) = e² (E- - E(s*)) is Newton's law of restitution.
TEST_P(ImpactLaws, ContinuousEnergyGivesNewtonsRestitution) {
  for (const auto& c : all_laws(GetParam().system)) {
    if (c.law.name != "continuous-energy") continue;
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const auto r = run(GetParam(), c, e, 2);
      ASSERT_FALSE(r.seen.empty());
      const auto& impact = r.seen.front().impact;
      const double before = rate_of(*GetParam().system, impact, impact.p_before);
      EXPECT_NEAR(impact.rate_after, -e * before, 1e-12 * (1 + std::abs(before))) << c.label << ", e = " << e;
    }
  }
}

TEST_P(ImpactLaws, TheSameRunTwiceIsTheSameToTheLastBit) {
  for (const auto& c : all_laws(GetParam().system)) {
    const auto a = run(GetParam(), c, 1, 3), b = run(GetParam(), c, 1, 3);
    EXPECT_EQ(a.ended.t, b.ended.t) << c.label;
    EXPECT_EQ(a.ended.z.q, b.ended.z.q) << c.label;
    EXPECT_EQ(a.ended.z.p, b.ended.z.p) << c.label;
    ASSERT_EQ(a.seen.size(), b.seen.size()) << c.label;
    for (std::size_t k = 0; k < a.seen.size(); ++k)
      EXPECT_EQ(a.seen[k].impact.t, b.seen[k].impact.t) << c.label;
  }
}

INSTANTIATE_TEST_SUITE_P(
    BuiltIn, ImpactLaws,
    testing::Values(system_case("PointMass", PointMass{}), system_case("Particle", Particle{}),
                    system_case("Star", Star{.kappa = 0.1}), system_case("DoublePendulum", DoublePendulum{}),
                    system_case("CartPendulum", CartPendulum{}), system_case("Billiard", Billiard{}),
                    system_case("SpringBilliard", spring_billiard(), start_in_spring_billiard())),
    [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace carom::test
