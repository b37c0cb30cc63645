// Modes of more contacts than can be tried one by one.
#include <cmath>

#include "carom/contact/friction/modes.hpp"

namespace carom {

// Stewart and Trinkle's complementarity problem, of accelerations: for contacts that do not slip, with the
// friction λ_t = β₊ - β₋,
//
//   0 <= λ_n ⟂ a_n >= 0,   0 <= β± ⟂ γ ± a_t >= 0,   0 <= γ ⟂ mu λ_n - β₊ - β₋ >= 0
//
// so γ is |a_t| where it slips; those that slip have λ_n alone, with the friction that it brings along. Where
// nothing slips, Lemke's method finds a solution if there is one.
bool ModeSolver::complete(const ContactEquations& e, const std::vector<int>& among) {
  unknowns.clear();  // 4 i + what: 0 for λ_n, 1 and 2 for β, 3 for γ
  for (const int i : among)
    for (int what = 0; what < (e.slip[i] == 0 && e.mu[i] > 0 ? 4 : 1); ++what)
      unknowns.push_back(4 * i + what);
  const int n = static_cast<int>(unknowns.size());
  many.lcp.resize(n);
  const auto sign_of = [](int unknown) { return unknown % 4 == 1 ? 1 : -1; };
  for (int r = 0; r < n; ++r) {
    const int i = unknowns[r] / 4, what = unknowns[r] % 4, row = 2 * i + (what > 0);
    many.lcp.bias(r) = what == 3 ? 0 : (what == 2 ? -1 : 1) * e.b[row];
    for (int c = 0; c < n; ++c) {
      const int k = unknowns[c] / 4, of = unknowns[c] % 4;
      double by = 0;
      if (what == 3 && k == i) by = of == 0 ? e.mu[i] : of == 3 ? 0 : -1;
      if (what < 3 && of == 0) by = e.w(row, 2 * k) - e.slip[k] * e.mu_sliding[k] * e.w(row, 2 * k + 1);
      if (what < 3 && (of == 1 || of == 2)) by = sign_of(unknowns[c]) * e.w(row, 2 * k + 1);
      if (what < 3 && of == 3) by = what > 0 && k == i ? 1 : 0;
      many.lcp.entry(r, c) = what == 2 && of != 3 ? -by : by;
    }
  }
  if (!many.lcp.solve()) return false;
  f.assign(static_cast<std::size_t>(2 * e.count), 0.0);
  modes.assign(static_cast<std::size_t>(e.count), Mode::open);
  for (int c = 0; c < n; ++c) {
    const int i = unknowns[c] / 4, what = unknowns[c] % 4;
    const double force = many.lcp.x[c];
    if (what == 0) {
      f[2 * i] = force, f[2 * i + 1] = -e.slip[i] * e.mu_sliding[i] * force;
      if (force > 0)
        modes[i] = e.mu[i] == 0 ? Mode::forward : e.slip[i] != 0 ? sliding(e.slip[i]) : Mode::stick;
    }
    if (what == 1 || what == 2) f[2 * i + 1] += sign_of(unknowns[c]) * force;
  }
  answer(e, among);
  for (const int i : among)
    if (modes[i] == Mode::stick && std::abs(a[2 * i + 1]) > tolerance * size)
      modes[i] = sliding(a[2 * i + 1] < 0 ? -1 : 1);
  return try_modes(e, among);
}

// Forces that exist (modes.hpp), by the normal equations of |A y - c| over y >= 0, and again along those that
// are positive: their squared condition decides which they are, not what they are.
bool ModeSolver::solve_on_many_edges(const ContactEquations& e) {
  auto& [lcp, nonnegative, edge, first, bias, y, edges, normal, chosen, aim] = many;
  edge.clear();
  for (const int row : unknowns) {
    const int i = row / 2;
    if (row % 2 != 0) continue;
    const int sign = -slip_sign(modes[i]);
    if (modes[i] == Mode::stick || sign >= 0) edge.push_back(2 * i);
    if (modes[i] == Mode::stick || sign < 0) edge.push_back(2 * i + 1);
  }
  const auto rows = static_cast<Eigen::Index>(unknowns.size()),
             count = static_cast<Eigen::Index>(edge.size());
  const auto slope = [&](int of) {  // of friction, by the normal force
    const int i = of / 2;
    return modes[i] != Mode::stick && slip_sign(modes[i]) == 0
               ? 0
               : (of % 2 == 0 ? 1 : -1) * (modes[i] == Mode::stick ? e.mu : e.mu_sliding)[i];
  };
  edges.resize(rows, count), aim.resize(rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    for (Eigen::Index k = 0; k < count; ++k) {
      const int of_normal = edge[k] / 2 * 2;
      edges(r, k) = e.w(unknowns[r], of_normal) + slope(edge[k]) * e.w(unknowns[r], of_normal + 1);
    }
    aim[r] = -e.b[unknowns[r]];
  }
  const bool exist = solve_normal_equations();
  for (Eigen::Index k = 0; k < count; ++k) {
    const int of_normal = edge[k] / 2 * 2;
    f[of_normal] += y[k], f[of_normal + 1] += slope(edge[k]) * y[k];
  }
  return exist;
}

bool ModeSolver::solve_normal_equations() {
  auto& [lcp, nonnegative, edge, first, bias, y, edges, normal, chosen, aim] = many;
  const int count = static_cast<int>(edges.cols());
  normal.noalias() = edges.transpose() * edges;
  bias = -(edges.transpose() * aim);
  first.assign(static_cast<std::size_t>(count), 0);
  nonnegative.shape(first);
  for (int r = 0; r < count; ++r)
    for (int c = 0; c <= r; ++c) nonnegative.add(r, c, normal(r, c));
  y.resize(count);
  if (!nonnegative.solve(bias, y, 0, NonnegativeSolver::Guess::all)) return y.setZero(), false;
  first.clear();
  for (int k = 0; k < count; ++k)
    if (y[k] > 0) first.push_back(k);
  chosen.resize(edges.rows(), static_cast<Eigen::Index>(first.size()));
  for (std::size_t k = 0; k < first.size(); ++k)
    chosen.col(static_cast<Eigen::Index>(k)) = edges.col(first[k]);
  const Eigen::VectorXd left = aim - edges * y, better = chosen.colPivHouseholderQr().solve(left);
  for (std::size_t k = 0; k < first.size(); ++k)
    y[first[k]] = std::fmax(0, y[first[k]] + better[static_cast<Eigen::Index>(k)]);
  return (aim - edges * y).norm() <= tolerance * (aim.norm() + y.sum());
}

}  // namespace carom
