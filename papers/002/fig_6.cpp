// 002, appendix and Fig. 6: a collision at a corner of the contact set.
//
// Two kinds of corners. Fig. 6 has the tip of a convex obstacle: the complement K of C is a wedge, N_C at the
// tip is the cone of minus the normals of both faces. The paper's own star has the other kind, where two
// vertices touch at once.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_fig_6 {

constexpr std::string_view tip =
    R"toml(# (a) A free particle, and the tip of an obstacle y <= -|x|; all of it is our choice.
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {rho = 0.0}  # the tip rounded over this length
lagrangian = "0.5*(x'^2 + y'^2)"
gaps = {obstacle = "y + sqrt(x^2 + rho^2) - rho"}

[initial]
q = [-0.3, 1.0]       # hits the tip; others are shifted in x
v = [0.3, -1.0]

[method]
name = "vci"

[time]
step = 0.3
end = 1.5

# (b) The star of Fig. 4, h = 0.005, g = 9.81, from q = (0, 2, 0), v = (-2, 0, 0): it lands on one side, on two
# vertices at once, 100 times; with four gaps, and with the one gap of (81).
)toml";

constexpr std::string_view flat = R"toml([system]
name = "star"
parameters = {m = 1.0, L = 1.0, g = 9.81, kappa = 0.0}
[initial]
q = [0.0, 2.0, 0.0]
v = [-2.0, 0.0, 0.0]
[method]
name = "vci"
[time]
step = 0.005
impacts = 100
[output]
every = 10
)toml";

constexpr std::string_view flat_as_printed = R"toml([system]
name = "expression"
coordinates = ["x", "y", "a"]
lagrangian = "0.5*(x'^2 + y'^2 + 29/192*a'^2) - 9.81*y"
gaps = {floor = "y - 0.5*(abs(sin(a)) + abs(cos(a)))"}
[initial]
q = [0.0, 2.0, 0.0]
v = [-2.0, 0.0, 0.0]
[method]
name = "vci"
[time]
step = 0.005
impacts = 100
[output]
every = 10
)toml";

using Place = std::array<double, 2>;

double dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1]; }
Place sum(const Place& a, double s, const Place& b) { return {a[0] + s * b[0], a[1] + s * b[1]}; }
double apart(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }

// The point of the wedge y <= -|x| that is closest to one outside of it.
Place projected(const Place& q) {
  const Place edge{(q[0] < 0 ? -1 : 1) / std::numbers::sqrt2, -1 / std::numbers::sqrt2};
  const double along = std::fmax(0.0, dot(q, edge));
  return {along * edge[0], along * edge[1]};
}

// The places before, at and after an impact, and the momentum that it gave.
struct Shot {
  Place before, at, after, p_before, p_after;
  double alpha = 0;
  Place mean() const {  // q_{i-α}
    return {(1 - alpha) * before[0] + alpha * after[0], (1 - alpha) * before[1] + alpha * after[1]};
  }
  double outwards() const {  // from the vertical, in degrees
    return std::atan2(p_after[0], p_after[1]) * 180 / std::numbers::pi;
  }
  // Parts of the impulse along the normals (-1, 1) and (1, 1) of the faces.
  double least_share() const {
    const double x = p_after[0] - p_before[0], y = p_after[1] - p_before[1];
    return std::fmin(y - x, y + x) / 2;
  }
};

Shot shoot(const Lab& lab, double shift, double rho) {
  const Recorded run = lab.record(tip, {fmt::format("initial.q=[{:.17g}, 1.0]", -0.3 + shift),
                                        fmt::format("system.parameters.rho={:.17g}", rho)});
  const Columns &rows = run.trajectory, &impacts = run.impacts;
  if (impacts.rows() != 1) throw std::runtime_error("a shot at the tip does not hit once");
  const auto end = static_cast<std::size_t>(impacts["step"][0]);
  return {{rows["q1"][end - 1], rows["q2"][end - 1]},
          {impacts["q1"][0], impacts["q2"][0]},
          {rows["q1"][end], rows["q2"][end]},
          {impacts["p_before1"][0], impacts["p_before2"][0]},
          {impacts["p_after1"][0], impacts["p_after2"][0]},
          impacts["t"][0] / 0.3 - static_cast<double>(end - 1)};
}

