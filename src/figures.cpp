#include "figures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "svg_plot.hpp"

namespace carom {
namespace {

std::vector<double> column(const std::vector<double>& table, std::size_t width, std::size_t k) {
  std::vector<double> r;
  for (std::size_t i = k; i < table.size(); i += width) r.push_back(table[i]);
  return r;
}

Axes coordinates(const Trajectory& rows) {
  Axes axes{.title = "coordinates", .x_label = "t"};
  for (std::size_t k = 0; k < rows.dim; ++k)
    axes.series.push_back({fmt::format("q{}", k + 1), rows.t, column(rows.q, rows.dim, k)});
  return axes;
}

Axes portrait(const Trajectory& rows) {
  if (rows.dim == 1)
    return {.title = "phase portrait", .x_label = "q", .y_label = "p", .series = {{"", rows.q, rows.p}}};
  return {.title = "configuration space", .x_label = "q1", .y_label = "q2",
          .series = {{"", column(rows.q, rows.dim, 0), column(rows.q, rows.dim, 1)}}};
}

Axes energy(const Trajectory& rows) {
  std::vector<double> error;
  for (const double H : rows.H) error.push_back(H - rows.H.front());
  return {.title = "energy error", .x_label = "t", .y_label = "H − H(0)", .series = {{"", rows.t, error}}};
}

}  // namespace

std::string run_figure(const Scenario& scenario, const RunResult& result) {
  Figure figure;
  const std::string title = scenario.title.empty() ? result.system : scenario.title;
  figure.title = fmt::format("{}: {}, h = {}, {} steps", title, result.method, result.grid.step, result.steps);
  figure.description = fmt::format("Coordinates, {} and energy error of a run of {} with {}; largest energy error {:.2e}.",
                                   result.trajectory.dim == 1 ? "phase portrait" : "path in configuration space",
                                   result.system, result.method, result.energy.max_abs_error);
  figure.width = 1080, figure.height = 340;
  figure.axes = {coordinates(result.trajectory), portrait(result.trajectory), energy(result.trajectory)};
  return render_svg(figure);
}

}  // namespace carom
