// The law suite of impacts for the modified energy as a series, on the cart-pendulum.
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

std::vector<LawCase<CartPendulum>> series_laws(const CartPendulum& system) {
  const SteadyFlow flow(svc(), impact_h);
  const auto modified =
      modified_series(system, std::get<Rule>(flow.forward.substeps.front().block), impact_h, 3);
  return {{"gauss", flow, modified_energy(system, flow, modified)},
          {"plain", flow, modified_energy(system, flow, modified, true)}};
}

TEST(ImpactSeries, ThreeTermsOnSvcObeyTheLawsOfImpacts) {
  const CartPendulum system;
  for (const auto& c : series_laws(system))
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(system, c, e, 2);
      ASSERT_GE(r.seen.size(), e > 0 ? 2u : 1u) << label;
      EXPECT_EQ(r.fallbacks, 0) << label;
      for (std::size_t k = 0; k < (e > 0 ? 2 : 1); ++k) expect_geometry(system, r.seen[k], e, label);
      if (e < 1) continue;
      for (const auto& s : r.seen) {
        const auto [before, after] = own_energies(system, c, s, 0);
        EXPECT_NEAR(after, before, 1e-12 * std::abs(before)) << label;
      }
    }
}

TEST(ImpactSeries, TheSameRunTwiceIsTheSameToTheLastBit) {
  const CartPendulum system;
  for (const auto& c : series_laws(system)) {
    const auto a = run(system, c, 1, 1), b = run(system, c, 1, 1);
    EXPECT_EQ(a.ended.z.q, b.ended.z.q) << c.label;
    EXPECT_EQ(a.ended.z.p, b.ended.z.p) << c.label;
  }
}

}  // namespace
}  // namespace carom::test