// Which reflections at the tip itself obey (90): the normals, in degrees from the vertical.
Band normals_that_project(const Shot& exact) {
  Band r{90, -90};
  for (double degrees = -60; degrees <= 60; degrees += 0.5) {
    const double a = degrees * std::numbers::pi / 180, left = (1 - exact.alpha) * 0.3;
    const Place n{std::sin(a), std::cos(a)}, p = exact.p_before;
    Shot other = exact;
    other.after = sum(exact.at, left, sum(p, -2 * dot(p, n), n));
    if (apart(projected(other.mean()), exact.at) < 1e-12)
      r = {std::fmin(r.low, degrees), std::fmax(r.high, degrees)};
  }
  return r;
}

struct Fan {
  std::vector<double> shift, angle;
  Series ways{.label = "rounded tip, ρ = 0.01"};
  double furthest = 0;     // from the tip, in ρ
  double least_share = 1;  // of the impulse along either face's normal
};

Fan fan(const Lab& lab, double rho, int count) {
  Fan r;
  for (const double s : evenly(-6, 6, count)) {
    const Shot shot = shoot(lab, s * rho, rho);
    r.shift.push_back(s), r.angle.push_back(shot.outwards());
    r.furthest = std::fmax(r.furthest, std::hypot(shot.at[0], shot.at[1]) / rho);
    r.least_share = std::fmin(r.least_share, shot.least_share());
    for (const Place& q : {sum(shot.at, -0.6, shot.p_before), shot.at, sum(shot.at, 0.6, shot.p_after)})
      r.ways.x.push_back(q[0]), r.ways.y.push_back(q[1]);
    r.ways.x.push_back(std::nan("")), r.ways.y.push_back(std::nan(""));
  }
  return r;
}

Figure figure_6(const Shot& exact, const Fan& few, const Fan& many, const std::vector<double>& shifts,
                const std::vector<double>& sharp) {
  const auto way = [&exact](const Place& p, double time) { return sum(exact.at, time, p); };
  const Place from = way(exact.p_before, -0.8), to = way(exact.p_after, 0.8);
  return {.height = 400,
          .axes = {{.title = "(a) at a tip",
                    .x_label = "x",
                    .y_label = "y",
                    .equal_aspect = true,
                    .x_range = Interval{-1, 1},
                    .y_range = Interval{-0.9, 0.9},
                    .series = {few.ways,
                               {.label = "sharp tip, hit exactly",
                                .x = {from[0], exact.at[0], to[0]},
                                .y = {from[1], exact.at[1], to[1]},
                                .markers = true},
                               {.label = "obstacle",
                                .x = {-0.4, 0, 0.4},
                                .y = {-0.4, 0, -0.4},
                                .colour = Series::grey}}},
                   {.title = "(b) the direction after the impact",
                    .x_label = "distance by which the tip is missed, in ρ, or in 0.01",
                    .y_label = "degrees from the vertical",
                    .series = {{.label = "rounded tip", .x = many.shift, .y = many.angle},
                               {.label = "sharp tip", .x = shifts, .y = sharp, .markers = true}}}}};
}

struct Landing {
  std::string status;
  std::int64_t impacts = 0, on_both = 0;
  double largest_angle = 0, least_share = 0, energy_error = 0;
  Series height = {}, angle = {};
};

Landing land(const Lab& lab, const std::string& label, std::string_view scenario, const Settings& settings) {
  const Recorded run = lab.record(scenario, settings);
  const Columns &rows = run.trajectory, &impacts = run.impacts;
  Landing r{.status = run.result.status, .impacts = run.result.impacts};
  r.largest_angle = largest(rows["q3"]), r.energy_error = run.result.energy.max_abs_error;
  r.least_share = HUGE_VAL;
  for (std::size_t i = 0; i < impacts.rows(); ++i) {
    r.on_both += run.contacts[i] == "vertex 3 + vertex 4";
    // p⁺ - p⁻ = λ₃ (0, 1, -L/2) + λ₄ (0, 1, L/2)
    const double y = impacts["p_after2"][i] - impacts["p_before2"][i],
                 turn = 2 * (impacts["p_after3"][i] - impacts["p_before3"][i]);
    r.least_share = std::fmin(r.least_share, (y - std::abs(turn)) / (2 * y));
  }
  r.height = {.label = label, .x = rows["t"], .y = rows["q2"]};
  r.angle = {.label = label, .x = rows["t"], .y = rows["q3"]};
  return r;
}

Figure landing_figure(const Landing& printed, const std::vector<const Landing*>& ours) {
  Axes height{.title = "(a) height of the centre",
              .x_label = "t",
              .y_label = "y",
              .x_range = Interval{0, 5},
              .y_range = Interval{0.4, 3},
              .series = {ours.back()->height, printed.height}};
  height.series[1].markers = true;
  Axes angle{.title = "(b) angle, which should stay 0", .x_label = "t", .y_label = "θ", .series = {}};
  for (const Landing* l : ours) angle.series.push_back(l->angle);
  return {.title = "A star that lands on one side", .axes = {height, angle}};
}

