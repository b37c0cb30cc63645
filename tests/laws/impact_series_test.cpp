// The law suite of impacts for the modified energy as a series, on the cart-pendulum; and for systems in
// formulas of three coordinates.
#include "formula_system.hpp"
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

// Three coordinates in a type for four: the one that pads stays at rest.
TEST(ImpactSeries, AStarInFormulasIsTheStar) {
  Star star{.kappa = 0.1};
  const FormulaSystem<4> formulas(define_system(parse_scenario(R"toml(
[system]
name = "expression"
coordinates = ["x", "y", "a"]
lagrangian = "0.5*(x'^2 + y'^2 + 29/192*a'^2) - 9.81*y/(1 + 0.1*y)"
gaps = { v1 = "y + sin(a + pi/4)/sqrt(2)", v2 = "y + sin(a + 3*pi/4)/sqrt(2)", v3 = "y + sin(a + 5*pi/4)/sqrt(2)", v4 = "y + sin(a + 7*pi/4)/sqrt(2)" }
[time]
end = 1.0
)toml",
                                                               "test")));
  const auto start = validated_state(star, star.start());
  State<double, 4> padded{Vector<double, 4>::Zero(), Vector<double, 4>::Zero()};
  padded.q.head(3) = start.q, padded.p.head(3) = start.p;
  for (const Flow& base : {svc(), sva()}) {
    const SteadyFlow flow(base, 0.01);
    const auto law = [&](const auto& system) {
      return modified_energy(system, flow,
                             ModifiedHamiltonian::of_flow(over_nilpotents(system), base, 0.01, 3));
    };
    const auto a = run_from(start, star, LawCase<Star>{"", flow, law(star)}, {}, 200);
    const auto b = run_from(padded, formulas, LawCase<FormulaSystem<4>>{"", flow, law(formulas)}, {}, 200);
    EXPECT_GE(a.seen.size(), 2u);
    EXPECT_EQ(a.seen.size(), b.seen.size());
    EXPECT_LT((a.ended.z.q - b.ended.z.q.head(3)).norm(), 1e-9) << base.name;
    EXPECT_EQ(b.ended.z.q[3], 0);
    EXPECT_EQ(b.ended.z.p[3], 0);
  }
}

}  // namespace
}  // namespace carom::test
