// 004, section 4: the multiplier of the mass on a cubic, and whether the constraint stays active.
#include <fmt/format.h>

#include <algorithm>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_constraint_active {

Series multiplier(const Lab& lab, const std::string& label, const std::vector<std::string>& set) {
  const Recorded r = lab.record(mass_on_cubic.scenario, set);
  return {.label = label, .x = r.trajectory["t"], .y = r.trajectory["multipliers1"]};
}

Series cubic() {
  Series r{.label = "curve", .x = evenly(-8, 10, 91), .colour = Series::grey, .dashed = true};
  for (const double x : r.x) r.y.push_back(0.01 * x * x * x);
  return r;
}

Finding reproduce(const Lab& lab) {
  const std::vector<std::string> fine = {"time.step=0.001", "method.flow=sva"};
  const Recorded rubbed = lab.record(mass_on_cubic.scenario, fine);
  const auto& psi = rubbed.trajectory["multipliers1"];
  double off = 0;  // of the expression, at the points of the run
  for (std::size_t i = 0; i < psi.size(); ++i) {
    const State at = {rubbed.trajectory["q1"][i], rubbed.trajectory["q2"][i], rubbed.trajectory["p1"][i],
                      rubbed.trajectory["p2"][i]};
    off = std::fmax(off, std::abs(psi[i] - mass_on_cubic.multiplier(at)));
  }
  const double smallest = *std::min_element(psi.begin(), psi.end());
  const Recorded on =
      lab.record(mass_on_cubic.scenario, {"time.step=0.001", "method.flow=sva", "time.end=1.6"});
  const auto& later = on.trajectory["multipliers1"];
  const auto gone = std::find(later.begin(), later.end(), 0.0);
  Finding f;
  f.verdict = judge({std::abs(psi.front() - 1.7586) < 5e-5, smallest > 0, off < 1e-9});
  f.measured = fmt::format(
      "psi(0) = {:.6f}; on [0, 1] psi is {:.4f} or more. The paper's expression, which has no friction in "
      "it, and the multiplier that is solved for with friction differ by {:.0e} at most.",
      psi.front(), smallest, off);
  if (gone != later.end())
    f.ours = fmt::format(
        "Beyond the paper the constraint is an inequality: the mass slides through the bend and takes off at "
        "t = {:.3f}, at y1 = {:.3f}, where psi reaches 0 (events, not steps, decide when).",
        on.trajectory["t"][static_cast<std::size_t>(gone - later.begin())],
        on.trajectory["q1"][static_cast<std::size_t>(gone - later.begin())]);
  f.numbers = {{"psi_at_start", psi.front()}, {"smallest_psi", smallest}, {"off_expression", off}};
  f.pictures = {
      {"",
       {.axes = {
            {.title = "as the paper",
             .x_label = "t",
             .y_label = "psi",
             .series = {{.label = "with friction", .x = rubbed.trajectory["t"], .y = psi},
                        multiplier(lab, "without",
                                   {"time.step=0.001", "method.flow=sva", "system.parameters.c_f=0.0"})}},
            {.title = "ours: going on until it takes off",
             .x_label = "y1",
             .y_label = "y2",
             .series = {{.label = "mass", .x = on.trajectory["q1"], .y = on.trajectory["q2"]}, cubic()}}}}}};
  return f;
}

}  // namespace of_constraint_active

Item constraint_active() {
  using namespace of_constraint_active;
  return {.name = "004-constraint-active",
          .place = "section 4, after (4.2)",
          .title = "The multiplier of the mass on a cubic",
          .claim =
              "The exact multiplier does not depend on friction, is 1.7586 at the start and stays positive "
              "on [0, 1], so that the constraint remains active.",
          .parameters = mass_on_cubic.scenario,
          .methods = "sva on the true method, h = 0.001 (ours: the claim is about the exact solution)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
