// Exact derivatives of a function written over any scalar: value, gradient, Hessian, Jacobian at a point.
// A vector of fixed size is differentiated in one pass; one of run-time size in chunks of directions, so that
// no scalar operation allocates. Tested in tests/unit/differentiate_test.cpp.
#pragma once

#include <algorithm>

#include "carom/numerics/dual_math.hpp"

namespace carom {

template <class S, int N>
struct WithGradient {
  S value;
  Vector<S, N> gradient;
};

template <class S, int N>
struct WithHessian {
  S value;
  Vector<S, N> gradient;
  Matrix<S, N> hessian;
};

namespace detail {

inline constexpr int chunk = 4;  // directions per pass where the size is known at run time only

template <class S, int N>
using DirectionsOf = Dual<S, N == Eigen::Dynamic ? chunk : N>;

// x as independent variables; only those in [begin, begin + width) get a direction.
template <class D, class S, int N>
[[gnu::always_inline]] inline Vector<D, N> seeded(const Vector<S, N>& x, int begin = 0) {
  Vector<D, N> r(x.size());
  for (int i = 0; i < x.size(); ++i) {
    const bool moves = i >= begin && i < begin + D::directions;
    r[i] = moves ? D::variable(x[i], i - begin) : D(x[i]);
  }
  return r;
}

// Both levels of a nested dual: inner directions from row on, outer ones from column on.
template <class DD, class S, int N>
Vector<DD, N> seeded_twice(const Vector<S, N>& x, int row, int column) {
  using D = typename DD::Value;
  Vector<DD, N> r = seeded<DD>(Vector<D, N>(seeded<D>(x, row)), column);
  return r;
}

}  // namespace detail

// x + s u as a function of s, for second derivatives along u.
template <int N>
Vector<Dual2<double, 1>, N> along(const Vector<double, N>& x, const Vector<double, N>& u) {
  Vector<Dual2<double, 1>, N> r(x.size());
  for (int i = 0; i < x.size(); ++i) r[i] = Dual2<double, 1>(x[i]), r[i].d[0] = u[i];
  return r;
}

template <class F, class S, int N>
WithGradient<S, N> gradient(const F& f, const Vector<S, N>& x) {
  using D = detail::DirectionsOf<S, N>;
  const int n = static_cast<int>(x.size());
  WithGradient<S, N> r{S(0.0), Vector<S, N>(n)};
  for (int begin = 0; begin < n; begin += D::directions) {
    const D y = f(detail::seeded<D>(x, begin));
    r.value = y.a;
    for (int i = begin; i < std::min(n, begin + D::directions); ++i) r.gradient[i] = y.d[i - begin];
  }
  return r;
}

template <class F, class S, int N>
WithHessian<S, N> hessian(const F& f, const Vector<S, N>& x) {
  using D = Dual2<S, N>;
  const D y = f(detail::seeded<D>(x));
  WithHessian<S, N> r;
  r.value = y.a;
  for (int i = 0; i < N; ++i) {
    r.gradient[i] = y.d[i];
    for (int j = 0; j < N; ++j) r.hessian(i, j) = y.h[D::index(i, j)];
  }
  return r;
}

template <class F, class S>
WithHessian<S, Eigen::Dynamic> hessian(const F& f, const Vector<S, Eigen::Dynamic>& x) {
  constexpr int width = detail::chunk;
  using DD = Dual<Dual<S, width>, width>;
  const int n = static_cast<int>(x.size());
  WithHessian<S, Eigen::Dynamic> r{S(0.0), Vector<S, Eigen::Dynamic>(n), Matrix<S, Eigen::Dynamic>(n, n)};
  for (int row = 0; row < n; row += width)
    for (int column = 0; column <= row; column += width) {
      const DD y = f(detail::seeded_twice<DD>(x, row, column));
      r.value = y.a.a;
      for (int i = row; i < std::min(n, row + width); ++i) {
        r.gradient[i] = y.a.d[i - row];
        for (int j = column; j < std::min(n, column + width); ++j)
          r.hessian(i, j) = r.hessian(j, i) = y.d[j - column].d[i - row];
      }
    }
  return r;
}

// ∂f_i/∂x_j of a vector-valued f.
template <class F, class S, int N>
auto jacobian(const F& f, const Vector<S, N>& x) {
  using D = detail::DirectionsOf<S, N>;
  using Result = decltype(f(detail::seeded<D>(x)));
  constexpr int rows = Result::RowsAtCompileTime, most_rows = Result::MaxRowsAtCompileTime;
  constexpr int order = most_rows == 1 && N != 1 ? Eigen::RowMajor : Eigen::ColMajor;
  const int n = static_cast<int>(x.size());
  Eigen::Matrix<S, rows, N, order, most_rows, N> r;
  for (int begin = 0; begin < n; begin += D::directions) {
    const auto y = f(detail::seeded<D>(x, begin));
    if (begin == 0) r.resize(y.size(), n);
    for (int i = 0; i < y.size(); ++i)
      for (int j = begin; j < std::min(n, begin + D::directions); ++j) r(i, j) = y[i].d[j - begin];
  }
  return r;
}

}  // namespace carom
