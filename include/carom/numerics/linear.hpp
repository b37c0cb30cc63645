// Small dense linear solves. The factorisation works on base values (double or Pack); a right-hand side may
// carry derivatives, which then pass through linearly. Nothing allocates where the size is fixed.
// Tested in tests/unit/linear_test.cpp.
#pragma once

#include <cmath>
#include <utility>

#include "carom/numerics/dual.hpp"

namespace carom {

// LU with partial pivoting, for the matrices of Newton's method. Most are close to masses, whose entries have
// the units of their rows and columns: there rows are compared as if the diagonal were one.
template <int N>
class LU {
 public:
  LU() = default;
  explicit LU(const Matrix<double, N>& matrix) { factor(matrix); }

  // In place of what was factored before; allocates only where the size is new.
  void factor(const Matrix<double, N>& matrix) {
    a = matrix, pivot.resize(matrix.rows()), regular = true;
    const int n = static_cast<int>(a.rows());
    weigh(n);
    for (int k = 0; k < n && regular; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (a(i, k) * a(i, k) * weight[best] > a(best, k) * a(best, k) * weight[i]) best = i;
      pivot[k] = best;
      regular = std::abs(a(best, k)) > 0 && std::isfinite(a(best, k));
      if (best != k) {
        for (int j = 0; j < n; ++j) std::swap(a(k, j), a(best, j));
        std::swap(weight[k], weight[best]);
      }
      for (int i = k + 1; i < n; ++i) {
        a(i, k) /= a(k, k);
        for (int j = k + 1; j < n; ++j) a(i, j) -= a(i, k) * a(k, j);
      }
    }
  }

  bool ok() const { return regular; }

  template <class S>
  Vector<S, N> solve(Vector<S, N> b) const {
    solve_in_place(b);
    return b;
  }
  template <class S>
  void solve_in_place(Vector<S, N>& b) const {
    const int n = static_cast<int>(a.rows());
    for (int k = 0; N != 1 && k < n; ++k)  // (of one row g++ would suspect a swap with the next)
      if (pivot[k] != k) std::swap(b[k], b[pivot[k]]);
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < i; ++j) b[i] = b[i] - b[j] * a(i, j);
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) b[i] = b[i] - b[j] * a(i, j);
      b[i] = b[i] * (1.0 / a(i, i));
    }
  }

 private:
  // The sizes of the diagonal where no entry exceeds those of its row and column, as in a mass; else 1.
  void weigh(int n) {
    weight = a.diagonal().cwiseAbs();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (!(a(i, j) * a(i, j) <= 1.5 * weight[i] * weight[j])) return weight.setOnes(), void();
  }

  Matrix<double, N> a;
  Vector<double, N> weight;
  Vector<int, N> pivot;
  bool regular = true;
};

// A x = b for a symmetric positive semidefinite A, by A = L D L'. An unknown whose pivot is at most 1e-12 of
// its diagonal entry depends on those before it: its equation is left out, and it is zero.
template <int K>
class SemidefiniteSolve {
 public:
  explicit SemidefiniteSolve(const Matrix<double, K>& matrix) : a(matrix) {
    const int n = static_cast<int>(a.rows());
    for (int j = 0; j < n; ++j) {
      const double diagonal = a(j, j);
      for (int k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k) * a(k, k);
      if (!(a(j, j) > 1e-12 * diagonal)) a(j, j) = 0;
      for (int i = j + 1; i < n; ++i) {
        for (int k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k) * a(k, k);
        a(i, j) = uses(j) ? a(i, j) / a(j, j) : 0;
      }
    }
  }

  bool uses(int i) const { return a(i, i) > 0; }

  template <class S>
  Vector<S, K> solve(Vector<S, K> b) const {
    const int n = static_cast<int>(a.rows());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) b[i] = b[i] - b[j] * a(i, j);
    for (int i = 0; i < n; ++i) b[i] = b[i] * (uses(i) ? 1 / a(i, i) : 0.0);
    for (int i = n - 2; i >= 0; --i)
      for (int j = i + 1; j < n; ++j) b[i] = b[i] - b[j] * a(j, i);
    return b;
  }

 private:
  Matrix<double, K> a;
};

template <class S, int N>
struct Solved {
  Vector<S, N> x;
  bool ok;  // the matrix was positive definite
};

namespace detail {

// M = L D L' in place, of any base scalar; answers whether every pivot was positive.
template <class B, int N>
bool factor_ldlt(Matrix<B, N>& m) {
  const int n = static_cast<int>(m.rows());
  bool positive = true;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) m(j, j) = m(j, j) - m(j, k) * m(j, k) * m(k, k);
    positive = positive && magnitude(m(j, j)) < HUGE_VAL && magnitude(m(j, j) - abs(m(j, j))) == 0 &&
               magnitude(1.0 / m(j, j)) < HUGE_VAL;
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) m(i, j) = m(i, j) - m(i, k) * m(j, k) * m(k, k);
      m(i, j) = m(i, j) / m(j, j);
    }
  }
  return positive;
}

template <class B, class S, int N>
Vector<S, N> solve_ldlt(const Matrix<B, N>& m, Vector<S, N> b) {
  const int n = static_cast<int>(m.rows());
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < i; ++j) b[i] = b[i] - b[j] * m(i, j);
  for (int i = 0; i < n; ++i) b[i] = b[i] * (1.0 / m(i, i));
  for (int i = n - 2; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) b[i] = b[i] - b[j] * m(j, i);
  return b;
}

}  // namespace detail

// Solve M x = b for a symmetric positive definite M whose entries may carry derivatives: the base solve, then
// one refinement per order of derivative, which is exact because derivatives of order k+1 vanish from it.
template <class S, int N>
Solved<S, N> solve_positive(const Matrix<S, N>& M, const Vector<S, N>& b) {
  Matrix<Base<S>, N> factors = M.unaryExpr([](const S& x) { return base_value(x); });
  const bool ok = detail::factor_ldlt(factors);
  Vector<S, N> x = inlined<S>([&] { return detail::solve_ldlt(factors, b); });
  if constexpr (derivative_order<S>() > 0)
    for (int k = 0; k < derivative_order<S>(); ++k) {
      const Vector<S, N> residual = b - M * x;
      x = x + detail::solve_ldlt(factors, residual);
    }
  return {x, ok};
}

}  // namespace carom
