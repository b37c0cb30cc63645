// 004, sections 3.1 and 3.2: which of a step's multipliers are consistent.
#include <fmt/format.h>

#include <cmath>

#include "dae_start.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_multipliers {

// Errors of multipliers in the last step before t = 1.
struct Case {
  const char* title;
  DaeStart start;
  DaeScheme scheme;
  double psi;  // exact, at t = 1
  std::vector<double> h, first, second, mean;
};

void measure(const Lab& lab, Case& c) {
  for (int n = 40; n <= 5120; n *= 2) {
    lab.check_stop();
    DaeEuler euler = c.start.euler(c.scheme);
    Values y = c.start.y, z = c.start.z;
    for (int k = 0; k < n; ++k) advance(euler, 1.0 / n, false, y, z);
    const double first = euler.Psi0[0], second = euler.Psi1[0];
    c.h.push_back(1.0 / n);
    c.first.push_back(std::abs(first - c.psi)), c.second.push_back(std::abs(second - c.psi));
    c.mean.push_back(std::abs(0.5 * (first + second) - c.psi));
  }
}

double last_slope(const Case& c, const std::vector<double>& errors) {  // of the four finest
  return log_slope({c.h.end() - 4, c.h.end()}, {errors.end() - 4, errors.end()});
}

Series curve(const Case& c, const char* label, const std::vector<double>& errors) {
  return {.label = label, .x = c.h, .y = errors, .markers = true};
}

Finding reproduce(const Lab& lab) {
  const double psi_41 = exponential.multiplier(solution(exponential, 1));
  const double psi_22 = mass_on_cubic.multiplier(solution(mass_on_cubic, 1, {.c_f = 0}));
  Case truly{"true (3.5), problem (4.1)", dae_exponential(), {}, psi_41, {}, {}, {}, {}};
  Case natural{"natural (3.2), problem (4.1)", dae_exponential(), {.natural = true}, psi_41, {}, {}, {}, {}};
  Case plain{"(2.2), the mass without friction", dae_mass(0), {.natural = true}, psi_22, {}, {}, {}, {}};
  Figure figure{.width = 1200, .height = 380};
  for (Case* c : {&truly, &natural, &plain}) {
    measure(lab, *c);
    figure.axes.push_back({.title = c->title,
                           .x_label = "stepsize h",
                           .y_label = "error of the multiplier at t = 1",
                           .log_x = true,
                           .log_y = true,
                           .series = {curve(*c, "Ψ0", c->first), curve(*c, "Ψ1", c->second)}});
    if (c != &truly) figure.axes.back().series.push_back(curve(*c, "(Ψ0 + Ψ1)/2", c->mean));
  }
  const double consistent = last_slope(truly, truly.second), sum = last_slope(plain, plain.mean);
  const double off[] = {truly.first.back(), natural.first.back(), natural.second.back(), plain.first.back(),
                        plain.second.back()};
  bool inconsistent = true;
  for (const double x : off) inconsistent = inconsistent && x > 100 * truly.second.back();
  Finding f;
  f.verdict = judge({std::abs(consistent - 1) < 0.1, std::abs(sum - 1) < 0.1, inconsistent});
  f.measured = fmt::format(
      "True method: the error of the last multiplier falls with slope {:.2f}, to {:.1e} at h = 1/5120; that "
      "of Ψ0 stays at {:.2g}. Natural method: Ψ0 stays at {:.2g}, Ψ1 at {:.2g} and their mean at {:.1g}. For "
      "(2.2) Λ0 + Λ1 converges with slope {:.2f}; 2Λ0 stays {:.2g} and 2Λ1 {:.2g} away.",
      consistent, truly.second.back(), off[0], off[1], off[2], natural.mean.back(), sum, off[3], off[4]);
  f.ours =
      "Records hold neither of a step's multipliers but the one that (y, z) imply, which has the order of "
      "the flow (docs/theory/dae.md).";
  f.numbers = {{"slope_last", consistent}, {"slope_sum", sum}, {"error_first", off[0]}};
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_multipliers

Item multipliers() {
  using namespace of_multipliers;
  return {.name = "004-multipliers",
          .place = "sections 3.1 and 3.2",
          .title = "Which multipliers are consistent",
          .claim =
              "The last multiplier of the true method is consistent and its first is not; of (2.2) Λ0 + Λ1 "
              "is consistent, and neither Λ0 nor Λ1.",
          .parameters =
              "(4.1), and (4.2) without friction (c_f = 0), as in 004-fig-4.1 and 004-fig-4.3; the "
              "multipliers of the last step before t = 1, h = 1/40, 1/80, ..., 1/5120 (our choice)",
          .methods = "se1 with scheme true, (3.5), and natural, (3.2), alpha = 1/2; Λ0 = Ψ0/2, Λ1 = Ψ1/2",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
