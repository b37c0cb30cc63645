// The law suite of impacts (DESIGN, section 8): over every impact law and every built-in system, an impact
// happens on the wall, keeps tangential and Noether's momenta and the law's own energy, and leaves with a gap
// rate >= 0.
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

template <class Sys>
class ImpactLaws : public testing::Test {};
using BuiltIn =
    testing::Types<PointMass, Particle, Star, DoublePendulum, CartPendulum, Billiard, SpringBilliard>;
TYPED_TEST_SUITE(ImpactLaws, BuiltIn);

TYPED_TEST(ImpactLaws, ImpactsAreOnTheWallAndKeepTheTangentialMomentum) {
  const auto system = example<TypeParam>();
  for (const auto& c : all_laws(system))
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(system, c, e, e == 1 ? 5 : 2);
      ASSERT_GE(r.seen.size(), e == 1  ? 5u
                               : e > 0 ? 2u
                                       : 1u)
          << label << (r.ended.failure ? ": " + r.ended.failure->reason : "");
      for (std::size_t k = 0; k < std::min<std::size_t>(r.seen.size(), e == 0 ? 1 : 5); ++k)
        expect_geometry(system, r.seen[k], e, label);
      EXPECT_EQ(r.fallbacks, 0) << label;
      if (e > 0) {
        EXPECT_FALSE(r.ended.failure) << label;
      }
    }
}

TYPED_TEST(ImpactLaws, TheLawKeepsItsOwnEnergy) {
  const auto system = example<TypeParam>();
  for (const auto& c : all_laws(system)) {
    const auto start = validated_state(system, system.start());
    const double anchor = c.law.anchored ? c.law.before(0, start) : 0;
    for (const auto& s : run(system, c, 1, 5).seen) {
      if (c.law.where != MeasuredAt::impact && s.in_its_step > 1) continue;  // two_impacts_test.cpp
      const auto [before, after] = own_energies(system, c, s, anchor);
      EXPECT_NEAR(after, before, 1e-12 * (1 + std::abs(before))) << c.label << ", t = " << s.impact.t;
    }
  }
}

// With a quadratic kinetic energy, E(s) - E(s*) = e² (E- - E(s*)) is Newton's law of restitution.
TYPED_TEST(ImpactLaws, ContinuousEnergyGivesNewtonsRestitution) {
  const auto system = example<TypeParam>();
  for (const auto& c : all_laws(system)) {
    if (c.law.name != "continuous-energy") continue;
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const auto r = run(system, c, e, 2);
      ASSERT_FALSE(r.seen.empty());
      const auto& impact = r.seen.front().impact;
      const double before = rate_of(system, impact, impact.p_before);
      EXPECT_NEAR(impact.rate_after, -e * before, 1e-12 * (1 + std::abs(before))) << c.label << ", e = " << e;
    }
  }
}

TYPED_TEST(ImpactLaws, TheSameRunTwiceIsTheSameToTheLastBit) {
  const auto system = example<TypeParam>();
  for (const auto& c : all_laws(system)) {
    const auto a = run(system, c, 1, 3), b = run(system, c, 1, 3);
    EXPECT_EQ(a.ended.t, b.ended.t) << c.label;
    EXPECT_EQ(a.ended.z.q, b.ended.z.q) << c.label;
    EXPECT_EQ(a.ended.z.p, b.ended.z.p) << c.label;
    ASSERT_EQ(a.seen.size(), b.seen.size()) << c.label;
    for (std::size_t k = 0; k < a.seen.size(); ++k)
      EXPECT_EQ(a.seen[k].impact.t, b.seen[k].impact.t) << c.label;
  }
}

}  // namespace
}  // namespace carom::test
