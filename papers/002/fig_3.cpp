// 002, Fig. 3 and (81): the star, and where it touches the floor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_fig_3 {

constexpr std::string_view scenario = R"([system]
name = "star"
parameters = {m = 1.0, L = 1.0, g = 9.81, kappa = 0.0}  # g is our choice: the paper gives none

[initial]
q = [0.0, 3.5, 0.0]
v = [-2.0, 0.0, 5.0]

[method]
name = "vci"

[time]
step = 0.005
impacts = 300         # our choice; the picture shows three
)";

constexpr double L = 1;

// The contact set (81), as a gap.
double printed_gap(double y, double angle) {
  return y - L / 2 * (std::abs(std::sin(angle)) + std::abs(std::cos(angle)));
}

// Inner corners are where a uniform star has the paper's inertia: (L²/2 + L r/2 + r²) m/6 = 29/192 m L².
double inner_radius() { return L * (-0.5 + std::sqrt(0.25 + 4 * (29.0 / 32 - 0.5))) / 2; }

Series outline(double x, double y, double angle, std::string label, int colour) {
  Series r{.label = std::move(label), .colour = colour};
  for (int k = 0; k <= 8; ++k) {
    const double radius = k % 2 == 0 ? L / std::numbers::sqrt2 : inner_radius();
    const double a = angle + std::numbers::pi / 4 * (k + 1);
    r.x.push_back(x + radius * std::cos(a)), r.y.push_back(y + radius * std::sin(a));
  }
  return r;
}

void append(Series& to, const Series& more) {
  to.x.insert(to.x.end(), more.x.begin(), more.x.end()),
      to.y.insert(to.y.end(), more.y.begin(), more.y.end());
  to.x.push_back(std::nan("")), to.y.push_back(std::nan(""));
}

Figure falling_star(const Columns& rows, const Columns& impacts) {
  Series path{.label = "centre of mass", .colour = Series::grey, .dashed = true},
      stars{.label = "the star, every 0.25", .colour = 0}, touching{.label = "at its impacts", .colour = 1};
  const double end = impacts["t"][2] + 0.5;
  for (std::size_t i = 0; i < rows.rows() && rows["t"][i] <= end; ++i) {
    path.x.push_back(rows["q1"][i]), path.y.push_back(rows["q2"][i]);
    if (i % 50 == 0) append(stars, outline(rows["q1"][i], rows["q2"][i], rows["q3"][i], "", 0));
  }
  for (std::size_t i = 0; i < 3; ++i)
    append(touching, outline(impacts["q1"][i], impacts["q2"][i], impacts["q3"][i], "", 1));
  const Series floor{.label = "floor", .x = {path.x.back() - 1, 1}, .y = {0, 0}, .colour = Series::grey};
  return {
      .height = 480,
      .axes = {
          {.x_label = "x", .y_label = "y", .equal_aspect = true, .series = {stars, touching, path, floor}}}};
}

Finding reproduce(const Lab& lab) {
  const Recorded run = lab.record(scenario);
  const Columns &rows = run.trajectory, &impacts = run.impacts;
  double at_impacts = 0, elsewhere = 0;
  for (std::size_t i = 0; i < impacts.rows(); ++i)
    at_impacts = std::fmax(at_impacts, std::abs(printed_gap(impacts["q2"][i], impacts["q3"][i])));
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double smallest =
        std::min({rows["gaps1"][i], rows["gaps2"][i], rows["gaps3"][i], rows["gaps4"][i]});
    elsewhere = std::fmax(elsewhere, std::abs(smallest - printed_gap(rows["q2"][i], rows["q3"][i])));
  }
  Finding f;
  f.verdict = judge({at_impacts < 1e-12, elsewhere < 1e-12});
  f.measured = fmt::format(
      "At {} impacts (81) holds to {:.1g}; over {} states it agrees with the smallest of four vertex heights "
      "to {:.1g}. A uniform star with the printed inertia 29/192 m L² has its inner corners at {:.3f} L from "
      "the centre.",
      run.result.impacts, at_impacts, rows.rows(), elsewhere, inner_radius());
  f.ours =
      "carom has four smooth gaps, one for each vertex, in place of one with kinks: see 002-fig-6 for where "
      "two close.";
  f.numbers = {{"largest_gap_at_impacts", at_impacts},
               {"largest_difference_of_gaps", elsewhere},
               {"inner_radius", inner_radius()}};
  f.pictures = {{"", falling_star(rows, impacts)}};
  return f;
}

}  // namespace of_fig_3

Item fig_3() {
  using namespace of_fig_3;
  return {.name = "002-fig-3",
          .place = "Fig. 3, (81)",
          .title = "A rotating star bouncing on a floor",
          .claim = "The star touches the floor where y = L/2 (|sin θ| + |cos θ|).",
          .parameters = scenario,
          .methods = "vci on svc (the paper's)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p002
