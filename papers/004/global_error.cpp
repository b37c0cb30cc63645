// Figs. 4.1 to 4.4 are one experiment: two problems, each seen in y and in z.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace {

// The natural method approaches its wrong limit with an error of order h of its own (section 3.4), which
// hides the limit of y in (4.2) until h is small: from 1/5120 to 1/20480 the slope is still 0.12.
constexpr int finest = 40960;

struct Curve {
  std::string label;
  Errors errors;
  const std::vector<double>& of(Part part) const { return part == Part::y ? errors.y : errors.z; }
  double slope(Part part, double low, double high) const {
    return part == Part::y ? errors.y_slope(low, high) : errors.z_slope(low, high);
  }
  Series series(Part part) const { return {.label = label, .x = errors.h, .y = of(part), .markers = true}; }
};

Axes axes(const Problem& problem, Part part) {
  const char* name = part == Part::y ? "y" : "z";
  return {.title = fmt::format("Test problem {}", problem.number),
          .x_label = "stepsize h",
          .y_label = fmt::format("error of {} at t = 1", name),
          .log_x = true,
          .log_y = true};
}

// The steps over which a method is past its beginnings and above rounding; order 8 has too few of them.
struct Ours {
  const char *label, *key;
  std::vector<std::string> set;
  int from, to;
};
const std::vector<Ours> ours = {
    {"sva (order 2)", "slope_sva", {"method.flow=sva"}, 160, 1280},
    {"yoshida4 (order 4)", "slope_yoshida4", {"method.flow=yoshida4", "method.base=sva"}, 80, 320},
    {"kahan-li6 (order 6)", "slope_kahan_li6", {"method.flow=kahan-li6", "method.base=sva"}, 20, 80},
    {"kahan-li8 (order 8)", "slope_kahan_li8", {"method.flow=kahan-li8", "method.base=sva"}, 0, 0}};

void compare_with_ours(const Lab& lab, const Problem& problem, Part part, const State& exact,
                       const Curve& truly, Finding& f) {
  Axes shown = axes(problem, part);
  shown.series.push_back(truly.series(part));
  std::string slopes, sizes;
  for (const Ours& method : ours) {
    const Curve c{method.label, errors(lab, problem, method.set, exact, step_counts(1280))};
    const std::string name = method.set[0].substr(std::string("method.flow=").size());
    if (method.to > 0) {
      const double slope = c.slope(part, 1.0 / method.to, 1.0 / method.from);
      slopes += fmt::format("{}{} {:.2f}", slopes.empty() ? "" : ", ", name, slope);
      f.numbers.emplace_back(method.key, slope);
    }
    sizes += fmt::format(", {} {:.1e}", name, c.of(part)[1]);
    shown.series.push_back(c.series(part));
  }
  f.ours = fmt::format(
      "The true method and its adjoint in turns have slopes {}. Errors at h = 1/20: true {:.1e}{}.", slopes,
      truly.of(part)[1], sizes);
  f.pictures.push_back({"ours", {.width = 700, .height = 440, .axes = {shown}}});
}

}  // namespace

Finding global_error(const Lab& lab, const Problem& problem, Part part) {
  const State exact = solution(problem, 1);
  const std::vector<int> steps = step_counts(finest);
  const Curve natural{"natural", errors(lab, problem, {"method.scheme=natural"}, exact, steps)};
  const Curve truly{"true", errors(lab, problem, {}, exact, steps)};
  const double true_slope = truly.slope(part, 1.0 / 2560, 1.0 / 320),
               natural_slope = natural.slope(part, 1.0 / finest, 4.0 / finest),
               stagnates_at = natural.of(part).back(), error = truly.of(part).back();
  Finding f;
  f.verdict =
      judge({std::abs(true_slope - 1) < 0.05, std::abs(natural_slope) < 0.1, stagnates_at > 20 * error});
  f.measured = fmt::format(
      "True: slope {:.3f} for h from 1/320 to 1/2560, error {:.1e} at h = 1/{}. Natural: slope {:.3f} from "
      "1/{} to 1/{}, where its error stays at {:.2g}.",
      true_slope, error, finest, natural_slope, finest / 4, finest, stagnates_at);
  f.numbers = {{"true_slope", true_slope},
               {"natural_slope", natural_slope},
               {"natural_error", stagnates_at},
               {"true_error", error}};
  Axes shown = axes(problem, part);
  shown.series = {natural.series(part), truly.series(part), guide(truly.series(part), 1, "slope 1")};
  f.pictures.push_back({"", {.width = 700, .height = 440, .axes = {shown}}});
  compare_with_ours(lab, problem, part, exact, truly, f);
  return f;
}

}  // namespace carom::papers::p004