Finding reproduce(const Lab& lab) {
  const Shot exact = shoot(lab, 0, 0);
  double projection = apart(projected(exact.mean()), exact.at);
  std::vector<double> shifts, sharp;
  for (const double s : evenly(-6, 6, 13)) {  // in hundredths: beside the tip, and at it
    const Shot shot = shoot(lab, 0.01 * s, 0);
    if (!sharp.empty() && std::abs(shot.outwards() - sharp.back()) > 1)  // no line from one face to the other
      shifts.push_back(s), sharp.push_back(std::nan(""));
    shifts.push_back(s), sharp.push_back(shot.outwards());
    projection = std::fmax(projection, apart(projected(shot.mean()), shot.at));
  }
  const Band cone = normals_that_project(exact), directions = band(sharp);
  const Fan few = fan(lab, 0.01, 9), many = fan(lab, 1e-6, lab.pick(121, 61));
  const Landing printed = land(lab, "gap as in (81): ends", flat_as_printed, {}),
                by_vci = land(lab, "vci, four gaps", flat, {vci}),
                by_contact = land(lab, "ours: contact", flat, {"method.name=svc", "method.stepper=contact"});

  Finding f;
  const double scale = std::hypot(exact.p_before[0], exact.p_before[1]);
  const bool in_cone = exact.least_share() > -1e-12 * scale && many.least_share > -1e-12 * scale;
  f.verdict =
      judge({in_cone, projection < 1e-12, cone.low == -45 && cone.high == 45, printed.status == "failed"});
  f.measured = fmt::format(
      "At the tip the impulse lies in the cone of the faces' normals (least share {:.1g}), and the impact is "
      "the closest point (90) to {:.1g}, there and beside the tip. (90) holds for every normal from {:.0f} "
      "to {:.0f} degrees, all of the cone: so (86) and the energy do not say where the particle goes. Tips "
      "rounded over 1e-6 send it anywhere from {:.0f} to {:.0f} degrees from the vertical. The algorithm of "
      "3.1 with the one gap of (81) {} where the star lands on one side, a corner.",
      exact.least_share(), projection, cone.low, cone.high, band(many.angle).low, band(many.angle).high,
      printed.status == "failed" ? "ends" : "goes on");
  f.ours = fmt::format(
      "At a sharp tip carom takes one face's normal ({:.0f} degrees). Landing on one side, with a gap for "
      "each vertex, {} of {} impacts are on both; the star stays upright to {:.1g} with vci and {:.1g} with "
      "contact, which keeps H to {:.1g}, and the lesser of both impulses is {:.3f} of their sum.",
      exact.outwards(), by_contact.on_both, by_contact.impacts, by_vci.largest_angle,
      by_contact.largest_angle, by_contact.energy_error, by_contact.least_share);
  f.numbers = {{"least_share_at_tip", exact.least_share()},
               {"largest_distance_from_projection", projection},
               {"least_normal_that_projects", cone.low},
               {"largest_normal_that_projects", cone.high},
               {"least_direction_rounded", band(many.angle).low},
               {"largest_direction_rounded", band(many.angle).high},
               {"least_direction_sharp", directions.low},
               {"largest_direction_sharp", directions.high},
               {"impacts_as_printed", static_cast<double>(printed.impacts)},
               {"impacts_on_both_contact", static_cast<double>(by_contact.on_both)},
               {"largest_angle_vci", by_vci.largest_angle},
               {"largest_angle_contact", by_contact.largest_angle},
               {"largest_energy_error_contact", by_contact.energy_error},
               {"least_share_of_impulse_contact", by_contact.least_share}};
  f.pictures = {{"", figure_6(exact, few, many, shifts, sharp)},
                {"ours", landing_figure(printed, {&by_vci, &by_contact})}};
  return f;
}

}  // namespace of_fig_6

Item fig_6() {
  using namespace of_fig_6;
  return {
      .name = "002-fig-6",
      .place = "appendix, Fig. 6, (86), (90)",
      .title = "Collision at a corner of the contact set",
      .claim =
          "At a corner the jump of the momentum lies in the normal cone (86), the place of a free particle's "
          "impact is a closest-point projection (90), and the algorithm of section 3.1 cannot cope.",
      .parameters = tip,
      .methods = "vci on svc (the paper's); contact on svc beside it",
      .reproduce = reproduce};
}

}  // namespace carom::papers::p002
