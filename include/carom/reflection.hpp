// The generalized reflection (003, Algorithm 2): the impulse that turns every approaching contact of a set
// around and keeps the kinetic energy. One contact alone gives the mirror law (000, (8)-(9)); several at once
// are resolved together by non-negative least squares. Tested in tests/unit/reflection_test.cpp.
#pragma once

#include <vector>

#include "carom/linear.hpp"

namespace carom {

// y >= 0 that minimises ½ y'A y - b'y for a positive semidefinite A: Lawson & Hanson's active set method.
inline Eigen::VectorXd solve_nonnegative(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const int n = static_cast<int>(b.size());
  const double tolerance = 1e-14 * (1 + b.lpNorm<Eigen::Infinity>());
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
  std::vector<bool> active(n, false);
  const auto solve_active = [&] {
    std::vector<int> index;
    for (int i = 0; i < n; ++i)
      if (active[i]) index.push_back(i);
    const int k = static_cast<int>(index.size());
    Eigen::MatrixXd small(k, k);
    Eigen::VectorXd right(k);
    for (int i = 0; i < k; ++i) {
      right[i] = b[index[i]];
      for (int j = 0; j < k; ++j) small(i, j) = A(index[i], index[j]);
      small(i, i) *= 1 + 1e-15;  // parallel contacts make A singular
    }
    const Eigen::VectorXd x = LU<Eigen::Dynamic>(small).solve(right);
    Eigen::VectorXd full = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < k; ++i) full[index[i]] = x[i];
    return full;
  };
  for (int outer = 0; outer < 3 * n + 10; ++outer) {
    const Eigen::VectorXd gain = b - A * y;
    int best = -1;
    for (int i = 0; i < n; ++i)
      if (!active[i] && gain[i] > tolerance && (best < 0 || gain[i] > gain[best])) best = i;
    if (best < 0) break;
    active[best] = true;
    for (int inner = 0; inner <= n; ++inner) {
      const Eigen::VectorXd x = solve_active();
      double step = 1;
      for (int i = 0; i < n; ++i)
        if (active[i] && x[i] <= 0) step = std::min(step, y[i] / (y[i] - x[i]));
      y += step * (x - y);
      if (step == 1) break;
      for (int i = 0; i < n; ++i)
        if (active[i] && y[i] <= 0) active[i] = false, y[i] = 0;
    }
  }
  return y;
}

struct Reflection {
  Eigen::VectorXd impulse;  // per contact, >= 0: p+ = p- + G impulse
  int iterations = 0;
  bool ok = true;  // false: the cap was reached (contacts that squeeze the system, or a very thin wedge)
};

// Contacts by their gradients, the columns of G; v = M^-1 p before; MinvG = M^-1 G. A contact approaches
// while its rate G_k·v is below -1e-12 of what the fastest one had.
inline Reflection reflect(const Eigen::MatrixXd& G, const Eigen::MatrixXd& MinvG, const Eigen::VectorXd& v) {
  const int n = static_cast<int>(G.cols());
  const Eigen::MatrixXd A = G.transpose() * MinvG;
  Eigen::VectorXd rate = G.transpose() * v;
  Reflection r{Eigen::VectorXd::Zero(n)};
  const double threshold = 1e-12 * rate.lpNorm<Eigen::Infinity>();
  const int most = 200 + 4 * n;
  for (; r.iterations < most; ++r.iterations) {
    std::vector<int> approaching;
    for (int k = 0; k < n; ++k)
      if (rate[k] < -threshold) approaching.push_back(k);
    if (approaching.empty()) return r;
    const int m = static_cast<int>(approaching.size());
    Eigen::MatrixXd small(m, m);
    Eigen::VectorXd right(m);
    for (int i = 0; i < m; ++i) {
      right[i] = -2 * rate[approaching[i]];
      for (int j = 0; j < m; ++j) small(i, j) = A(approaching[i], approaching[j]);
    }
    const Eigen::VectorXd y = solve_nonnegative(small, right);
    for (int i = 0; i < m; ++i) r.impulse[approaching[i]] += y[i], rate += A.col(approaching[i]) * y[i];
  }
  r.ok = false;
  return r;
}

}  // namespace carom
