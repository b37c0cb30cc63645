// 002, (64): the map through an impact is symplectic. A in A'JA - J is a derivative of the whole run, by
// differences.
//
// Nothing is said of where the map has no derivative: where the impact passes a grid point. H jumps there by
// m g² h²/4 on a particle, from m g² h² (1 - 2α)/8 with α = 1 on one side and α = 0 on the other.
#include <fmt/format.h>

#include <cmath>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_symplectic {

constexpr std::string_view scenario = R"([system]
name = "star"
parameters = {m = 1.0, L = 1.0, g = 9.81, kappa = 0.1}  # g, kappa: our choice

[initial]
q = [0.0, 3.5, 0.0]
p = [-2.0, 0.0, 0.7552083333333333]  # v = (-2, 0, 5)

[method]
name = "vci"

[time]
step = 0.02           # our choice
end = 1.5             # our choice: one impact, at t = 0.997; with end = 2.5 two

# and, for the map as a function of the start, the particle of Fig. 2 from heights about 1
)";

constexpr std::string_view falling = R"([system]
name = "particle"
parameters = {m = 1.0, g = 9.81}
[initial]
q = [0.0, 1.0]
v = [-2.0, 0.0]
[method]
name = "vci"
[time]
step = 0.01
end = 0.6
)";

constexpr double g = 9.81, h = 0.01;

// The change of H by one impact that happens at a given time.
double change_of_energy(const Lab& lab, const std::string& method, double time) {
  const double height = g * time * time / 2;
  const RunResult r = lab.complete(falling, {method, fmt::format("initial.q=[0.0, {:.17g}]", height)});
  return r.energy.final - r.energy.initial;
}

Series sawtooth(const Lab& lab, const std::string& label, const std::string& method) {
  Series r{.label = label};
  for (int i = 0; i < 240; ++i) {
    const double steps = 44.003 + 3 * i / 240.0, change = change_of_energy(lab, method, steps * h);
    if (i > 0 && std::abs(change - r.y.back()) > g * g * h * h / 8)
      r.x.push_back(steps), r.y.push_back(std::nan(""));
    r.x.push_back(steps), r.y.push_back(change);
  }
  return r;
}

struct Row {
  const char* method;
  int impacts;
  SymplecticDefect found;
};

Table table_of(const std::vector<Row>& rows) {
  Table r{"Symplectic defect of the star's map",
          {"method", "impacts", "largest entry of A'JA − J", "largest entry of A", "error of A"},
          {}};
  for (const auto& [method, impacts, found] : rows)
    r.rows.push_back({method, fmt::format("{}", impacts), fmt::format("{:.1e}", found.defect),
                      fmt::format("{:.2g}", found.expansion), fmt::format("{:.0e}", found.difference)});
  return r;
}

Finding reproduce(const Lab& lab) {
  const std::vector<double> q{0, 3.5, 0}, p{-2, 0, 29.0 / 192 * 5};
  // Spacings small against what keeps every impact in its step: the second stretches differences by
  // thousands.
  const auto through_one = [&](const std::string& method) {
    return symplectic_defect(lab, scenario, {method}, q, p, 1e-3);
  };
  const auto through_two = [&](const std::string& method) {
    return symplectic_defect(lab, scenario, {method, "time.end=2.5"}, q, p, 1e-5);
  };
  const SymplecticDefect one = through_one(vci), two = through_two(vci), of_cva = through_one(cva),
                         two_of_cva = through_two(cva), of_shadow = through_one(shadow),
                         two_of_shadow = through_two(shadow);
  const double node = 45 * h, aside = 1e-7 * h;
  const double jump = change_of_energy(lab, vci, node + aside) - change_of_energy(lab, vci, node - aside),
               expected = g * g * h * h / 4;
  const double jump_of_shadow =
      change_of_energy(lab, shadow, node + aside) - change_of_energy(lab, shadow, node - aside);

  Finding f;
  f.verdict = judge({one.defect < 1e-4 * of_cva.defect, two.defect < 1e-4 * two_of_cva.defect});
  f.measured = fmt::format(
      "|A'JA − J| is {:.1g} through one impact and {:.1g} through two, with entries of A up to {:.2g} and "
      "{:.2g} that differences know to {:.1g} and {:.1g}. The map is not continuous, though: where the "
      "impact of a falling particle passes a grid point, H after it jumps by {:.3g} (m g² h²/4 = {:.3g}).",
      one.defect, two.defect, one.expansion, two.expansion, one.difference, two.difference, jump, expected);
  f.ours = fmt::format(
      "The laws that keep H or the shadow energy are not symplectic through an impact: {:.1g} with cva and "
      "{:.1g} with shadow, through two {:.1g} and {:.1g}. But at the grid point H after the impact jumps by "
      "{:.1g} only with shadow.",
      of_cva.defect, of_shadow.defect, two_of_cva.defect, two_of_shadow.defect, std::abs(jump_of_shadow));
  f.numbers = {{"defect_vci_one_impact", one.defect},
               {"defect_vci_two_impacts", two.defect},
               {"largest_derivative_one_impact", one.expansion},
               {"largest_derivative_two_impacts", two.expansion},
               {"uncertainty_of_derivative_one_impact", one.difference},
               {"uncertainty_of_derivative_two_impacts", two.difference},
               {"defect_cva_one_impact", of_cva.defect},
               {"defect_shadow_one_impact", of_shadow.defect},
               {"defect_cva_two_impacts", two_of_cva.defect},
               {"defect_shadow_two_impacts", two_of_shadow.defect},
               {"jump_of_energy_vci", jump},
               {"jump_of_energy_expected", expected},
               {"jump_of_energy_shadow", jump_of_shadow}};
  f.tables = {table_of({{"vci", 1, one},
                        {"vci", 2, two},
                        {"cva", 1, of_cva},
                        {"cva", 2, two_of_cva},
                        {"shadow", 1, of_shadow},
                        {"shadow", 2, two_of_shadow}})};
  f.pictures = {{"",
                 {.title = "Energy after one impact, as a function of where it is",
                  .axes = {{.x_label = "time of the impact, in steps",
                            .y_label = "H after − H before",
                            .series = {sawtooth(lab, "vci", vci), sawtooth(lab, "ours: shadow", shadow)}}}}}};
  return f;
}

}  // namespace of_symplectic

Item symplectic() {
  using namespace of_symplectic;
  return {.name = "002-symplectic",
          .place = "section 3.3, (64)",
          .title = "Symplecticity through impacts",
          .claim = "The discrete map preserves the symplectic form exactly, through impacts as well.",
          .parameters = scenario,
          .methods =
              "vci on svc (the paper's); cva and shadow on svc beside it; central differences of sixth order",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p002
