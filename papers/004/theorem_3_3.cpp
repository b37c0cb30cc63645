// 004, Theorem 3.3 and section 3.4: the conjugate methods.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_theorem_3_3 {

constexpr int finest = 40960;

Finding reproduce(const Lab& lab) {
  Figure figure{.height = 420, .axes = {{.title = "(4.1)"}, {.title = "(4.2)"}}};
  std::vector<double> true_slopes, natural_slopes, ratios;
  for (const Problem* problem : {&exponential, &mass_on_cubic}) {
    Axes& axes = figure.axes[problem == &exponential ? 0 : 1];
    const State exact = solution(*problem, 1);
    const Errors natural =
        errors(lab, *problem, {"method.scheme=conjugate-natural"}, exact, step_counts(finest));
    const Errors truly = errors(lab, *problem, {"method.scheme=conjugate-true"}, exact, step_counts(finest));
    true_slopes.insert(true_slopes.end(),
                       {truly.y_slope(1.0 / 2560, 1.0 / 320), truly.z_slope(1.0 / 2560, 1.0 / 320)});
    natural_slopes.insert(natural_slopes.end(), {natural.y_slope(1.0 / finest, 4.0 / finest),
                                                 natural.z_slope(1.0 / finest, 4.0 / finest)});
    ratios.insert(ratios.end(), {natural.y.back() / truly.y.back(), natural.z.back() / truly.z.back()});
    axes.x_label = "stepsize h", axes.y_label = "error at t = 1", axes.log_x = axes.log_y = true;
    axes.series = {{.label = "(3.7), y", .x = natural.h, .y = natural.y, .markers = true},
                   {.label = "(3.7), z", .x = natural.h, .y = natural.z, .markers = true},
                   {.label = "(3.8), y", .x = truly.h, .y = truly.y, .markers = true},
                   {.label = "(3.8), z", .x = truly.h, .y = truly.z, .markers = true}};
    axes.series.push_back(guide(axes.series.back(), 1, "slope 1"));
  }
  const Band trues = band(true_slopes), naturals = band(natural_slopes);
  Finding f;
  f.verdict = judge({std::abs(trues.low - 1) < 0.05 && std::abs(trues.high - 1) < 0.05});
  f.measured = fmt::format(
      "(3.8): slopes {:.3f} to {:.3f} in y and z of both problems. (3.7), which is called 'true' as well, by "
      "a misprint, is the natural conjugate method: slopes {:.3f} to {:.3f} for h below 1/10000, and at h = "
      "1/{} its errors are {:.0f} to {:.0f} times those of (3.8).",
      trues.low, trues.high, naturals.low, naturals.high, finest, band(ratios).low, band(ratios).high);
  f.numbers = {{"smallest_true_slope", trues.low},
               {"largest_true_slope", trues.high},
               {"smallest_natural_slope", naturals.low},
               {"largest_natural_slope", naturals.high}};
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_theorem_3_3

Item theorem_3_3() {
  using namespace of_theorem_3_3;
  return {.name = "004-theorem-3.3",
          .place = "Theorem 3.3, section 3.4",
          .title = "The conjugate methods",
          .claim = "The true conjugate method (3.8) converges with order 1.",
          .parameters = "Both problems of section 4 (see 004-fig-4.1 and 004-fig-4.3)",
          .methods = "se1 with scheme conjugate-natural, (3.7), and conjugate-true, (3.8)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
