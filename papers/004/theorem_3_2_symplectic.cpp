// 004, Theorems 3.2 and 3.3: along holonomic constraints the methods preserve the symplectic 2-form on V.
#include <fmt/format.h>

#include <cmath>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_theorem_3_2_symplectic {

constexpr std::string_view scenario = R"([system]
name = "expression"  # a spherical pendulum in x, y, z with its rod as a joint: our choice
coordinates = ["x", "y", "z"]
parameters = { m = 1.0, L = 1.0, g = 9.81, drag = 0.0 }
lagrangian = "0.5*m*(x'^2 + y'^2 + z'^2) - m*g*z"
force = ["-drag*x'", "-drag*y'", "-drag*z'"]
joints = { rod = "x^2 + y^2 + z^2 - L^2" }

[initial]
q = [1.0, 0.0, 0.0]  # set from two angles and their rates: 1.3, 0.4 and 0.8, 2.1
v = [0.0, 0.0, 0.0]

[method]
stepper = "dae-euler"
flow = "se1"
scheme = "true"
alpha = 0.5

[time]
step = 0.05
end = 0.5
)";

using Chart = std::array<double, 4>;    // polar angle, azimuth and their rates
using Ambient = std::array<double, 6>;  // q, p with m = 1

Ambient placed(const Chart& c) {
  const auto [a, b, a_rate, b_rate] = c;
  const double sa = std::sin(a), ca = std::cos(a), sb = std::sin(b), cb = std::cos(b);
  return {sa * cb,    sa * sb, -ca, ca * cb * a_rate - sa * sb * b_rate, ca * sb * a_rate + sa * cb * b_rate,
          sa * a_rate};
}

Ambient moved(const Lab& lab, const Ambient& s, std::vector<std::string> set) {
  set.push_back(fmt::format("initial.q=[{:.17g}, {:.17g}, {:.17g}]", s[0], s[1], s[2]));
  set.push_back(fmt::format("initial.v=[{:.17g}, {:.17g}, {:.17g}]", s[3], s[4], s[5]));
  const RunResult r = lab.complete(scenario, set);
  return {r.q[0], r.q[1], r.q[2], r.p[0], r.p[1], r.p[2]};
}

double form(const Ambient& a, const Ambient& b) {  // dq ∧ dp
  double r = 0;
  for (std::size_t i = 0; i < 3; ++i) r += a[i] * b[i + 3] - a[i + 3] * b[i];
  return r;
}

// Tangent vectors of V before and after, by fourth-order differences along each direction of the chart; the
// largest change of the form over all pairs of them, relative to its largest value.
double change_of_form(const Lab& lab, const std::vector<std::string>& set) {
  constexpr double delta = 2e-3;
  const Chart at = {1.3, 0.4, 0.8, 2.1};
  std::array<Ambient, 4> before{}, after{};
  for (std::size_t k = 0; k < 4; ++k)
    for (const auto& [shift, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
      Chart c = at;
      c[k] += shift * delta;
      const Ambient s = placed(c), e = moved(lab, s, set);
      for (std::size_t i = 0; i < 6; ++i) {
        before[k][i] += weight * s[i] / (12 * delta);
        after[k][i] += weight * e[i] / (12 * delta);
      }
    }
  double change = 0, size = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < i; ++k) {
      size = std::fmax(size, std::abs(form(before[i], before[k])));
      change = std::fmax(change, std::abs(form(after[i], after[k]) - form(before[i], before[k])));
    }
  return change / size;
}

struct Case {
  const char* label;
  std::vector<std::string> set;
};

Finding reproduce(const Lab& lab) {
  const std::vector<Case> cases = {{"true (3.5)", {}},
                                   {"conjugate, true (3.8)", {"method.scheme=conjugate-true"}},
                                   {"natural (3.2)", {"method.scheme=natural"}},
                                   {"ours: sva", {"method.flow=sva"}},
                                   {"ours: yoshida4", {"method.flow=yoshida4", "method.base=sva"}},
                                   {"true, with a drag of 0.01", {"system.parameters.drag=0.01"}}};
  Finding f;
  f.tables = {{"Change of the 2-form over 10 steps", {"method", "relative change"}, {}}};
  std::vector<double> changes;
  for (const Case& c : cases) {
    changes.push_back(change_of_form(lab, c.set));
    f.tables[0].rows.push_back({c.label, fmt::format("{:.1e}", changes.back())});
  }
  const double with_drag = changes.back();
  f.verdict = judge({changes[0] < 1e-3 * with_drag, changes[1] < 1e-3 * with_drag});
  f.measured = fmt::format(
      "Over 10 steps of h = 0.05 of a spherical pendulum the 2-form on the tangent space of V changes by "
      "{:.0e} (true) and {:.0e} (true conjugate) of its size, which is what the differences resolve; a drag "
      "of 0.01, which no symplectic map has, changes it by {:.1e}.",
      changes[0], changes[1], with_drag);
  f.ours = fmt::format("The compositions are symplectic, too: sva {:.0e}, yoshida4 {:.0e}.", changes[3],
                       changes[4]);
  f.numbers = {{"true", changes[0]}, {"conjugate_true", changes[1]}, {"natural", changes[2]},
               {"sva", changes[3]},  {"yoshida4", changes[4]},       {"true_with_drag", with_drag}};
  return f;
}

}  // namespace of_theorem_3_2_symplectic

Item theorem_3_2_symplectic() {
  using namespace of_theorem_3_2_symplectic;
  return {.name = "004-theorem-3.2-symplectic",
          .place = "Theorems 3.2 and 3.3",
          .title = "Symplectic along holonomic constraints",
          .claim =
              "For Hamiltonian systems with holonomic constraints the true method and the true conjugate "
              "method are symplectic on the constraint manifold V.",
          .parameters = scenario,
          .methods =
              "se1 with scheme true, conjugate-true and natural (the paper's); sva and yoshida4 on the true "
              "method (ours)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
