// 004, Theorem 3.2 and section 3.3: where r is affine in psi, natural and true are one method.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_theorem_3_2_affine {

constexpr double nothing = 1e-16;  // where a difference of zero is drawn

// Distance of the two schemes over a run, in y and z together.
Series distance(const Lab& lab, const std::string& conjugate, const std::string& parameter,
                const std::string& label) {
  std::vector<std::string> set = {"time.step=0.01"};
  if (!parameter.empty()) set.push_back("system.parameters." + parameter);
  const auto with = [&](const std::string& scheme) {
    std::vector<std::string> all = set;
    all.push_back("method.scheme=" + conjugate + scheme);
    return lab.record(mass_on_cubic.scenario, all).trajectory;
  };
  const Columns natural = with("natural"), truly = with("true");
  Series r{.label = label, .x = truly["t"], .y = std::vector<double>(truly.rows(), 0)};
  for (const char* name : {"q1", "q2", "p1", "p2"})
    for (std::size_t i = 0; i < r.y.size(); ++i)
      r.y[i] = std::hypot(r.y[i], natural[name][i] - truly[name][i]);
  for (double& y : r.y) y = std::fmax(y, nothing);
  return r;
}

Finding reproduce(const Lab& lab) {
  Figure figure{.axes = {{.title = "(3.2) and (3.5)"}, {.title = "(3.7) and (3.8)"}}};
  double affine = 0, nonlinear = HUGE_VAL;
  for (Axes& axes : figure.axes) {
    const std::string conjugate = &axes == &figure.axes[0] ? "" : "conjugate-";
    axes.x_label = "t", axes.y_label = "difference in y and z", axes.log_y = true;
    axes.y_range = {{0.5 * nothing, 1}};
    axes.series = {distance(lab, conjugate, "", "r_f = 0.85"), distance(lab, conjugate, "r_f=1.0", "r_f = 1"),
                   distance(lab, conjugate, "c_f=0.0", "no friction")};
    nonlinear = std::fmin(nonlinear, largest(axes.series[0].y));
    affine = std::fmax(affine, std::fmax(largest(axes.series[1].y), largest(axes.series[2].y)));
  }
  Finding f;
  f.verdict = judge({affine<1e-11, nonlinear> 1e6 * affine});
  f.measured = fmt::format(
      "Over 100 steps natural and true differ by at most {:.1e} where the reaction is affine in the "
      "multiplier, which is rounding, and by {:.1e} or more with r_f = 0.85; likewise the conjugate methods.",
      affine, nonlinear);
  f.numbers = {{"affine_difference", affine}, {"nonlinear_difference", nonlinear}};
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_theorem_3_2_affine

Item theorem_3_2_affine() {
  using namespace of_theorem_3_2_affine;
  return {.name = "004-theorem-3.2-affine",
          .place = "Theorem 3.2, section 3.3",
          .title = "Natural is true where r is affine",
          .claim =
              "Where r is affine in psi the natural method is equivalent to the true one, and the natural "
              "conjugate method to the true conjugate one.",
          .parameters =
              "(4.2) as in 004-fig-4.3 with h = 0.01 (our choice); affine: r_f = 1, or c_f = 0 (our choice)",
          .methods =
              "se1 with scheme natural, (3.2), true, (3.5), conjugate-natural, (3.7), which the paper calls "
              "'true' by a misprint, and conjugate-true, (3.8)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
