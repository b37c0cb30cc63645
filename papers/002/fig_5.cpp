// 002, Fig. 5: the error of the star after one collision against the step.
#include <fmt/format.h>

#include <cmath>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_fig_5 {

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
step = 0.01           # our choice: from 0.05 to 0.001, the impact at a given part of its step
end = 1.5             # our choice, up to a step: the star hits once, at t = 0.997
)";

constexpr double T = 1.5;
const Settings exactly{"method.name=gauss", "method.stages=8"};

struct Errors {
  std::vector<double> h, error;
  double slope = 0;
};

// The error of (q, p) about T. VCI's error depends on where in its step the impact is, and so does its slope
// if that varies: `alpha` is given for each of the steps.
struct Question {
  Settings method;
  double coarsest, finest;
  std::vector<double> alpha;
};

Errors errors_of(const Lab& lab, double impact, const Question& asked) {
  Errors r;
  std::vector<double> h_fitted, error_fitted;
  const std::size_t count = asked.alpha.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = asked.coarsest * std::pow(asked.finest / asked.coarsest,
                                                    static_cast<double>(i) / static_cast<double>(count - 1));
    const double h = impact / (std::floor(impact / wanted) + asked.alpha[i]);
    const Settings grid{fmt::format("time.step={:.17g}", h),
                        fmt::format("time.end={:.17g}", std::floor(T / h) * h)};
    const auto run = [&](Settings method) {
      method.insert(method.end(), grid.begin(), grid.end());
      return lab.complete(scenario, method);
    };
    const double error = distance(run(asked.method), run(exactly));
    r.h.push_back(h), r.error.push_back(error);
    if (error > 2e-11) h_fitted.push_back(h), error_fitted.push_back(error);  // above rounding
  }
  r.slope = log_slope(h_fitted, error_fitted);
  return r;
}

Series series_of(const std::string& label, const Errors& e) {
  return {.label = label, .x = e.h, .y = e.error, .markers = true};
}

Series line_of_slope_2(const Errors& beside) {
  const double from = beside.h.back(), to = beside.h.front(), at = 3 * beside.error.front();
  return {.label = "slope 2",
          .x = {from, to},
          .y = {at * std::pow(from / to, 2), at},
          .colour = Series::grey,
          .dashed = true};
}

Axes axes_of(std::string title, std::vector<Series> series) {
  return {.title = std::move(title),
          .x_label = "step h",
          .y_label = "error after one collision",
          .log_x = true,
          .log_y = true,
          .series = std::move(series)};
}

Finding reproduce(const Lab& lab) {
  const double impact = lab.complete(scenario, exactly).last_impact;
  const int count = lab.pick(13, 7), many = lab.pick(49, 25);
  const std::vector<double> quarter(static_cast<std::size_t>(count), 0.25);
  std::vector<double> anywhere;
  for (int i = 0; i < many; ++i) anywhere.push_back(std::fmod(0.6180339887498949 * (i + 1), 1.0));
  const auto with = [](const char* flow, int order) {
    return Settings{"method.name=shadow", std::string("method.flow=") + flow,
                    fmt::format("method.order={}", order)};
  };
  const Errors by_vci = errors_of(lab, impact, {{vci}, 0.05, 0.001, quarter}),
               scattered = errors_of(lab, impact, {{vci}, 0.05, 0.001, anywhere}),
               by_svc = errors_of(lab, impact, {with("svc", 8), 0.05, 0.001, quarter}),
               by_4 = errors_of(lab, impact, {with("yoshida4", 8), 0.1, 0.004, quarter}),
               by_6 = errors_of(lab, impact, {with("kahan-li6", 6), 0.1, 0.01, quarter}),
               by_8 = errors_of(lab, impact, {with("kahan-li8", 8), 0.1, 0.02, quarter});
  Finding f;
  f.verdict = judge({std::abs(by_vci.slope - 2) < 0.1, std::abs(scattered.slope - 2) < 0.25});
  f.measured = fmt::format(
      "The error of (q, p) after one impact falls from {:.2g} to {:.2g} for {} steps from {:.3g} to {:.3g} "
      "with the impact a quarter into its step: fitted slope {:.2f}. With the impact anywhere in its step, "
      "{} steps, the errors scatter and the slope is {:.2f}.",
      by_vci.error.front(), by_vci.error.back(), by_vci.h.size(), by_vci.h.front(), by_vci.h.back(),
      by_vci.slope, scattered.h.size(), scattered.slope);
  f.ours = fmt::format(
      "With shadow the order of the flow goes through the impact: slopes {:.2f} (svc), {:.2f} (yoshida4), "
      "{:.2f} (kahan-li6) and {:.2f} (kahan-li8, {:.1g} at h = {:.2g}).",
      by_svc.slope, by_4.slope, by_6.slope, by_8.slope, by_8.error.back(), by_8.h.back());
  f.numbers = {{"slope_vci", by_vci.slope},
               {"slope_vci_any_phase", scattered.slope},
               {"slope_shadow_svc", by_svc.slope},
               {"slope_shadow_yoshida4", by_4.slope},
               {"slope_shadow_kahan_li6", by_6.slope},
               {"slope_shadow_kahan_li8", by_8.slope},
               {"error_vci_at_finest", by_vci.error.back()},
               {"error_shadow_svc_at_finest", by_svc.error.back()}};
  f.pictures = {{"",
                 {.axes = {axes_of("(a) the impact a quarter into its step",
                                   {series_of("vci", by_vci), line_of_slope_2(by_vci)}),
                           axes_of("(b) anywhere in its step",
                                   {series_of("vci", scattered), line_of_slope_2(by_vci)})}}},
                {"ours",
                 {.title = "The star's error by flows of higher order",
                  .width = 760,
                  .height = 480,
                  .axes = {axes_of("", {series_of("vci", by_vci), series_of("ours: svc, shadow", by_svc),
                                        series_of("ours: yoshida4, shadow", by_4),
                                        series_of("ours: kahan-li6, shadow", by_6),
                                        series_of("ours: kahan-li8, shadow", by_8)})}}}};
  return f;
}

}  // namespace of_fig_5

Item fig_5() {
  using namespace of_fig_5;
  return {.name = "002-fig-5",
          .place = "Fig. 5",
          .title = "Error of the star after one collision",
          .claim =
              "The second order of the integrator, that of its discrete Lagrangian, is preserved through the "
              "collision.",
          .parameters = scenario,
          .methods =
              "vci on svc (the paper's); shadow on svc, yoshida4, kahan-li6 and kahan-li8 beside it; "
              "reference: gauss with 8 stages and the same steps",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p002
