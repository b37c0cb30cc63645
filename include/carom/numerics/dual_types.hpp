// Dual numbers: a value together with its exact first derivatives (Dual) or its first and second derivatives
// (Dual2, the Hessian packed as a lower triangle). Both nest: Dual<Dual2<double, 2>, 2> carries third
// derivatives. This file has the types, dual.hpp what is common to both, dual_math.hpp the functions,
// differentiate.hpp the user's calls.
//
// T is double, a Pack of doubles, or again a dual number; N is the number of directions. A
// default-constructed dual number is uninitialised, as a double is: zero-filling makes nested ones several
// times slower. Tested against closed forms and each other in tests/unit/dual_test.cpp.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "carom/numerics/vector.hpp"

namespace carom {

template <class T, int N>
struct Dual {
  static constexpr int directions = N, derivative_order = 1;
  using Value = T;

  T a;     // the value
  T d[N];  // ∂a/∂x_i

  Dual() = default;
  Dual(double c) : a(c) { clear(); }
  Dual(const T& c) requires(!std::is_same_v<T, double>) : a(c) { clear(); }

  // The i-th independent variable.
  static Dual variable(const T& x, int i) {
    Dual r(x);
    r.d[i] = T(1.0);
    return r;
  }

  friend Dual operator+(const Dual& x, const Dual& y) {
    Dual r;
    r.a = x.a + y.a;
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] + y.d[i];
    return r;
  }
  friend Dual operator-(const Dual& x, const Dual& y) {
    Dual r;
    r.a = x.a - y.a;
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] - y.d[i];
    return r;
  }
  friend Dual operator*(const Dual& x, const Dual& y) {
    Dual r;
    r.a = x.a * y.a;
    for (int i = 0; i < N; ++i) r.d[i] = x.a * y.d[i] + y.a * x.d[i];
    return r;
  }
  friend Dual operator-(const Dual& x) {
    Dual r;
    r.a = -x.a;
    for (int i = 0; i < N; ++i) r.d[i] = -x.d[i];
    return r;
  }
  // A factor and a summand without derivatives in these directions.
  template <class C>
  Dual scaled(const C& c) const {
    Dual r;
    r.a = a * c;
    for (int i = 0; i < N; ++i) r.d[i] = d[i] * c;
    return r;
  }
  template <class C>
  Dual shifted(const C& c) const {
    Dual r = *this;
    r.a = a + c;
    return r;
  }

  // f(x) by the chain rule, given f, f' and f'' at the value (f'' only matters to Dual2).
  friend Dual chain(const Dual& x, const T& f, const T& f1, const T&) {
    Dual r;
    r.a = f;
    for (int i = 0; i < N; ++i) r.d[i] = f1 * x.d[i];
    return r;
  }

  template <class F>
  static Dual zip(const Dual& x, const Dual& y, F&& f) {
    Dual r;
    r.a = f(x.a, y.a);
    for (int i = 0; i < N; ++i) r.d[i] = f(x.d[i], y.d[i]);
    return r;
  }

 private:
  void clear() {
    for (int i = 0; i < N; ++i) d[i] = T(0.0);
  }
};

template <class T, int N>
struct Dual2 {
  static constexpr int directions = N, derivative_order = 2, packed = N * (N + 1) / 2;
  using Value = T;

  T a;          // the value
  T d[N];       // ∂a/∂x_i
  T h[packed];  // ∂²a/∂x_i∂x_j at index(i, j)

  static constexpr int index(int i, int j) { return i < j ? index(j, i) : i * (i + 1) / 2 + j; }

  Dual2() = default;
  Dual2(double c) : a(c) { clear(); }
  Dual2(const T& c) requires(!std::is_same_v<T, double>) : a(c) { clear(); }

  static Dual2 variable(const T& x, int i) {
    Dual2 r(x);
    r.d[i] = T(1.0);
    return r;
  }

  friend Dual2 operator+(const Dual2& x, const Dual2& y) {
    Dual2 r;
    r.a = x.a + y.a;
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] + y.d[i];
    for (int k = 0; k < packed; ++k) r.h[k] = x.h[k] + y.h[k];
    return r;
  }
  friend Dual2 operator-(const Dual2& x, const Dual2& y) {
    Dual2 r;
    r.a = x.a - y.a;
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] - y.d[i];
    for (int k = 0; k < packed; ++k) r.h[k] = x.h[k] - y.h[k];
    return r;
  }
  friend Dual2 operator*(const Dual2& x, const Dual2& y) {
    Dual2 r;
    r.a = x.a * y.a;
    for (int i = 0; i < N; ++i) r.d[i] = x.a * y.d[i] + y.a * x.d[i];
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j, ++k)
        r.h[k] = x.a * y.h[k] + y.a * x.h[k] + (x.d[i] * y.d[j] + x.d[j] * y.d[i]);
    return r;
  }
  friend Dual2 operator-(const Dual2& x) {
    Dual2 r;
    r.a = -x.a;
    for (int i = 0; i < N; ++i) r.d[i] = -x.d[i];
    for (int k = 0; k < packed; ++k) r.h[k] = -x.h[k];
    return r;
  }
  template <class C>
  Dual2 scaled(const C& c) const {
    Dual2 r;
    r.a = a * c;
    for (int i = 0; i < N; ++i) r.d[i] = d[i] * c;
    for (int k = 0; k < packed; ++k) r.h[k] = h[k] * c;
    return r;
  }
  template <class C>
  Dual2 shifted(const C& c) const {
    Dual2 r = *this;
    r.a = a + c;
    return r;
  }

  friend Dual2 chain(const Dual2& x, const T& f, const T& f1, const T& f2) {
    Dual2 r;
    r.a = f;
    for (int i = 0; i < N; ++i) r.d[i] = f1 * x.d[i];
    for (int i = 0, k = 0; i < N; ++i) {
      const T f2di = f2 * x.d[i];
      for (int j = 0; j <= i; ++j, ++k) r.h[k] = f1 * x.h[k] + f2di * x.d[j];
    }
    return r;
  }

  template <class F>
  static Dual2 zip(const Dual2& x, const Dual2& y, F&& f) {
    Dual2 r;
    r.a = f(x.a, y.a);
    for (int i = 0; i < N; ++i) r.d[i] = f(x.d[i], y.d[i]);
    for (int k = 0; k < packed; ++k) r.h[k] = f(x.h[k], y.h[k]);
    return r;
  }

 private:
  void clear() {
    for (int i = 0; i < N; ++i) d[i] = T(0.0);
    for (int k = 0; k < packed; ++k) h[k] = T(0.0);
  }
};

}  // namespace carom
