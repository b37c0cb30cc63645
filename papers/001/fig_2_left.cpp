// 001, Fig. 2 left: H of the double pendulum through five impacts, by the three methods of the paper.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p001 {
namespace of_fig_2_left {

constexpr std::string_view scenario = R"([system]
name = "double-pendulum"                # V with cos θ1 where the paper prints c2
parameters = {m1 = 1.0, m2 = 1.0, L1 = 1.0, L2 = 1.0, g = 10.0, wall = -0.25}

[initial]
q = [0.5647, 1.1106]
p = [3.7270, 0.2415]

[method]
name = "ctec"                           # and "dtec", "mhc" with a window of 8 steps (our choice)

[time]
step = 0.058
end = 8.178                             # our choice, 141 steps: five impacts need 6.91 < T < 8.73
)";

constexpr double h = 0.058, end = 8.178;

// The potential to the letter: c2 stands where c1 should.
constexpr std::string_view as_printed = R"toml([system]
name = "expression"
coordinates = ["a", "b"]
let = {V = "10*(1 - cos(b)) + 10*(1 - cos(b)) + 10*(1 - cos(a + b))"}
lagrangian = "0.5*a'^2 + 0.5*(a'^2 + (a' + b')^2 + 2*a'*(a' + b')*cos(b)) - V"
gaps = {wall = "sin(a) + sin(a + b) + 0.25"}

[initial]
q = [0.5647, 1.1106]
p = [3.7270, 0.2415]

[method]
tolerance = 1e-10

[time]
step = 0.058
end = 10.0
)toml";

struct Motion {
  std::vector<double> t, H, impacts;
};

Motion motion(const Lab& lab, const std::vector<std::string>& set) {
  const Recorded r = lab.record(scenario, set);
  return {r.trajectory["t"], r.trajectory["H"], r.impacts["t"]};
}

// By how much each impact moves the level of H, its median between impacts; and how far it ever is from the
// first.
struct Levels {
  std::vector<double> jumps;
  double farthest = 0;
};

Levels levels_of(const Motion& m) {
  const auto level = levels(m.t, m.H, m.impacts);
  Levels r;
  for (std::size_t i = 1; i < level.size(); ++i) {
    r.jumps.push_back(level[i] - level[i - 1]);
    r.farthest = std::fmax(r.farthest, std::abs(level[i] - level[0]));
  }
  return r;
}

std::string listed(const std::vector<double>& jumps) {
  std::string r;
  for (const double x : jumps) r += fmt::format("{}{:.2g}", r.empty() ? "" : ", ", x);
  return r;
}

// At the first, second and fourth impact.
bool jumps_there(const Levels& own, double more_than) {
  if (own.jumps.size() < 4) return false;
  return std::abs(own.jumps[0]) > more_than && std::abs(own.jumps[1]) > more_than &&
         std::abs(own.jumps[3]) > more_than;
}

Series curve(std::string label, const Motion& m, int colour) {
  return {.label = std::move(label), .x = m.t, .y = m.H, .colour = colour};
}

// Dashed lines at impacts, from the lowest energy to the highest.
Series impact_lines(std::string label, const Motion& m, Interval range) {
  Series r{.label = std::move(label), .colour = Series::grey, .dashed = true};
  for (const double t : m.impacts)
    for (const double y : {range.low, range.high, std::nan("")}) r.x.push_back(t), r.y.push_back(y);
  return r;
}

Table windows(const Lab& lab) {
  Table r{.title = "How far the level of H is from the first, at most, by the window of MHC",
          .header = {"window", "mhc (svc's own H̃)", "mhc with the printed H̃"},
          .rows = {}};
  for (const int window : {1, 2, 4, 6, 8, 12, 17}) {
    const Motion own = motion(lab, {"method.name=mhc", fmt::format("method.window={}", window)});
    const PrintedMhc printed = printed_mhc(h, end, window);
    r.rows.push_back({fmt::format("{}", window), fmt::format("{:.2g}", levels_of(own).farthest),
                      fmt::format("{:.2g}", levels_of({printed.t, printed.H, printed.impacts}).farthest)});
  }
  return r;
}

struct Motions {
  Motion ctec, dtec, mhc, shadow, halved, composed, composed_halved, gauss;
};
Motions motions(const Lab& lab) {
  const std::string half = setting("time.step", h / 2);
  return {.ctec = motion(lab, {}),
          .dtec = motion(lab, {"method.name=dtec"}),
          .mhc = motion(lab, {"method.name=mhc"}),
          .shadow = motion(lab, {"method.name=shadow"}),
          .halved = motion(lab, {"method.name=shadow", half}),
          .composed = motion(lab, {"method.name=shadow", "method.flow=kahan-li8"}),
          .composed_halved = motion(lab, {"method.name=shadow", "method.flow=kahan-li8", half}),
          .gauss = motion(lab, {"method.name=gauss", "method.tolerance=1e-10"})};
}

