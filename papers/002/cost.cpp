// 002, section 1: the algorithm is implicit and very expensive. What an impact costs, in smooth steps of the
// same flow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common.hpp"
#include "item.hpp"

namespace carom::papers::p002 {
namespace of_cost {

constexpr std::string_view scenario = R"([system]
name = "star"
parameters = {m = 1.0, L = 1.0, g = 9.81, kappa = 0.1}  # g, kappa: our choice

[initial]
q = [0.0, 3.5, 0.0]
v = [-2.0, 0.0, 5.0]

[method]
name = "vci"

[time]
step = 0.05           # our choice: about 20 steps to an impact, so that impacts take most of the time
impacts = 200         # our choice: short runs, the fastest of 60 counts

[output]
every = 1000000000

# Smooth steps are timed from q = (0, 1e7, 0), where the star falls without touching: our choice
)";

struct Cost {
  double step = 0, impact = 0;  // seconds
  double solves = 0;            // evaluations of the law's energy in an impact
  double in_steps() const { return impact / step; }
};

// The least of many short runs, as other work on the machine only adds to a time.
Cost cost_of(const Lab& lab, const std::string& method) {
  double step = HUGE_VAL, run = HUGE_VAL, steps = 0, impacts = 0, solves = 0;
  for (int i = 0; i < lab.pick(60, 20); ++i) {
    const RunResult free = lab.complete(scenario, {method, "initial.q=[0.0, 1e7, 0.0]", "time.end=500"});
    step = std::min(step, free.stepping_seconds / static_cast<double>(free.timed_steps));
    const RunResult hit = lab.complete(scenario, {method});
    run = std::min(run, hit.stepping_seconds);
    steps = static_cast<double>(hit.timed_steps), impacts = static_cast<double>(hit.impacts);
    solves = static_cast<double>(hit.impact_solves);
  }
  return {step, (run - steps * step) / impacts, solves / impacts};
}

Finding reproduce(const Lab& lab) {
  const Cost by_vci = cost_of(lab, vci), by_cva = cost_of(lab, cva), by_shadow = cost_of(lab, shadow);
  Finding f;
  f.verdict = judge({by_vci.in_steps() > 10});
  f.measured = fmt::format(
      "An impact of the star by vci costs as much as {:.0f} smooth steps, {:.2g} microseconds, with {:.1f} "
      "evaluations of its energy; by cva {:.0f} steps.",
      by_vci.in_steps(), 1e6 * by_vci.impact, by_vci.solves, by_cva.in_steps());
  f.ours =
      fmt::format("By shadow {:.0f} steps, with {:.1f} evaluations of an energy that takes 9 iterates each.",
                  by_shadow.in_steps(), by_shadow.solves);
  f.numbers = {
      {"steps_per_impact_vci", by_vci.in_steps()},       {"steps_per_impact_cva", by_cva.in_steps()},
      {"steps_per_impact_shadow", by_shadow.in_steps()}, {"evaluations_per_impact_vci", by_vci.solves},
      {"evaluations_per_impact_cva", by_cva.solves},     {"evaluations_per_impact_shadow", by_shadow.solves}};
  f.tables = {{"Cost of an impact of the star", {"method", "in smooth steps", "evaluations"}, {}}};
  for (const auto& [name, cost] : {std::pair{"vci", by_vci}, {"cva", by_cva}, {"shadow", by_shadow}})
    f.tables[0].rows.push_back(
        {name, fmt::format("{:.0f}", cost.in_steps()), fmt::format("{:.1f}", cost.solves)});
  return f;
}

}  // namespace of_cost

Item cost() {
  using namespace of_cost;
  return {.name = "002-cost",
          .place = "section 1",
          .title = "What an impact costs",
          .claim = "The algorithm is implicit and very expensive.",
          .parameters = scenario,
          .methods = "vci on svc (the paper's); cva and shadow on svc beside it; explicit smooth steps",
          .reproduce = reproduce,
          .timed = true};
}

}  // namespace carom::papers::p002
