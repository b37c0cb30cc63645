// 004, section 3.4: what the natural method does converge to.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_section_3_4 {

Finding reproduce(const Lab& lab) {
  Figure figure{.axes = {{.title = "(4.1)"}, {.title = "(4.2)"}}};
  std::vector<double> slopes;
  double apart[2] = {0, 0}, left[2] = {0, 0};
  for (const Problem* problem : {&exponential, &mass_on_cubic}) {
    const std::size_t i = problem == &exponential ? 0 : 1;
    const State exact = solution(*problem, 1), other = inconsistent_solution(*problem, 1);
    const std::vector<std::string> natural = {"method.scheme=natural"};
    const Errors to_exact = errors(lab, *problem, natural, exact, step_counts(5120)),
                 to_other = errors(lab, *problem, natural, other, step_counts(5120));
    slopes.insert(slopes.end(),
                  {to_other.y_slope(1.0 / 2560, 1.0 / 320), to_other.z_slope(1.0 / 2560, 1.0 / 320)});
    apart[i] = z_distance(exact, other), left[i] = to_other.z.back();
    Axes& axes = figure.axes[i];
    axes.x_label = "stepsize h", axes.y_label = "distance of z at t = 1", axes.log_x = axes.log_y = true;
    axes.series = {
        {.label = "from the exact solution", .x = to_exact.h, .y = to_exact.z, .markers = true},
        {.label = "from the inconsistent ODE's", .x = to_other.h, .y = to_other.z, .markers = true}};
    axes.series.push_back(guide(axes.series[1], 1, "slope 1"));
  }
  const Band all = band(slopes);
  Finding f;
  f.verdict = judge({std::abs(all.low - 1) < 0.05 && std::abs(all.high - 1) < 0.05,
                     apart[0] > 5 * left[0] && apart[1] > 5 * left[1]});
  f.measured = fmt::format(
      "The natural method approaches the inconsistent ODE's solution with slopes {:.3f} to {:.3f} in y and z "
      "of both problems. At t = 1 that solution is {:.2g} (4.1) and {:.2g} (4.2) away from the exact one in "
      "z; at h = 1/5120 the method is {:.1e} and {:.1e} away from it.",
      all.low, all.high, apart[0], apart[1], left[0], left[1]);
  f.numbers = {{"smallest_slope", all.low},
               {"largest_slope", all.high},
               {"solutions_apart_41", apart[0]},
               {"solutions_apart_42", apart[1]}};
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_section_3_4

Item section_3_4() {
  using namespace of_section_3_4;
  return {.name = "004-section-3.4",
          .place = "section 3.4",
          .title = "What the natural method converges to",
          .claim =
              "The natural method converges, but to the solution of the inconsistent ODE in which two wrong "
              "multipliers share the reaction.",
          .parameters =
              "Both problems of section 4 (see 004-fig-4.1 and 004-fig-4.3); the ODE of section 3.4 with "
              "alpha = 1/2 by the classical Runge-Kutta method, 4000 steps (our choice)",
          .methods = "se1 with scheme natural, (3.2)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
