// The functions of analysis over dual numbers: each line is f, f' and f'' at the value, and chain() does the
// rest at every level of nesting. Systems written with `using std::sin;` style calls, or unqualified ones,
// find these by argument-dependent lookup. Tested in tests/unit/dual_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/numerics/dual.hpp"
#include "carom/numerics/pack.hpp"

namespace carom {

// Plain doubles take part under the same unqualified names.
using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log,
    std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;

inline double select(bool which, double yes, double no) { return which ? yes : no; }
template <class Mask, DualNumber X>
X select(const Mask& which, const X& yes, const X& no) {
  return X::zip(yes, no, [&which](const auto& y, const auto& n) { return select(which, y, n); });
}

// Both at once: derivatives need them together.
inline SinCos<double> sin_cos(double x) { return {std::sin(x), std::cos(x)}; }
template <DualNumber X>
[[gnu::always_inline]] inline SinCos<X> sin_cos(const X& x) {
  const auto [s, c] = sin_cos(x.a);
  return {chain(x, s, c, -s), chain(x, c, -s, -c)};
}
template <DualNumber X>
[[gnu::always_inline]] inline X sin(const X& x) {
  return sin_cos(x).sin;
}
template <DualNumber X>
[[gnu::always_inline]] inline X cos(const X& x) {
  return sin_cos(x).cos;
}
template <DualNumber X>
X tan(const X& x) {
  const auto t = tan(x.a), t1 = 1.0 + t * t;
  return chain(x, t, t1, 2.0 * t * t1);
}
template <DualNumber X>
X asin(const X& x) {
  const auto w = 1.0 / ((1.0 - x.a) * (1.0 + x.a)), f1 = sqrt(w);
  return chain(x, asin(x.a), f1, x.a * f1 * w);
}
template <DualNumber X>
X acos(const X& x) {
  X r = -asin(x);
  r.a = acos(x.a);
  return r;
}
template <DualNumber X>
X atan(const X& x) {
  const auto f1 = 1.0 / (1.0 + x.a * x.a);
  return chain(x, atan(x.a), f1, -2.0 * x.a * f1 * f1);
}
template <DualNumber X>
X exp(const X& x) {
  const auto e = exp(x.a);
  return chain(x, e, e, e);
}
template <DualNumber X>
X log(const X& x) {
  const auto r = 1.0 / x.a;
  return chain(x, log(x.a), r, -(r * r));
}
template <DualNumber X>
X sqrt(const X& x) {
  const auto s = sqrt(x.a), f1 = 0.5 / s;
  return chain(x, s, f1, -0.5 * f1 / x.a);
}
template <DualNumber X>
X sinh(const X& x) {
  const auto s = sinh(x.a), c = cosh(x.a);
  return chain(x, s, c, s);
}
template <DualNumber X>
X cosh(const X& x) {
  const auto s = sinh(x.a), c = cosh(x.a);
  return chain(x, c, s, c);
}
template <DualNumber X>
X tanh(const X& x) {
  const auto t = tanh(x.a), f1 = 1.0 - t * t;
  return chain(x, t, f1, -2.0 * t * f1);
}
template <DualNumber X>
X abs(const X& x) {
  return select(x.a < typename X::Value(0.0), -x, x);
}

// A vanishing factor e or e - 1 must win over the pole of x^(e-1) at x = 0.
template <DualNumber X>
X pow(const X& x, double e) {
  using T = typename X::Value;
  const T f1 = e == 0.0 ? T(0.0) : T(e * pow(x.a, e - 1.0));
  const T f2 = e == 0.0 || e == 1.0 ? T(0.0) : T(e * (e - 1.0) * pow(x.a, e - 2.0));
  return chain(x, pow(x.a, e), f1, f2);
}
template <DualNumber X>
X pow(const X& x, const X& y) {
  if constexpr (std::is_same_v<Base<X>, double>)  // a constant exponent allows x <= 0
    if (magnitude(y - base_value(y)) == 0) return pow(x, base_value(y));
  return exp(y * log(x));
}
template <DualNumber X>
X pow(double x, const X& y) {
  const auto f = pow(x, y.a);
  const double l = std::log(x);
  return chain(y, f, f * l, f * (l * l));
}

// Rotate by the angle of the values first, so that every quadrant and both axes are regular.
template <DualNumber X>
X atan2(const X& y, const X& x) {
  const X along = x * x.a + y * y.a, across = y * x.a - x * y.a;
  X r = atan(across / along);
  r.a = atan2(y.a, x.a);
  return r;
}

template <DualNumber X>
X min(const X& x, const X& y) {
  return select(y.a < x.a, y, x);
}
template <DualNumber X>
X max(const X& x, const X& y) {
  return select(x.a < y.a, y, x);
}
template <DualNumber X>
X min(const X& x, double c) {
  return min(x, X(c));
}
template <DualNumber X>
X max(const X& x, double c) {
  return max(x, X(c));
}
template <DualNumber X>
X min(double c, const X& x) {
  return min(X(c), x);
}
template <DualNumber X>
X max(double c, const X& x) {
  return max(X(c), x);
}

}  // namespace carom
