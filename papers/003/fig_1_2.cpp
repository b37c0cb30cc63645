// 003, Fig. 1.2: motion along a boundary, against it, off it and onto it, one panel each.
#include <fmt/format.h>

#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p003 {
namespace of_fig_1_2 {

// The paper draws these motions and states no numbers: all of them are our choice.
constexpr std::string_view along = R"(# (a) along a valley, pressed into it
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {g = 9.8}                                  # our choice, as all below
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
gaps = {ground = "y - 0.5*x^2"}

[initial]
q = [-1.0, 0.5]
v = [1.0, -1.0]                                         # tangent to the valley

[method]
stepper = "gvi"
flow = "midpoint"

[time]
step = 0.01
end = 10.0

)";

constexpr std::string_view against = R"(# (b) onto a floor, not tangentially
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {g = 9.8}
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
gaps = {ground = "y"}

[initial]
q = [-1.0, 1.0]
v = [2.0, 0.0]

[method]
stepper = "gvi"
flow = "midpoint"

[time]
step = 0.01
end = 1.0

)";

constexpr std::string_view off = R"(# (c) over the top of a disc, and off it where nothing presses any more
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {g = 9.8}
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
gaps = {ground = "hypot(x, y) - 1"}

[initial]
q = [0.0, 1.0]
v = [0.5, 0.0]

[method]
stepper = "gvi"
flow = "midpoint"

[time]
step = 0.01
end = 1.0

)";

constexpr std::string_view onto =
    R"(# (d) out of free flight onto a boundary that it meets tangentially, at x = 0
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {g = 9.8}
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
let = {flight = "-0.5*g*x^2"}                           # where the particle flies
gaps = {ground = "y - flight + min(0, x)^2 - max(0, x)^2"}

[initial]
q = [-0.503, -1.2397441]                                # on y = flight
v = [1.0, 4.9294]

[method]
stepper = "gvi"
flow = "midpoint"

[time]
step = 0.01
end = 1.0
)";

constexpr double g = 9.8, h = 0.01, flies_until = 0.503;
constexpr double touching = 1e-12;  // a gap below it is closed

const std::vector<std::string> contact_stepper{"method.stepper=contact", "method.flow=midpoint"};
const std::vector<std::string> endpoint{"method.stepper=direct", "method.scheme=endpoint"};
const std::vector<std::string> collisions{"method.stepper=event-driven", "method.impact=continuous-energy"};

double energy_error(const Recorded& r) {
  double worst = 0;
  for (const double H : r.trajectory["H"]) worst = std::fmax(worst, std::abs(H - r.trajectory["H"].front()));
  return worst;
}

double largest_gap_after(const Recorded& r, double t) {
  double worst = 0;
  for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
    if (r.trajectory["t"][i] > t) worst = std::fmax(worst, r.trajectory["gaps1"][i]);
  return worst;
}

// Height of the last state on the boundary, or not a number where it never leaves.
double height_of_leaving(const Recorded& r) {
  const auto& gap = r.trajectory["gaps1"];
  for (std::size_t i = 1; i < gap.size(); ++i)
    if (gap[i] > touching) return r.trajectory["q2"][i - 1];
  return std::nan("");
}

struct Runs {
  Recorded a, b, c, d;
};
Runs runs_by(const Lab& lab, const std::vector<std::string>& set) {
  return {lab.record(along, set), lab.record(against, set), lab.record(off, set), lab.record(onto, set)};
}

Series path(const Recorded& r, const std::string& label) {
  return {.label = label, .x = r.trajectory["q1"], .y = r.trajectory["q2"]};
}

Series boundary(double from, double to, double (*y)(double)) {
  Series r{.label = "boundary", .colour = Series::grey};
  r.x = evenly(from, to, 200);
  for (const double x : r.x) r.y.push_back(y(x));
  return r;
}

Picture of_paths(const Runs& gvi) {
  const auto axes = [](std::string title, Series wall, Series way) {
    return Axes{.title = std::move(title), .x_label = "x", .y_label = "y", .series = {wall, way}};
  };
  const auto circle = [](double x) { return std::sqrt(std::fmax(0, 1 - x * x)); };
  const auto ramp = [](double x) { return -0.5 * g * x * x + (x < 0 ? -x * x : x * x); };
  return {"",
          {.width = 900,
           .height = 640,
           .columns = 2,
           .axes = {axes("(a) along", boundary(-1.2, 1.2, [](double x) { return 0.5 * x * x; }),
                         path(gvi.a, "gvi")),
                    axes("(b) against", boundary(-1, 1, [](double) { return 0.0; }), path(gvi.b, "gvi")),
                    axes("(c) off", boundary(-0.2, 1, circle), path(gvi.c, "gvi")),
                    axes("(d) onto", boundary(-0.5, 0.5, ramp), path(gvi.d, "gvi"))}}};
}

Series gap_over_time(const Recorded& r, const std::string& label, double from, int colour) {
  Series s{.label = label, .colour = colour};
  for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
    if (r.trajectory["t"][i] >= from)
      s.x.push_back(r.trajectory["t"][i]), s.y.push_back(r.trajectory["gaps1"][i]);
  return s;
}

Series energy_over_time(const Recorded& r, const std::string& label, int colour) {
  return {.label = label, .x = r.trajectory["t"], .y = r.trajectory["H"], .colour = colour};
}

