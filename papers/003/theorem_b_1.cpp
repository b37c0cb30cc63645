// 003, Theorem B.1: direct substitution keeps no energy, not even approximately: what an impact changes does
// not shrink with the step.
#include <fmt/format.h>

#include "direct_runs.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p003 {
namespace of_theorem_b_1 {

constexpr std::string_view ball = R"(# A ball falls on a floor: its energy before and after the first impact.
[system]
name = "point-mass"
parameters = {m = 1.0, g = 9.8}

[initial]
q = [1.0]              # and further starts, over all phases of a step (our choice)
p = [0.0]

[method]
stepper = "direct"
scheme = "midpoint"    # and endpoint, newmark, imex-newmark, these with
                       # beta = 0.25, gamma = 0.5 (our choice)

[time]
step = 0.02            # and 0.01, 0.005, 0.0025, 0.00125 (our choice)
end = 1.0

)";

constexpr std::string_view sliding = R"(# Fig. 5.1: two particles slide along a circle.
[system]
name = "spring-and-sphere"

[initial]
q = [4.0, -3.0, 3.0, -4.0]
p = [0.6, 0.8, 0.8, 0.6]

[method]
stepper = "direct"
scheme = "endpoint"

[time]
step = 0.5             # and 0.25, 0.125, ... (our choice)
end = 100.0
)";

using Set = std::vector<std::string>;

struct Scheme {
  std::string label;
  Set set;
  std::vector<double> worst =
      {};  // largest change of the energy at an impact, over that before, for each step
};

void measure_impacts(const Lab& lab, Scheme& scheme, const std::vector<double>& steps, int phases) {
  for (const double h : steps) {
    double worst = 0;
    for (const double kept : kept_speeds(lab, ball, scheme.set, h, phases))
      worst = std::fmax(worst, std::abs(kept * kept - 1));
    scheme.worst.push_back(worst);
  }
}

std::vector<double> sliding_errors(const Lab& lab, const Set& method, const std::vector<double>& steps) {
  std::vector<double> r;
  for (const double h : steps) {
    Set set = method;
    set.push_back(fmt::format("time.step={}", h));
    const RunResult run = lab.run(sliding, set);
    r.push_back(run.status == "completed" ? run.energy.max_abs_error : std::nan(""));
  }
  return r;
}

Axes axes_of_impacts(const std::vector<Scheme>& schemes, const std::vector<double>& steps) {
  Axes r{.title = "largest change at an impact",
         .x_label = "h",
         .y_label = "|ΔH| / H",
         .log_x = true,
         .log_y = true};
  for (const Scheme& s : schemes)
    r.series.push_back({.label = s.label,
                        .x = steps,
                        .y = s.worst,
                        .dashed = s.label.find("newmark") != s.label.npos,
                        .markers = true});
  return r;
}

Axes axes_of_sliding(std::vector<Series> series) {
  return {.title = "sliding, Fig. 5.1",
          .x_label = "h",
          .y_label = "largest |H - H(0)|",
          .log_x = true,
          .log_y = true,
          .series = std::move(series)};
}

using Errors = std::vector<double>;

std::vector<Picture> pictures_of(const std::vector<Scheme>& schemes, const Errors& steps,
                                 const Errors& slides, const Errors& endpoint, const Errors& gvi,
                                 const Errors& ours) {
  const auto curve = [&slides](const std::string& label, const std::vector<double>& y, bool dashed = false) {
    return Series{.label = label, .x = slides, .y = y, .dashed = dashed, .markers = true};
  };
  Axes direct = axes_of_impacts({schemes.begin(), schemes.begin() + 4}, steps);
  direct.y_range = Interval{0.1, 1000};
  Axes others = axes_of_impacts({schemes.begin() + 4, schemes.end()}, steps);
  others.y_range = Interval{1e-17, 1};
  return {{"", {.axes = {direct, axes_of_sliding({curve("endpoint", endpoint)})}}},
          {"ours",
           {.axes = {others, axes_of_sliding({curve("gvi", gvi), curve("ours: contact", ours, true),
                                              curve("endpoint", endpoint)})}}}};
}

