// The law suite of impacts for the modified energy as a series, on the cart-pendulum; and for systems in
// formulas of three coordinates.
#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/star.hpp"
#include "model/formula_system.hpp"
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

const auto series_cart = system_case("cart-pendulum", CartPendulum{});

std::vector<LawCase> series_laws() {
  const SteadyFlow flow(svc(), impact_h);
  const auto modified =
      ModifiedHamiltonian::of_flow(series_cart.system->over_nilpotents(), svc(), impact_h, 3);
  return {{"gauss", flow, modified_energy(modified)}, {"plain", flow, modified_energy(modified, true)}};
}

TEST(ImpactSeries, ThreeTermsOnSvcObeyTheLawsOfImpacts) {
  for (const auto& c : series_laws())
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(series_cart, c, e, 2);
      ASSERT_GE(r.seen.size(), e > 0 ? 2u : 1u) << label;
      EXPECT_EQ(r.fallbacks, 0) << label;
      for (std::size_t k = 0; k < (e > 0 ? 2 : 1); ++k)
        expect_geometry(series_cart.system, r.seen[k], e, label);
      if (e < 1) continue;
      for (const auto& s : r.seen) {
        const auto [before, after] = own_energies(series_cart.system, c, s, 0);
        EXPECT_NEAR(after, before, 1e-12 * std::abs(before)) << label;
      }
    }
}

TEST(ImpactSeries, TheSameRunTwiceIsTheSameToTheLastBit) {
  for (const auto& c : series_laws()) {
    const auto a = run(series_cart, c, 1, 1), b = run(series_cart, c, 1, 1);
    EXPECT_EQ(a.ended.z.q, b.ended.z.q) << c.label;
    EXPECT_EQ(a.ended.z.p, b.ended.z.p) << c.label;
  }
}

TEST(ImpactSeries, AStarInFormulasIsTheStar) {
  const auto star = system_case("star", Star{.kappa = 0.1});
  const SystemRef formulas{std::make_shared<FormulaSystem>(define_system(parse_scenario(R"toml(
[system]
name = "expression"
coordinates = ["x", "y", "a"]
lagrangian = "0.5*(x'^2 + y'^2 + 29/192*a'^2) - 9.81*y/(1 + 0.1*y)"
gaps = { v1 = "y + sin(a + pi/4)/sqrt(2)", v2 = "y + sin(a + 3*pi/4)/sqrt(2)", v3 = "y + sin(a + 5*pi/4)/sqrt(2)", v4 = "y + sin(a + 7*pi/4)/sqrt(2)" }
[time]
end = 1.0
)toml",
                                                                                        "test")))};
  for (const Flow& base : {svc(), sva()}) {
    const SteadyFlow flow(base, 0.01);
    const auto law = [&](const SystemRef& system) {
      return modified_energy(ModifiedHamiltonian::of_flow(system->over_nilpotents(), base, 0.01, 3));
    };
    const auto a = run_from(star.start, star.system, {"", flow, law(star.system)}, {}, 200);
    const auto b = run_from(star.start, formulas, {"", flow, law(formulas)}, {}, 200);
    EXPECT_GE(a.seen.size(), 2u);
    EXPECT_EQ(a.seen.size(), b.seen.size());
    EXPECT_LT((a.ended.z.q - b.ended.z.q).norm(), 1e-9) << base.name;
  }
}

}  // namespace
}  // namespace carom::test
