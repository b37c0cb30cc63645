// 002, Fig. 5: the error of the star after one collision against the step.
#include <fmt/format.h>

#include <cmath>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace {

constexpr std::string_view scenario = R"([system]
name = "star"
parameters = {m = 1.0, L = 1.0, g = 9.81, kappa = 0.1}  # our choice: V = m g y/(1 + kappa y); the paper
                                                        # has "a nonlinear gravity"
[initial]
q = [0.0, 3.5, 0.0]
v = [-2.0, 0.0, 5.0]

[method]
name = "vci"

[time]
step = 0.01           # our choice: from 1/20 to 1/1000
end = 1.0             # our choice: the star hits once, at about t = 0.86
)";

struct Errors {
  std::vector<double> h, error;
  double slope = 0;
};

// Steps that divide the horizon, and errors that rounding does not make.
Errors errors_of(const Lab& lab, const RunResult& exact, const Settings& method, double coarsest,
                 double finest, int count) {
  Errors r;
  for (int i = 0; i < count; ++i) {
    const double wanted = coarsest * std::pow(finest / coarsest, i / (count - 1.0));
    const double h = 1 / std::round(1 / wanted);
    Settings settings = method;
    settings.push_back(fmt::format("time.step={:.17g}", h));
    const RunResult run = lab.complete(scenario, settings);
    if (run.impacts != 1) continue;
    r.h.push_back(h), r.error.push_back(distance(run, exact));
  }
  std::vector<double> h, error;
  for (std::size_t i = 0; i < r.h.size(); ++i)
    if (r.error[i] > 1e-12) h.push_back(r.h[i]), error.push_back(r.error[i]);
  r.slope = log_slope(h, error);
  return r;
}

Series series_of(const std::string& label, const Errors& e) {
  return {.label = label, .x = e.h, .y = e.error, .markers = true};
}

Series line_of_slope(double slope, const Errors& beside) {
  const double from = beside.h.back(), to = beside.h.front(), at = 3 * beside.error.front();
  return {.label = fmt::format("slope {}", slope),
          .x = {from, to},
          .y = {at * std::pow(from / to, slope), at},
          .colour = Series::grey,
          .dashed = true};
}

Finding reproduce(const Lab& lab) {
  const RunResult exact = lab.complete(scenario, {"method.name=gauss", "method.stages=8", "time.step=0.005"});
  const int count = lab.pick(17, 9);
  const auto with = [](const char* flow) {
    return Settings{"method.name=shadow", std::string("method.flow=") + flow, "method.order=8"};
  };
  const Errors by_vci = errors_of(lab, exact, {vci}, 0.05, 0.001, count),
               by_svc = errors_of(lab, exact, with("svc"), 0.05, 0.001, count),
               by_4 = errors_of(lab, exact, with("yoshida4"), 0.05, 0.002, count),
               by_6 = errors_of(lab, exact, with("kahan-li6"), 0.1, 0.01, count),
               by_8 = errors_of(lab, exact, with("kahan-li8"), 0.2, 0.025, count);
  Finding f;
  f.verdict = judge({std::abs(by_vci.slope - 2) < 0.15});
  f.measured = fmt::format(
      "The error of (q, p) at t = 1, after one impact, falls from {:.2g} to {:.2g} for {} steps from {:.3g} "
      "to {:.3g}: "
      "fitted slope {:.2f}.",
      by_vci.error.front(), by_vci.error.back(), by_vci.h.size(), by_vci.h.front(), by_vci.h.back(),
      by_vci.slope);
  f.ours = fmt::format(
      "With shadow the order of any flow goes through the impact: slopes {:.2f} (svc), {:.2f} (yoshida4), "
      "{:.2f} "
      "(kahan-li6) and {:.2f} (kahan-li8).",
      by_svc.slope, by_4.slope, by_6.slope, by_8.slope);
  f.numbers = {{"slope_vci", by_vci.slope},
               {"slope_shadow_svc", by_svc.slope},
               {"slope_shadow_yoshida4", by_4.slope},
               {"slope_shadow_kahan_li6", by_6.slope},
               {"slope_shadow_kahan_li8", by_8.slope},
               {"error_vci_at_finest", by_vci.error.back()},
               {"error_shadow_svc_at_finest", by_svc.error.back()}};
  const auto axes = [](std::vector<Series> series) {
    return Axes{.x_label = "step h",
                .y_label = "error after one collision",
                .log_x = true,
                .log_y = true,
                .series = std::move(series)};
  };
  f.pictures = {
      {"",
       {.width = 560, .height = 420, .axes = {axes({series_of("vci", by_vci), line_of_slope(2, by_vci)})}}},
      {"ours",
       {.title = "The star's error by flows of higher order",
        .width = 760,
        .height = 480,
        .axes = {axes({series_of("vci", by_vci), series_of("ours: svc, shadow", by_svc),
                       series_of("ours: yoshida4, shadow", by_4), series_of("ours: kahan-li6, shadow", by_6),
                       series_of("ours: kahan-li8, shadow", by_8)})}}}};
  return f;
}

}  // namespace

Item fig_5() {
  return {
      .name = "002-fig-5",
      .place = "Fig. 5",
      .title = "Error of the star after one collision",
      .claim =
          "The second order of the integrator, that of its discrete Lagrangian, is preserved through the "
          "collision.",
      .parameters = scenario,
      .methods =
          "vci on svc (the paper's); shadow on svc, yoshida4, kahan-li6 and kahan-li8 beside it; reference: "
          "gauss with 8 stages, h = 0.005",
      .reproduce = reproduce};
}

}  // namespace carom::papers::p002
