#include "carom/numerics/nonnegative.hpp"

#include <algorithm>
#include <cmath>

namespace carom {

void NonnegativeSolver::shape(std::span<const int> first_columns) {
  W.shape(first_columns);
  first.assign(first_columns.begin(), first_columns.end());
  starts.resize(first.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    starts[i] = static_cast<std::ptrdiff_t>(length) - first[i];
    length += i + 1 - static_cast<std::size_t>(first[i]);
  }
  values.assign(length, 0.0);
}

bool NonnegativeSolver::solve(const ChangingValues& b, ChangingValues& y, double noise, Guess guess) {
  const int n = static_cast<int>(b.size());
  least_tolerance = noise;
  positive.resize(n), swap.resize(n), barred.resize(n), slack.resize(n);
  for (int i = 0; i < n; ++i) positive[i] = guess == Guess::all || b[i] < 0;
  int fewest = n + 1, patience = 3;
  while (patience >= 0) {
    if (!solve_positive_part(b, y)) return false;
    int wrong = 0;
    for (int k = 0; k < n; ++k) wrong += is_wrong(k, y);
    if (wrong == 0) return y = y.cwiseMax(0.0), true;
    patience = wrong < fewest ? 3 : patience - 1;
    fewest = std::min(fewest, wrong);
    for (int k = 0; k < n; ++k) swap[k] = is_wrong(k, y);
    for (int k = 0; k < n; ++k) positive[k] = positive[k] != swap[k];
  }
  return solve_one_by_one(b, y);
}

bool NonnegativeSolver::is_wrong(int k, const ChangingValues& y) const {
  if (!positive[k]) return slack[k] < -tolerance;
  return (y[k] < 0 && y[k] * values[starts[k] + k] < -tolerance) || (W.dropped(k) && slack[k] < -tolerance);
}

bool NonnegativeSolver::solve_one_by_one(const ChangingValues& b, ChangingValues& y) {
  const int n = static_cast<int>(b.size());
  std::fill(positive.begin(), positive.end(), 0), std::fill(barred.begin(), barred.end(), 0);
  y.setZero(), x = y;
  measure(b, x);
  for (int i = 0; i < 20 * n + 100; ++i) {
    int enters = -1;
    bool done = true;
    for (int k = 0; k < n; ++k) {
      if (positive[k] || slack[k] >= -tolerance) continue;
      done = false;
      if (!barred[k] && (enters < 0 || slack[k] < slack[enters])) enters = k;
    }
    if (done) return y = x, true;
    if (enters < 0) return false;
    if (!enter(enters, b, y)) {  // what it would add is rounding, or there is no solution
      positive[enters] = 0, barred[enters] = 1;
      measure(b, x);
      continue;
    }
    std::fill(barred.begin(), barred.end(), 0);
    while (leave(y))
      if (!solve_positive_part(b, y)) return false;
    x = y;
  }
  return false;
}

bool NonnegativeSolver::one_depends() const {
  for (int k = 0; k < W.size(); ++k)
    if (positive[k] && W.dropped(k)) return true;
  return false;
}

// The solution with k among the positive ones into y, towards which x may move.
bool NonnegativeSolver::enter(int k, const ChangingValues& b, ChangingValues& y) {
  positive[k] = 1;
  if (!solve_positive_part(b, y)) return false;
  return one_depends() ? exchange(k, b, y) : y[k] > 0;
}

// Where k depends on the positive ones, W d = 0 for a d with d_k = 1: along it ½ y'W y + b·y falls by b·d,
// the slack of k, until one of these is zero and leaves for k. False where none is: there is no solution.
bool NonnegativeSolver::exchange(int k, const ChangingValues& b, ChangingValues& y) {
  positive[k] = 0;
  if (!factor_positive_part()) return false;
  d.resize(x.size());
  for (int i = 0; i < x.size(); ++i) d[i] = positive[i] ? -entry(i, k) : 0;
  W.solve(d);
  d[k] = 1;
  double least = HUGE_VAL;
  int out = -1;
  for (int i = 0; i < x.size(); ++i)
    if (d[i] * std::sqrt(entry(i, i)) < -1e-9 * std::sqrt(entry(k, k)) && x[i] < -least * d[i])
      least = -x[i] / d[i], out = i;
  if (out < 0) return false;
  positive[k] = 1, positive[out] = 0;
  if (!solve_positive_part(b, y) || one_depends() || !(y[k] > 0)) return positive[out] = 1, false;
  x += least * d;
  x = x.cwiseMax(0.0), x[out] = 0;
  return true;
}

// From x towards y until an impulse is zero: that one leaves. False where y itself is reached.
bool NonnegativeSolver::leave(const ChangingValues& y) {
  double least = 1;
  int out = -1;
  for (int k = 0; k < x.size(); ++k)
    if (positive[k] && y[k] <= 0 && x[k] / (x[k] - y[k]) <= least)
      least = x[k] > 0 ? x[k] / (x[k] - y[k]) : 0, out = k;
  if (out < 0) return false;
  x += least * (y - x);
  x = x.cwiseMax(0.0), x[out] = 0, positive[out] = 0;
  return true;
}

bool NonnegativeSolver::factor_positive_part() {
  const int n = W.size();
  W.set_zero();
  for (int i = 0; i < n; ++i) {
    if (!positive[i]) W.add(i, i, 1.0);
    for (int k = first[i]; k <= i; ++k)
      if (positive[i] && positive[k]) {
        W.add(i, k, values[starts[i] + k]);
        if (k < i) W.add(k, i, values[starts[i] + k]);
      }
  }
  all.assign(n, 1);
  return W.factor(all);
}

bool NonnegativeSolver::solve_positive_part(const ChangingValues& b, ChangingValues& y) {
  if (!factor_positive_part()) return false;
  y.resize(b.size());
  for (int i = 0; i < b.size(); ++i) y[i] = positive[i] ? -b[i] : 0;
  W.solve(y);
  measure(b, y);
  return true;
}

// W y + b, and what its rounding errors may be.
void NonnegativeSolver::measure(const ChangingValues& b, const ChangingValues& y) {
  slack = b;
  double size = b.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < b.size(); ++i)
    for (int k = first[i]; k <= i; ++k) {
      const double w = values[starts[i] + k];
      slack[i] += w * y[k];
      if (k < i) slack[k] += w * y[i];
      size = std::fmax(size, std::fmax(std::abs(w * y[k]), std::abs(w * y[i])));
    }
  tolerance = std::fmax(1e-13 * size, least_tolerance);
}

}  // namespace carom
