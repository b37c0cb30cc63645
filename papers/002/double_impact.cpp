// 002, (78), (79): several impacts in one step. The parts of the step before, between and after them have one
// discrete energy, and at each impact the momentum along its wall is kept; both are computed here from the
// recorded places and times alone.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_double_impact {

constexpr std::string_view scenario =
    R"toml(# A particle between two walls that meet at an angle, in a curved field.
[system]              # all of this is our choice: the paper has no example
name = "expression"
coordinates = ["x", "y"]
parameters = {angle = 1.5707963267948966}  # and pi/6, for up to six impacts in a step
lagrangian = "0.5*(x'^2 + y'^2) - (x + 2*y + 0.5*sin(2*x)*cos(y))"
gaps = {floor = "y", wall = "x*sin(angle) - y*cos(angle)"}

[initial]             # such that it hits the wall 0.35 h, the floor about 0.65 h into one step
q = [0.5, 0.5]
p = [-1.3, -0.9]

[method]
name = "vci"

[time]
step = 0.05           # from 0.05 to 0.00625
end = 0.8
)toml";

using Place = std::array<double, 2>;

double potential(const Place& q) { return q[0] + 2 * q[1] + 0.5 * std::sin(2 * q[0]) * std::cos(q[1]); }
Place slope_of_potential(const Place& q) {
  return {1 + std::cos(2 * q[0]) * std::cos(q[1]), 2 - 0.5 * std::sin(2 * q[0]) * std::sin(q[1])};
}

// The places of a step with impacts: its start, the impacts, its end.
struct Walk {
  std::vector<double> t;
  std::vector<Place> q;
  std::vector<std::string> walls;  // of the impacts
  int impacts() const { return static_cast<int>(walls.size()); }
};

Walk walk_of(const Recorded& run, double h) {
  const Columns &rows = run.trajectory, &impacts = run.impacts;
  Walk r;
  if (impacts.rows() == 0) return r;
  const auto end = static_cast<std::size_t>(impacts["step"].front());
  const auto at = [](const Columns& c, std::size_t i) { return Place{c["q1"][i], c["q2"][i]}; };
  r.t.push_back(static_cast<double>(end - 1) * h), r.q.push_back(at(rows, end - 1));
  for (std::size_t i = 0; i < impacts.rows(); ++i) {
    if (static_cast<std::size_t>(impacts["step"][i]) != end) continue;
    r.t.push_back(impacts["t"][i]), r.q.push_back(at(impacts, i)), r.walls.push_back(run.contacts[i]);
  }
  r.t.push_back(static_cast<double>(end) * h), r.q.push_back(at(rows, end));
  return r;
}

struct Residuals {
  double energy = 0, momentum = 0;  // of (78a), (79a) and of (78b), (79b)
  int impacts = 0;
};

Residuals residuals_of(const Walk& w, double angle) {
  const auto velocity = [&](std::size_t j) {  // of part j
    const double tau = w.t[j + 1] - w.t[j];
    return Place{(w.q[j + 1][0] - w.q[j][0]) / tau, (w.q[j + 1][1] - w.q[j][1]) / tau};
  };
  const auto energy = [&](std::size_t j) {
    const Place v = velocity(j);
    return (v[0] * v[0] + v[1] * v[1]) / 2 + (potential(w.q[j]) + potential(w.q[j + 1])) / 2;
  };
  Residuals r{.impacts = w.impacts()};
  for (std::size_t j = 1; j + 1 < w.q.size(); ++j) {
    r.energy = std::fmax(r.energy, std::abs(energy(j) - energy(j - 1)));
    const Place before = velocity(j - 1), after = velocity(j), slope = slope_of_potential(w.q[j]);
    const double half = (w.t[j + 1] - w.t[j - 1]) / 2, a = w.walls[j - 1] == "floor" ? 0 : angle;
    const auto along = [a](const Place& x) { return x[0] * std::cos(a) + x[1] * std::sin(a); };
    r.momentum = std::fmax(r.momentum, std::abs(along(after) - along(before) + half * along(slope)));
  }
  return r;
}

std::string state(const char* key, const std::vector<double>& values) {
  return fmt::format("initial.{}={}", key, list_of(values));
}

