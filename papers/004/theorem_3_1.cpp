// 004, Theorems 3.1 to 3.3: how far a single step from an exact start is off.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_theorem_3_1 {

struct Method {
  const Problem& problem;
  const char *label, *key;
  std::vector<std::string> set;
  int order;        // of the local error in z
  double from, to;  // the steps that show it
  Friction friction = {};
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {exponential, "natural", "slope_41_natural", {"method.scheme=natural"}, 1, 2e-5, 1e-3},
      {exponential, "true", "slope_41_true", {}, 2, 1e-4, 1e-2},
      {exponential,
       "conjugate, true",
       "slope_41_conjugate_true",
       {"method.scheme=conjugate-true"},
       2,
       1e-4,
       1e-2},
      {mass_on_cubic, "natural", "slope_42_natural", {"method.scheme=natural"}, 1, 2e-5, 1e-4},
      {mass_on_cubic, "true", "slope_42_true", {}, 2, 1e-4, 1e-2},
      {mass_on_cubic,
       "conjugate, true",
       "slope_42_conjugate_true",
       {"method.scheme=conjugate-true"},
       2,
       1e-4,
       1e-2},
      {mass_on_cubic,
       "natural, affine (r_f = 1)",
       "slope_42_natural_affine",
       {"method.scheme=natural", "system.parameters.r_f=1.0"},
       2,
       1e-4,
       1e-2,
       {.r_f = 1.0}}};
  return all;
}

Finding reproduce(const Lab& lab) {
  Finding f;
  f.tables = {{"Slope of the error of z after one step", {"problem", "method", "slope", "claimed"}, {}}};
  Figure figure{.axes = {{.title = "(4.1)"}, {.title = "(4.2)"}}};
  for (Axes& axes : figure.axes)
    axes.x_label = "stepsize h", axes.y_label = "error of z after one step", axes.log_x = axes.log_y = true;
  bool holds[3] = {true, true, true};  // natural, true, affine
  double worst = 0;
  for (const Method& method : methods()) {
    Series curve{.label = method.label, .markers = true};
    std::vector<double> fit_h, fit_error;
    for (const double h : geometric(0.1, 0.5, 13)) {
      const State end = run(lab, method.problem, 1, method.set, h);
      curve.x.push_back(h);
      curve.y.push_back(z_distance(end, solution(method.problem, h, method.friction)));
      if (h >= method.from && h <= method.to) fit_h.push_back(h), fit_error.push_back(curve.y.back());
    }
    const double slope = log_slope(fit_h, fit_error);
    const bool right = std::abs(slope - method.order) < 0.1;
    worst = std::fmax(worst, std::abs(slope - method.order));
    bool& part = holds[method.order == 1 ? 0 : method.friction.r_f == 1 ? 2 : 1];
    part = part && right;
    f.tables[0].rows.push_back({std::string(method.problem.number), method.label,
                                fmt::format("{:.2f}", slope), fmt::format("{}", method.order)});
    f.numbers.emplace_back(method.key, slope);
    figure.axes[&method.problem == &exponential ? 0 : 1].series.push_back(std::move(curve));
  }
  f.verdict = judge({holds[0], holds[1], holds[2]});
  f.measured = fmt::format(
      "One step of the natural method is off by O(h) and one of the true methods by O(h²); so is one of the "
      "natural method where friction is affine in the multiplier. No slope in the table is farther than "
      "{:.1g} from what the theorems say.",
      worst);
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_theorem_3_1

Item theorem_3_1() {
  using namespace of_theorem_3_1;
  return {.name = "004-theorem-3.1",
          .place = "Theorems 3.1 to 3.3",
          .title = "Error of a single step",
          .claim =
              "One step of the natural method is off by O(h) in z where r is nonlinear in psi, and by O(h²) "
              "where r is affine; one of the true method and of the true conjugate method by O(h²).",
          .parameters =
              "Both problems of section 4 (see 004-fig-4.1 and 004-fig-4.3) from their starts, one step of h "
              "= 0.1, 0.05, ..., 2.4e-5 (our choice); affine: (4.2) with r_f = 1, where friction is "
              "proportional to the normal force (our choice)",
          .methods = "se1 with scheme natural, (3.2), true, (3.5), and conjugate-true, (3.8)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
