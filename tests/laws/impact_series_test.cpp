// The law suite of impacts for the modified energy as a series, on the cart-pendulum.
#include "carom/systems/cart_pendulum.hpp"
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

const auto cart = system_case("cart-pendulum", CartPendulum{});

std::vector<LawCase> series_laws() {
  const SteadyFlow flow(svc(), impact_h);
  const auto modified = ModifiedHamiltonian::of_flow(over_nilpotents(cart.system), svc(), impact_h, 3);
  return {{"gauss", flow, modified_energy(modified)}, {"plain", flow, modified_energy(modified, true)}};
}

TEST(ImpactSeries, ThreeTermsOnSvcObeyTheLawsOfImpacts) {
  for (const auto& c : series_laws())
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(cart, c, e, 2);
      ASSERT_GE(r.seen.size(), e > 0 ? 2u : 1u) << label;
      EXPECT_EQ(r.fallbacks, 0) << label;
      for (std::size_t k = 0; k < (e > 0 ? 2 : 1); ++k) expect_geometry(cart.system, r.seen[k], e, label);
      if (e < 1) continue;
      for (const auto& s : r.seen) {
        const auto [before, after] = own_energies(cart.system, c, s, 0);
        EXPECT_NEAR(after, before, 1e-12 * std::abs(before)) << label;
      }
    }
}

TEST(ImpactSeries, TheSameRunTwiceIsTheSameToTheLastBit) {
  for (const auto& c : series_laws()) {
    const auto a = run(cart, c, 1, 1), b = run(cart, c, 1, 1);
    EXPECT_EQ(a.ended.z.q, b.ended.z.q) << c.label;
    EXPECT_EQ(a.ended.z.p, b.ended.z.p) << c.label;
  }
}

}  // namespace
}  // namespace carom::test