// A start whose motion reaches the wall 0.35 h into the step at T/2, and the floor about 0.3 h later: the
// motion from there backwards, by reversing it.
Settings start_for(const Lab& lab, double h, int steps) {
  const double back = (steps / 2 + 0.35) * h;
  const RunResult r = lab.complete(
      scenario, {"method.name=gauss", "method.stages=6", fmt::format("time.step={:.17g}", back / 40),
                 fmt::format("time.end={:.17g}", back), state("q", {0, 0.27 * h}), state("p", {1.3, 0.9})});
  return {state("q", r.q), state("p", {-r.p[0], -r.p[1]}), fmt::format("time.step={:.17g}", h),
          fmt::format("time.end={:.17g}", steps * h)};
}

Settings joined(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Convergence {
  std::vector<double> h, error;
  Residuals worst;
  int fewest = 100;  // impacts in the step
  double slope() const { return log_slope(h, error); }
};

Convergence converge(const Lab& lab, const Settings& method, const std::vector<int>& counts) {
  constexpr double T = 0.8;
  Convergence r;
  for (const int steps : counts) {
    const double h = T / steps;
    const Settings start = start_for(lab, h, steps);
    const Recorded run = lab.record(scenario, joined(method, start));
    const RunResult exact = lab.complete(scenario, joined({"method.name=gauss", "method.stages=8"}, start));
    r.h.push_back(h), r.error.push_back(distance(run.result, exact));
    const Residuals here = residuals_of(walk_of(run, h), std::acos(-1.0) / 2);
    r.worst.energy = std::fmax(r.worst.energy, here.energy);
    r.worst.momentum = std::fmax(r.worst.momentum, here.momentum);
    r.fewest = std::min(r.fewest, here.impacts);
  }
  return r;
}

// One step towards the corner of a wedge of 30 degrees.
struct Wedge {
  Walk walk;
  Residuals residuals;
  double energy_change = 0;  // of H, over the step
};

Wedge into_wedge(const Lab& lab, const std::string& method, double h) {
  const double angle = std::acos(-1.0) / 6, away = 0.6 * h, to = 0.2;
  const Recorded run =
      lab.record(scenario, {method, fmt::format("system.parameters.angle={:.17g}", angle),
                            fmt::format("time.step={:.17g}", h), fmt::format("time.end={:.17g}", h),
                            state("q", {away * std::cos(0.3), away * std::sin(0.3)}),
                            state("p", {-1.5 * std::cos(to), -1.5 * std::sin(to)})});
  Wedge r{walk_of(run, h), {}, run.result.energy.final - run.result.energy.initial};
  r.residuals = residuals_of(r.walk, angle);
  return r;
}

Series path_of(const std::string& label, const Walk& w) {
  Series r{.label = label, .markers = true};
  for (const Place& q : w.q) r.x.push_back(q[0]), r.y.push_back(q[1]);
  return r;
}

Series wall(double angle, double length) {
  return {.label = "walls",
          .x = {length * std::cos(angle), 0, length},
          .y = {length * std::sin(angle), 0, 0},
          .colour = Series::grey};
}

Figure steps_figure(const Walk& two, const Wedge& wedge) {
  const auto axes = [](std::string title, const Walk& walk, const Series& walls) {
    return Axes{.title = std::move(title),
                .x_label = "x",
                .y_label = "y",
                .equal_aspect = true,
                .series = {path_of("vci, one step", walk), walls}};
  };
  return {.axes = {axes("(a) two impacts in one step", two, wall(std::acos(-1.0) / 2, 0.05)),
                   axes(fmt::format("(b) {} impacts in one step", wedge.residuals.impacts), wedge.walk,
                        wall(std::acos(-1.0) / 6, 0.06))}};
}

Figure errors_figure(const Convergence& by_vci, const Convergence& by_shadow, const Convergence& by_4) {
  const auto series = [](const char* label, const Convergence& c, bool dashed) {
    return Series{.label = label, .x = c.h, .y = c.error, .dashed = dashed, .markers = true};
  };
  return {.title = "Error after two impacts in one step",
          .width = 560,
          .height = 420,
          .axes = {{.x_label = "step h",
                    .y_label = "error at T = 0.8",
                    .log_x = true,
                    .log_y = true,
                    .series = {series("vci", by_vci, false), series("ours: svc, shadow", by_shadow, true),
                               series("ours: yoshida4, shadow", by_4, false)}}}};
}

// The step with two impacts, from its start on.
SymplecticDefect defect_of(const Lab& lab, const std::string& method, const Recorded& run, double h) {
  const auto node = static_cast<std::size_t>(run.impacts["step"].front()) - 1;
  const Columns& rows = run.trajectory;
  return symplectic_defect(lab, scenario,
                           {method, fmt::format("time.step={}", h), fmt::format("time.end={}", h)},
                           {rows["q1"][node], rows["q2"][node]}, {rows["p1"][node], rows["p2"][node]}, 5e-4);
}

Finding reproduce(const Lab& lab) {
  const std::vector<int> counts =
      lab.quick ? std::vector{16, 32, 64, 128} : std::vector{16, 24, 32, 48, 64, 96, 128};
  const Convergence by_vci = converge(lab, {vci}, counts), by_shadow = converge(lab, {shadow}, counts),
                    by_4 = converge(lab, {shadow, "method.flow=yoshida4"}, counts);
  const Wedge wedge = into_wedge(lab, vci, 0.05), wedge_shadow = into_wedge(lab, shadow, 0.05);
  const double h = 0.05;
  const Recorded run = lab.record(scenario, joined({vci}, start_for(lab, h, 16)));
  const Walk two = walk_of(run, h);
  const SymplecticDefect defect = defect_of(lab, vci, run, h), defect_shadow = defect_of(lab, shadow, run, h);

  Finding f;
  const double energy = std::fmax(by_vci.worst.energy, wedge.residuals.energy),
               momentum = std::fmax(by_vci.worst.momentum, wedge.residuals.momentum);
  f.verdict = judge({by_vci.fewest == 2 && wedge.residuals.impacts > 2, energy < 1e-10, momentum < 1e-10,
                     std::abs(by_vci.slope() - 2) < 0.2, defect.defect < 1e-7});
  f.measured = fmt::format(
      "Two impacts in one step, and {} in a wedge of 30 degrees: the discrete energies of the parts agree to "
      "{:.1g}, the momenta along the walls to {:.1g}. The error after the double impact has slope {:.2f} in "
      "h, and the step with two impacts is symplectic to {:.1g} (known to {:.1g}).",
      wedge.residuals.impacts, energy, momentum, by_vci.slope(), defect.defect, defect.difference);
  f.ours = fmt::format(
      "With shadow the slope is {:.2f} on svc and {:.2f} on yoshida4. Over the step into the wedge H changes "
      "by {:.1g} with vci and by {:.1g} with shadow, whose step is not symplectic ({:.1g}).",
      by_shadow.slope(), by_4.slope(), std::abs(wedge.energy_change), std::abs(wedge_shadow.energy_change),
      defect_shadow.defect);
  f.numbers = {{"impacts_in_wedge_step", static_cast<double>(wedge.residuals.impacts)},
               {"largest_energy_residual", energy},
               {"largest_momentum_residual", momentum},
               {"slope_vci", by_vci.slope()},
               {"slope_shadow_svc", by_shadow.slope()},
               {"slope_shadow_yoshida4", by_4.slope()},
               {"symplectic_defect_vci", defect.defect},
               {"symplectic_defect_shadow", defect_shadow.defect},
               {"energy_change_in_wedge_vci", wedge.energy_change},
               {"energy_change_in_wedge_shadow", wedge_shadow.energy_change}};
  f.pictures = {{"", steps_figure(two, wedge)}, {"ours", errors_figure(by_vci, by_shadow, by_4)}};
  return f;
}

}  // namespace of_double_impact

Item double_impact() {
  using namespace of_double_impact;
  return {
      .name = "002-double-impact",
      .place = "(78), (79)",
      .title = "Several impacts in one step",
      .claim =
          "Impacts within one step are resolved one after the other, the parts of the step having one "
          "discrete energy; the generalization to any number is immediate.",
      .parameters = scenario,
      .methods =
          "vci on svc (the paper's); shadow on svc and yoshida4 beside it; reference: gauss with 8 stages",
      .reproduce = reproduce};
}

}  // namespace carom::papers::p002
