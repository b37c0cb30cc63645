// 004, after (3.5): at which z the reactions are taken does not matter for the order, nor does alpha.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_reaction_at {

const char* const places[] = {"ends", "z0", "z1", "Z1"};

Finding reproduce(const Lab& lab) {
  Finding f;
  f.tables = {{"Slopes at t = 1, h from 1/640 to 1/2560",
               {"problem", "alpha", "reactions at", "slope of y", "slope of z"},
               {}}};
  Figure figure{.axes = {{.title = "(4.1), alpha = 1/2"}, {.title = "(4.2), alpha = 1/2"}}};
  std::vector<double> slopes;
  for (const Problem* problem : {&exponential, &mass_on_cubic}) {
    Axes& axes = figure.axes[problem == &exponential ? 0 : 1];
    axes.x_label = "stepsize h", axes.y_label = "error of z at t = 1", axes.log_x = axes.log_y = true;
    const State exact = solution(*problem, 1);
    for (const double alpha : lab.pick<std::vector<double>>({0.5, 0.3, 1.0, 1.7}, {0.5, 1.7}))
      for (const char* place : places) {
        const std::vector<int> steps = alpha == 0.5 ? step_counts(2560) : std::vector{640, 1280, 2560};
        const Errors e =
            errors(lab, *problem,
                   {fmt::format("method.alpha={:.1f}", alpha), fmt::format("method.reaction_at={}", place)},
                   exact, steps);
        const double y = e.y_slope(1.0 / 2560, 1.0 / 640), z = e.z_slope(1.0 / 2560, 1.0 / 640);
        slopes.insert(slopes.end(), {y, z});
        f.tables[0].rows.push_back({std::string(problem->number), fmt::format("{:.1f}", alpha), place,
                                    fmt::format("{:.3f}", y), fmt::format("{:.3f}", z)});
        if (alpha == 0.5) axes.series.push_back({.label = place, .x = e.h, .y = e.z, .markers = true});
      }
  }
  const Band all = band(slopes);
  f.verdict = judge({std::abs(all.low - 1) < 0.1 && std::abs(all.high - 1) < 0.1});
  f.measured = fmt::format(
      "With the reactions taken at their ends, at z0, at z1 or at Z1, and alpha = {}, all {} slopes lie "
      "between {:.3f} and {:.3f}.",
      lab.pick("0.3, 0.5, 1 or 1.7", "0.5 or 1.7"), slopes.size(), all.low, all.high);
  f.numbers = {{"smallest_slope", all.low}, {"largest_slope", all.high}};
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_reaction_at

Item reaction_at() {
  using namespace of_reaction_at;
  return {.name = "004-reaction-at",
          .place = "section 3.2, after (3.5)",
          .title = "Where the reactions are taken",
          .claim =
              "The true method has order 1 for any alpha other than 0, whichever of z0, z1 and Z1 the "
              "reactions are taken at.",
          .parameters =
              "Both problems of section 4 (see 004-fig-4.1 and 004-fig-4.3); alpha = 0.3, 0.5, 1, 1.7 (our "
              "choice); reaction_at = ends, z0, z1, Z1",
          .methods = "se1 with scheme true, (3.5)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