std::vector<Picture> pictures(const Motions& m) {
  const Interval range{16.2, 19.0};
  const Axes frame{.x_label = "t", .y_label = "H", .y_range = range};
  Axes paper = frame, ours = frame;
  paper.series = {curve("DTEC", m.dtec, 2), curve("CTEC", m.ctec, 1), curve("MHC", m.mhc, 0),
                  impact_lines("impacts of CTEC", m.ctec, range)};
  ours.series = {curve("MHC", m.mhc, 0), curve("ours: shadow on svc, h", m.shadow, 3),
                 curve("ours: shadow on svc, h/2", m.halved, 4),
                 curve("ours: shadow on kahan-li8, h/2", m.composed_halved, 5),
                 curve("ours: tolerance 1e-10", m.gauss, 2)};
  return {{"", {.width = 760, .height = 400, .axes = {paper}}},
          {"ours", {.width = 760, .height = 400, .axes = {ours}}}};
}

Finding reproduce(const Lab& lab) {
  const Motions m = motions(lab);
  const PrintedMhc letter = printed_mhc(h, end, 8);
  const Levels of_ctec = levels_of(m.ctec), of_dtec = levels_of(m.dtec), of_mhc = levels_of(m.mhc),
               of_printed = levels_of({letter.t, letter.H, letter.impacts});
  const auto misprinted = lab.complete(as_printed).impacts;
  const double quietest = largest(of_mhc.jumps);

  Finding f;
  f.verdict =
      judge({m.ctec.impacts.size() == 5, jumps_there(of_ctec, quietest), jumps_there(of_dtec, quietest),
             of_mhc.farthest < 0.1 * std::fmin(of_ctec.farthest, of_dtec.farthest)});
  f.measured = fmt::format(
      "At the five impacts the level of H (its median between impacts) jumps by {} with ctec, by {} with "
      "dtec and by {} with mhc; the caption names the first, second and fourth. The level is off by up to "
      "{:.2g}, {:.2g} and {:.2g}. With the H̃ that the paper prints, which is sva's, mhc is off by {:.2g}, "
      "and a longer window helps (table). With the potential as printed, the pendulum hits the wall {} times "
      "until t = 10, not five times.",
      listed(of_ctec.jumps), listed(of_dtec.jumps), listed(of_mhc.jumps), of_ctec.farthest, of_dtec.farthest,
      of_mhc.farthest, of_printed.farthest, misprinted);
  f.ours = fmt::format(
      "shadow of order 8 on svc is off by up to {:.2g} in between and by {:.2g} at the end: with this step "
      "its stencil reaches over the spikes, the run warns, and mhc is better. With h/2 it is off by {:.2g}. "
      "On kahan-li8 it is off by {:.2g}, with h/2 by {:.2g}. Gauss collocation with tolerance 1e-10 stays "
      "within {:.1g}.",
      levels_of(m.shadow).farthest,
      std::abs(levels(m.shadow.t, m.shadow.H, m.shadow.impacts).back() -
               levels(m.shadow.t, m.shadow.H, m.shadow.impacts).front()),
      levels_of(m.halved).farthest, levels_of(m.composed).farthest, levels_of(m.composed_halved).farthest,
      levels_of(m.gauss).farthest);
  f.numbers = {{"impacts", static_cast<double>(m.ctec.impacts.size())},
               {"impacts_with_printed_potential", static_cast<double>(misprinted)},
               {"level_off_ctec", of_ctec.farthest},
               {"level_off_dtec", of_dtec.farthest},
               {"level_off_mhc", of_mhc.farthest},
               {"level_off_mhc_printed", of_printed.farthest},
               {"largest_jump_mhc", quietest},
               {"level_off_shadow", levels_of(m.shadow).farthest},
               {"level_off_shadow_halved", levels_of(m.halved).farthest},
               {"level_off_kahan_li8", levels_of(m.composed).farthest},
               {"level_off_kahan_li8_halved", levels_of(m.composed_halved).farthest},
               {"level_off_gauss", levels_of(m.gauss).farthest}};
  f.pictures = pictures(m);
  f.tables = {windows(lab)};
  return f;
}

}  // namespace of_fig_2_left

Item fig_2_left() {
  using namespace of_fig_2_left;
  return {.name = "001-fig-2-left",
          .place = "Fig. 2 left",
          .title = "H of the double pendulum through five impacts",
          .claim =
              "Impacts that fall into spikes of H, the first, second and fourth, make the energy of DTEC and "
              "CTEC drift; MHC, which keeps the stable value of H̃, does not drift.",
          .parameters = scenario,
          .methods =
              "dtec, ctec, mhc (the paper's), mhc with the printed H̃; ours: shadow of order 8 on svc and "
              "kahan-li8, gauss with a tolerance",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p001