Picture of_gaps(const Runs& gvi, const Runs& ours, const Recorded& direct) {
  const auto axes = [](std::string title, const Recorded& theirs, const Recorded& own, double from) {
    return Axes{
        .title = std::move(title),
        .x_label = "t",
        .y_label = "gap",
        .series = {gap_over_time(theirs, "gvi", from, 1), gap_over_time(own, "ours: contact", from, 0)}};
  };
  return {"ours",
          {.title = "Energy along the boundary, and distance from it",
           .width = 900,
           .height = 640,
           .columns = 2,
           .axes = {{.title = "(a) along",
                     .x_label = "t",
                     .y_label = "H",
                     .series = {energy_over_time(gvi.a, "gvi", 1), energy_over_time(direct, "endpoint", 2),
                                energy_over_time(ours.a, "ours: contact", 0)}},
                    axes("(b) against", gvi.b, ours.b, 0),
                    axes("(c) off", gvi.c, ours.c, 0.6),
                    axes("(d) onto, after it is met", gvi.d, ours.d, 0.48)}}};
}

Finding reproduce(const Lab& lab) {
  const Runs gvi = runs_by(lab, {}), ours = runs_by(lab, contact_stepper);
  const Recorded direct = lab.record(along, endpoint), collided = lab.record(along, collisions);

  const double a_gap = largest(gvi.a.trajectory["gaps1"]), a_H = energy_error(gvi.a);
  const double a_lost = direct.trajectory["H"][0] - band(direct.trajectory["H"]).low;
  const double b_H = energy_error(gvi.b), b_shift = band(gvi.b.trajectory["p1"]).width();
  const double expected = 2.0 / 3 + 0.25 / (3 * g), left = height_of_leaving(gvi.c);
  const double c_off = std::abs(left - expected), speed = std::sqrt(0.25 + 2 * g * (1 - expected));
  const double ours_off = std::abs(height_of_leaving(ours.c) - expected);
  const double d_gap = largest_gap_after(gvi.d, flies_until);
  const double d_ours = largest_gap_after(ours.d, flies_until);

  Finding f;
  f.verdict =
      judge({a_gap < touching && gvi.a.result.impacts == 0 && a_H < 1e-3 * gvi.a.trajectory["H"][0],
             gvi.b.result.impacts == 1 && b_shift < 1e-13 && b_H < 1e-12,
             gvi.c.result.impacts == 0 &&
                 c_off<speed * h, gvi.d.result.impacts == 0, a_lost> 0.1 * direct.trajectory["H"][0] &&
                 collided.result.status != "completed"});
  f.measured = fmt::format(
      "GVI: (a) stays within {:.1e} of the valley for T = 10 without an impact, H within {:.1e} of {:.2f}; "
      "(b) {} impact, H kept to {:.0e}; (c) leaves at y = {:.4f} where it should at {:.4f}, a step being "
      "{:.3f} long; (d) bounces {} times where it should stay, up to {:.1e} high. Of the methods before it, "
      "direct substitution at the end of the step loses {:.2g} of {:.2f} on (a), and a collision integrator "
      "{} at t = {:g}.",
      a_gap, a_H, gvi.a.trajectory["H"][0], gvi.b.result.impacts, b_H, left, expected, speed * h,
      gvi.d.result.impacts, d_gap, a_lost, direct.trajectory["H"][0],
      collided.result.status == "completed" ? "arrives" : "gives up on it", collided.result.t);
  f.ours = fmt::format(
      "The contact stepper with shadow on midpoint: (a) within {:.1e}, H within {:.1e}; (c) last on the disc "
      "at y = {:.4f}, then released inside a step; (d) {} impacts, the last at t = {:.6f} (met at {}), then "
      "within {:.1e} of the boundary: it slides on.",
      largest(ours.a.trajectory["gaps1"]), energy_error(ours.a), height_of_leaving(ours.c),
      ours.d.result.impacts, ours.d.result.last_impact, flies_until, d_ours);
  f.numbers = {{"a_largest_gap", a_gap},           {"a_energy_error", a_H},
               {"a_endpoint_energy_loss", a_lost}, {"b_energy_error", b_H},
               {"c_leaves_off_by", c_off},         {"c_step_length", speed * h},
               {"c_ours_off_by", ours_off},        {"d_bounces", static_cast<double>(gvi.d.result.impacts)},
               {"d_largest_gap", d_gap},           {"d_largest_gap_ours", d_ours}};
  f.pictures = {of_paths(gvi), of_gaps(gvi, ours, direct)};
  return f;
}

const std::string parameters =
    std::string(along) + std::string(against) + std::string(off) + std::string(onto);

}  // namespace of_fig_1_2

Item fig_1_2() {
  using namespace of_fig_1_2;
  return {.name = "003-fig-1.2",
          .place = "Fig. 1.2",
          .title = "Along a boundary, against it, off it and onto it",
          .claim =
              "A method has to (a) move smoothly along a boundary, (b) be reflected where it meets it in the "
              "normal direction, (c) leave it where nothing presses, and (d) stay on it where it arrives "
              "tangentially; methods before GVI fail, GVI does all of them.",
          .parameters = parameters,
          .methods =
              "gvi on midpoint (the paper's); direct substitution at the end of the step and "
              "continuous-energy (before it); ours: contact with shadow",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
