// 004, sections 1 and 5: the true method as the basis of compositions, and why (3.8) cannot be the other
// half.
#include <fmt/format.h>

#include "dae_start.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_composition {

// (3.5) over half a step, and then (3.8) or the true adjoint over the other half.
Series alternating(const Lab& lab, const DaeStart& start, const State& exact, bool adjoint) {
  Series r{.label = adjoint ? "(3.5), then its adjoint" : "(3.5), then (3.8)", .markers = true};
  for (int n = 40; n <= (adjoint ? 1280 : 40960); n *= 2) {
    lab.check_stop();
    DaeEuler first = start.euler({}), second = start.euler({.conjugate = !adjoint});
    Values y = start.y, z = start.z;
    for (int k = 0; k < n; ++k) advance(first, 0.5 / n, false, y, z), advance(second, 0.5 / n, adjoint, y, z);
    r.x.push_back(1.0 / n);
    r.y.push_back(z_distance({y[0], y[1], z[0], z[1]}, exact));
  }
  return r;
}

double slope_between(const Series& curve, int from, int to) {
  std::vector<double> h, e;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.x[i] <= 1.001 / from && curve.x[i] >= 0.999 / to)
      h.push_back(curve.x[i]), e.push_back(curve.y[i]);
  return log_slope(h, e);
}

struct Slopes {
  double conjugate, adjoint, fourth, sixth;
};

Slopes compare(const Lab& lab, const Problem& problem, const DaeStart& start, Axes& axes) {
  const State exact = solution(problem, 1);
  axes.x_label = "stepsize h", axes.y_label = "error of z at t = 1", axes.log_x = axes.log_y = true;
  axes.series = {alternating(lab, start, exact, false), alternating(lab, start, exact, true)};
  for (const char* flow : {"yoshida4", "kahan-li6"}) {
    const Errors e = errors(lab, problem, {fmt::format("method.flow={}", flow), "method.base=sva"}, exact,
                            step_counts(640));
    axes.series.push_back({.label = flow, .x = e.h, .y = e.z, .markers = true});
  }
  return {slope_between(axes.series[0], 10240, 40960), slope_between(axes.series[1], 160, 1280),
          slope_between(axes.series[2], 80, 320), slope_between(axes.series[3], 20, 80)};
}

Finding reproduce(const Lab& lab) {
  Figure figure{.axes = {{.title = "(4.1)"}, {.title = "(4.2)"}}};
  const Slopes a = compare(lab, exponential, dae_exponential(), figure.axes[0]),
               b = compare(lab, mass_on_cubic, dae_mass(0.1), figure.axes[1]);
  const auto near = [](double x, double y, double order) {
    return std::abs(x - order) < 0.05 * order && std::abs(y - order) < 0.05 * order;
  };
  Finding f;
  f.verdict = judge({near(a.adjoint, b.adjoint, 2), near(a.fourth, b.fourth, 4), near(a.sixth, b.sixth, 6)});
  f.measured = fmt::format(
      "With its adjoint over the other half of the step the true method has slopes {:.2f} (4.1) and {:.2f} "
      "(4.2); Yoshida's composition of that {:.2f} and {:.2f}, Kahan and Li's of order 6 {:.2f} and {:.2f}. "
      "The true conjugate method (3.8) is not that adjoint: (3.5) and then (3.8) have slopes {:.2f} and "
      "{:.2f} for h from 1/10240 to 1/40960.",
      a.adjoint, b.adjoint, a.fourth, b.fourth, a.sixth, b.sixth, a.conjugate, b.conjugate);
  f.ours =
      "The adjoint is carom's: (3.5) with -h, solved for its other end. The paper names compositions and "
      "gives none.";
  f.numbers = {{"slope_with_adjoint_41", a.adjoint},     {"slope_with_adjoint_42", b.adjoint},
               {"slope_yoshida4_41", a.fourth},          {"slope_yoshida4_42", b.fourth},
               {"slope_kahan_li6_41", a.sixth},          {"slope_kahan_li6_42", b.sixth},
               {"slope_with_conjugate_41", a.conjugate}, {"slope_with_conjugate_42", b.conjugate}};
  f.pictures = {{"ours", std::move(figure)}};
  return f;
}

}  // namespace of_composition

Item composition() {
  using namespace of_composition;
  return {.name = "004-composition",
          .place = "sections 1 and 5",
          .title = "Higher orders by composition",
          .claim = "The true method can be the basis of higher-order methods obtained by composition.",
          .parameters = "Both problems of section 4 (see 004-fig-4.1 and 004-fig-4.3)",
          .methods =
              "scheme true, (3.5), composed with conjugate-true, (3.8), and with its adjoint (sva), yoshida4 "
              "and kahan-li6 on sva (ours; the paper has none)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
