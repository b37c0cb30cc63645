// 000, 5.2: the computation time of MCVAC falls with the step, because its impact map gets easier.
#include <fmt/format.h>

#include "cost.hpp"
#include "measure.hpp"

namespace carom::papers::p000 {
namespace of_cost_falls {

// Over the steps: means over a few starts.
struct Curve {
  std::vector<double> whole, steps_alone, per_impact, solves;
};

Curve curve(const Lab& lab, const std::vector<double>& steps, const std::vector<double>& betas,
            const Set& method, const char* flow) {
  constexpr int repeats = 2;
  Curve r;
  for (const double h : steps) {
    const auto own = costs(lab, betas, step(h) + method, repeats);
    r.whole.push_back(mean(each(own, &Cost::milliseconds)));
    r.steps_alone.push_back(cost(lab, step(h) + smooth(flow), 3 * repeats).milliseconds);
    const double impacts = mean(each(own, &Cost::impacts));
    r.per_impact.push_back((r.whole.back() - r.steps_alone.back()) / impacts);
    r.solves.push_back(mean(each(own, &Cost::solves)) / impacts);
  }
  return r;
}

Finding reproduce(const Lab& lab) {
  const std::vector<double> steps{0.064, 0.032, 0.018, 0.01, 0.0056};
  const std::vector<double> betas = evenly(3.2, 5.2, lab.pick(11, 3));
  const Curve c = curve(lab, steps, betas, mcva_c(), "svc"), a = curve(lab, steps, betas, mcva_a(), "sva"),
              own = curve(lab, steps, betas, shadow("svc"), "svc");
  const double falls = c.whole[3] / c.whole[1], share = c.steps_alone[3] / c.whole[3];
  Finding f;
  f.verdict = judge({falls < 1, c.per_impact[3] < c.per_impact[1], share < 0.5});
  f.measured = fmt::format(
      "From h = 0.032 to 0.01 the processor time of mcva-c changes by a factor of {:.2f} ({:.3g} to {:.3g} "
      "ms, {} starts): an impact takes {:.3g} ms instead of {:.3g}, and the steps are {:.1f} % of the time "
      "at h = 0.01. The energy is tried {:.2f} and {:.2f} times an impact, so that it is the trials and "
      "partial steps themselves that get cheaper. The time of mcva-a changes by {:.2f}.",
      falls, c.whole[1], c.whole[3], betas.size(), c.per_impact[3], c.per_impact[1], 100 * share, c.solves[3],
      c.solves[1], a.whole[3] / a.whole[1]);
  f.ours = fmt::format(
      "shadow on svc: {:.2f} ms at h = 0.032, {:.2f} ms at h = 0.01, {:.0f} times less than mcva-c there.",
      own.whole[1], own.whole[3], c.whole[3] / own.whole[3]);
  f.numbers = {{"mcva_c_h01_over_h032", falls},
               {"mcva_a_h01_over_h032", a.whole[3] / a.whole[1]},
               {"impact_h01_over_h032", c.per_impact[3] / c.per_impact[1]},
               {"trials_h032", c.solves[1]},
               {"trials_h01", c.solves[3]},
               {"share_of_steps_h01", share}};
  f.pictures = {
      {"",
       {.width = 700,
        .axes = {{.x_label = "h",
                  .y_label = "processor time in ms",
                  .log_x = true,
                  .log_y = true,
                  .series = {{.label = "mcva-c", .x = steps, .y = c.whole, .markers = true},
                             {.label = "mcva-a", .x = steps, .y = a.whole, .markers = true},
                             {.label = "ours: shadow (svc)", .x = steps, .y = own.whole, .markers = true},
                             {.label = "steps of svc alone",
                              .x = steps,
                              .y = c.steps_alone,
                              .colour = Series::grey,
                              .dashed = true}}}}}}};
  return f;
}

}  // namespace of_cost_falls

Item cost_falls() {
  using namespace of_cost_falls;
  return {.name = "000-cost-falls",
          .place = "section 5.2",
          .title = "The cost of MCVAC over the step",
          .claim =
              "Between h = 3.2e-2 and 1e-2 the computation time of MCVAC decreases with the step: impacts, "
              "which dominate it, get easier.",
          .parameters = cart_pendulum,
          .methods = "mcva-c, mcva-a (the paper's); shadow on svc (ours); h from 0.064 to 0.0056",
          .reproduce = reproduce,
          .timed = true};
}

}  // namespace carom::papers::p000
