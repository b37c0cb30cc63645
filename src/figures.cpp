#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "svg_plot.hpp"

namespace carom {
namespace {

// How many rows the first two panels show: the whole of a short run, or else the time of the first dozen
// impacts (without impacts, the first three hundred rows), because a long run would only fill them with
// colour.
std::size_t shown_rows(const RunResult& r) {
  constexpr std::size_t many_rows = 2000, many_impacts = 12, few_rows = 300;
  const auto& t = r.trajectory.t;
  if (t.size() <= many_rows && r.impacts.size() <= 2 * many_impacts) return t.size();
  if (r.impacts.size() < many_impacts) return std::min(few_rows, t.size());
  const auto end = std::upper_bound(t.begin(), t.end(), r.impacts[many_impacts - 1].t);
  return std::max<std::size_t>(2, static_cast<std::size_t>(end - t.begin()));
}

std::vector<double> column(const std::vector<double>& table, std::size_t width, std::size_t k,
                           std::size_t rows) {
  std::vector<double> r;
  for (std::size_t i = 0; i < rows; ++i) r.push_back(table[i * width + k]);
  return r;
}

Axes coordinates(const Trajectory& all, std::size_t rows) {
  Axes axes{.title = rows < all.rows() ? "coordinates, at first" : "coordinates", .x_label = "t"};
  const std::vector<double> t(all.t.begin(), all.t.begin() + static_cast<std::ptrdiff_t>(rows));
  for (std::size_t k = 0; k < all.dim; ++k)
    axes.series.push_back({all.coordinates[k], t, column(all.q, all.dim, k, rows)});
  return axes;
}

Interval padded(const std::vector<double>& x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double extra = 0.05 * (*high - *low) + 1e-12;
  return {*low - extra, *high + extra};
}

// Of one coordinate its phase portrait, of several the path in the first two.
Axes portrait(const Trajectory& all, std::size_t rows) {
  const auto x = column(all.q, all.dim, 0, rows);
  const auto y = all.dim == 1 ? column(all.p, all.dim, 0, rows) : column(all.q, all.dim, 1, rows);
  return {.title = all.dim == 1 ? "phase portrait" : "path",
          .x_label = all.coordinates[0],
          .y_label = all.dim == 1 ? "p" : all.coordinates[1],
          .x_range = padded(x),
          .series = {{"", x, y}}};
}

// Errors at rounding level are shown as the thin line they are.
Axes energy(const RunResult& r) {
  const auto& rows = r.trajectory;
  Axes axes{.title = "energy error, whole run", .x_label = "t", .y_label = "H − H(0)"};
  std::vector<double> error;
  for (const double H : rows.H) error.push_back(H - rows.H.front());
  const double floor = 1e-12 * std::fmax(1.0, std::abs(rows.H.front()));
  if (r.energy.max_abs_error < floor) axes.y_range = Interval{-floor, floor};
  axes.series = {{"", rows.t, error}};
  return axes;
}

}  // namespace

std::string run_figure(const Scenario& scenario, const RunResult& r) {
  const std::size_t rows = shown_rows(r);
  const std::string title = scenario.title.empty() ? r.system : scenario.title;
  const std::string impacts = r.impacts.empty() ? "" : fmt::format(", {} impacts", r.impacts.size());
  const std::string status = r.status == "completed" ? "" : ", " + r.status;
  Figure figure;
  figure.title =
      fmt::format("{}: {}, h = {}, {} steps{}{}", title, r.method, r.grid.step, r.steps, impacts, status);
  figure.description = fmt::format(
      "Coordinates over time, {} and energy error of a run of {} with {}{}; largest energy error {:.2e}.",
      r.trajectory.dim == 1 ? "phase portrait" : "path", r.system, r.method, impacts, r.energy.max_abs_error);
  figure.width = 1080, figure.height = 340;
  figure.axes = {coordinates(r.trajectory, rows), portrait(r.trajectory, rows), energy(r)};
  return render_svg(figure);
}

}  // namespace carom
