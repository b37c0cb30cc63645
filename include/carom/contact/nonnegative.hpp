// The linear complementarity problem 0 <= y ⟂ W y + b >= 0 of a symmetric positive semidefinite sparse W: the
// impulses of several contacts at once. Block pivoting: all contacts of the wrong sign change sides together,
// and one by one (Murty's rule, which ends) where that does not help. Tested in tests/unit/envelope_test.cpp.
#pragma once

#include "carom/contact/envelope.hpp"

namespace carom {

class NonnegativeSolver {
 public:
  // The pattern of W: first[i] <= i is the first column of row i. Fill it by add(), row >= column.
  void shape(std::span<const int> first_columns) {
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
  void add(int row, int column, double x) { values[starts[row] + column] += x; }

  // False where it does not end. y holds the solution.
  bool solve(const Values& b, Values& y) {
    const int n = static_cast<int>(b.size());
    const double tolerance = 1e-13 * b.lpNorm<Eigen::Infinity>();
    positive.resize(n), slack.resize(n);
    for (int i = 0; i < n; ++i) positive[i] = b[i] < 0;
    int fewest = n + 1, patience = 3;
    for (int i = 0; i < 20 * n + 100; ++i) {
      if (!solve_positive_part(b, y)) return false;
      int wrong = 0, last = -1;
      for (int k = 0; k < n; ++k)
        if (is_wrong(k, y, tolerance)) ++wrong, last = k;
      if (wrong == 0) return y = y.cwiseMax(0.0), true;
      if (wrong < fewest)
        fewest = wrong, patience = 3;
      else
        --patience;
      for (int k = 0; k < n; ++k)
        if (patience >= 0 ? is_wrong(k, y, tolerance) : k == last) positive[k] = !positive[k];
    }
    return false;
  }

 private:
  bool is_wrong(int k, const Values& y, double tolerance) const {
    return positive[k] ? y[k] < 0 && y[k] * values[starts[k] + k] < -tolerance : slack[k] < -tolerance;
  }

  bool solve_positive_part(const Values& b, Values& y) {
    const int n = static_cast<int>(b.size());
    W.set_zero();
    y.resize(n);
    for (int i = 0; i < n; ++i) {
      y[i] = positive[i] ? -b[i] : 0;
      if (!positive[i]) W.add(i, i, 1.0);
      for (int k = first[i]; k <= i; ++k)
        if (positive[i] && positive[k]) {
          W.add(i, k, values[starts[i] + k]);
          if (k < i) W.add(k, i, values[starts[i] + k]);
        }
    }
    all.assign(n, 1);
    if (!W.factor(all)) return false;
    W.solve(y);
    slack = b;
    for (int i = 0; i < n; ++i)
      for (int k = first[i]; k <= i; ++k) {
        slack[i] += values[starts[i] + k] * y[k];
        if (k < i) slack[k] += values[starts[i] + k] * y[i];
      }
    return true;
  }

  Envelope W;
  std::vector<int> first;
  std::vector<std::ptrdiff_t> starts;
  std::vector<double> values;  // the lower half of W, row by row
  std::vector<char> positive, all;
  Values slack;
};

}  // namespace carom