Finding reproduce(const Lab& lab) {
  const auto steps = geometric(0.02, 0.5, lab.pick(5, 3)), slides = geometric(0.5, 0.5, lab.pick(7, 5));
  const int phases = lab.pick(200, 40);
  std::vector<Scheme> schemes{
      {"midpoint", {}},
      {"endpoint", {"method.scheme=endpoint"}},
      {"newmark", {"method.scheme=newmark", "method.beta=0.25", "method.gamma=0.5"}},
      {"imex-newmark", {"method.scheme=imex-newmark", "method.beta=0.25", "method.gamma=0.5"}},
      {"gvi", {"method.stepper=gvi", "method.flow=midpoint"}},
      {"ours: contact", {"method.stepper=contact", "method.flow=midpoint"}}};
  for (Scheme& s : schemes) measure_impacts(lab, s, steps, phases);
  const auto endpoint = sliding_errors(lab, {}, slides);
  const auto gvi = sliding_errors(lab, {"method.stepper=gvi", "method.flow=midpoint"}, slides);
  const auto ours = sliding_errors(lab, {"method.stepper=contact", "method.flow=midpoint"}, slides);

  Finding f;
  bool shrinks = false;
  for (std::size_t i = 0; i < 4; ++i)
    shrinks = shrinks || log_slope(steps, schemes[i].worst) > 0.1 || schemes[i].worst.back() < 0.5;
  f.verdict = judge({!shrinks, endpoint[0] > 0.1 * 6});
  f.measured = fmt::format(
      "Largest change of the energy at the first impact, over the energy before, from h = {:g} to {:g}: "
      "midpoint {:.2f} to {:.2f}, endpoint {:.2f} to {:.2f}, newmark {:.2f} to {:.2f}, imex-newmark {:.2f} "
      "to {:.2f}. Where contact is smooth (Fig. 5.1, T = 100, H = 6) endpoint errs by {:.2f} at h = {:g} and "
      "{:.3f} at {:g}, of order {:.2f} over the last halving.",
      steps.front(), steps.back(), schemes[0].worst.front(), schemes[0].worst.back(),
      schemes[1].worst.front(), schemes[1].worst.back(), schemes[2].worst.front(), schemes[2].worst.back(),
      schemes[3].worst.front(), schemes[3].worst.back(), endpoint.front(), slides.front(), endpoint.back(),
      slides.back(), log_slope({slides.end() - 2, slides.end()}, {endpoint.end() - 2, endpoint.end()}));
  if (lab.quick) f.measured += " (Fewer steps and phases.)";
  f.ours = fmt::format(
      "The same impacts change the energy by {:.0e} at most with GVI and {:.0e} with the contact stepper; "
      "sliding, they err by {:.1e} and {:.1e} at h = {:g}, order {:.2f} and {:.2f}.",
      largest(schemes[4].worst), largest(schemes[5].worst), gvi.front(), ours.front(), slides.front(),
      log_slope(slides, gvi), log_slope(slides, ours));
  f.numbers = {{"midpoint_least_step", schemes[0].worst.back()},
               {"endpoint_least_step", schemes[1].worst.back()},
               {"newmark_least_step", schemes[2].worst.back()},
               {"imex_newmark_least_step", schemes[3].worst.back()},
               {"gvi_worst", largest(schemes[4].worst)},
               {"contact_worst", largest(schemes[5].worst)},
               {"sliding_endpoint", endpoint.front()},
               {"sliding_endpoint_least_step", endpoint.back()},
               {"sliding_gvi", gvi.front()},
               {"sliding_contact", ours.front()}};
  f.pictures = pictures_of(schemes, steps, slides, endpoint, gvi, ours);
  return f;
}

const std::string parameters = std::string(ball) + std::string(sliding);

}  // namespace of_theorem_b_1

Item theorem_b_1() {
  using namespace of_theorem_b_1;
  return {.name = "003-theorem-b.1",
          .place = "Theorem B.1",
          .title = "Direct substitution keeps no energy",
          .claim =
              "Symplectic methods with contact forces substituted into them cannot, in general, keep the "
              "energy, not even approximately: the impulse is what puts a point of the step onto the "
              "boundary, whatever the step and the energy.",
          .parameters = parameters,
          .methods =
              "direct: midpoint, endpoint, newmark, imex-newmark; gvi on midpoint (the paper's); ours: "
              "contact with shadow on midpoint",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
