#include "carom/numerics/complementarity.hpp"

#include <cmath>

namespace carom {

void Complementarity::resize(int unknowns) {
  n = unknowns;
  M.resize(n, n), q.resize(n), x.resize(n);
}

// w - M x - e x0 = q: variables are numbered w, x, x0.
bool Complementarity::solve() {
  x.setZero();
  if (n == 0 || q.minCoeff() >= 0) return true;
  const double size = q.lpNorm<Eigen::Infinity>();
  table.setZero(n, 2 * n + 2);
  table.leftCols(n).setIdentity(), table.middleCols(n, n) = -M, table.col(2 * n).setConstant(-1);
  for (int i = 0; i < n; ++i)
    table(i, 2 * n + 1) = q[i] + 1e-11 * size * (1 + std::fmod(0.6180339887498949 * (i + 1), 1.0));
  basis.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) basis[i] = i;
  int lowest = 0;
  table.col(2 * n + 1).minCoeff(&lowest);
  left = basis[lowest];
  pivot(lowest, 2 * n);
  for (int round = 0; left != 2 * n; ++round) {
    if (round > 20 * n + 100) return false;
    if (!enter(left < n ? left + n : left - n)) return false;
  }
  for (int i = 0; i < n; ++i)
    if (basis[i] >= n && basis[i] < 2 * n) x[basis[i] - n] = std::fmax(0, table(i, 2 * n + 1));
  return x.allFinite();
}

// False along a ray: nothing limits what enters.
bool Complementarity::enter(int variable) {
  const double least = 1e-10 * table.col(variable).lpNorm<Eigen::Infinity>();
  int row = -1;
  double ratio = HUGE_VAL;
  for (int i = 0; i < n; ++i) {
    const double slope = table(i, variable);
    if (!(slope > least)) continue;
    const double at = std::fmax(0, table(i, 2 * n + 1)) / slope;
    const bool ends = basis[i] == 2 * n && at <= ratio * (1 + 1e-12);
    if (at < ratio || ends) ratio = at, row = i;
  }
  if (row < 0) return false;
  left = basis[row];
  pivot(row, variable);
  return true;
}

void Complementarity::pivot(int row, int column) {
  table.row(row) /= table(row, column);
  for (int i = 0; i < n; ++i)
    if (i != row && table(i, column) != 0) table.row(i) -= table(i, column) * table.row(row);
  basis[row] = column;
}

}  // namespace carom
