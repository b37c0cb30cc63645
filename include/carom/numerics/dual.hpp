// The arithmetic that both kinds of dual numbers share: constants, quotients, comparisons, and what lies
// below all layers of derivatives. Tested against closed forms and each other in tests/unit/dual_test.cpp.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "carom/numerics/dual_types.hpp"

namespace carom {

namespace detail {
template <class X>
inline constexpr bool is_dual = false;
template <class T, int N>
inline constexpr bool is_dual<Dual<T, N>> = true;
template <class T, int N>
inline constexpr bool is_dual<Dual2<T, N>> = true;
}  // namespace detail

template <class X>
concept DualNumber = detail::is_dual<X>;

namespace detail {
template <class C, class X>
constexpr bool stands_below() {
  if constexpr (DualNumber<X>)
    return std::is_same_v<C, typename X::Value> || stands_below<C, typename X::Value>();
  else
    return false;
}
}  // namespace detail

// What may meet a dual number X as a constant: a double, or a value of any level below.
template <class C, class X>
concept ConstantOf = DualNumber<X> &&(std::is_arithmetic_v<C> || detail::stands_below<C, X>());

template <DualNumber X, ConstantOf<X> C>
X operator+(const X& x, const C& c) {
  return x.shifted(c);
}
template <DualNumber X, ConstantOf<X> C>
X operator+(const C& c, const X& x) {
  return x.shifted(c);
}
template <DualNumber X, ConstantOf<X> C>
X operator-(const X& x, const C& c) {
  if constexpr (std::is_arithmetic_v<C>)
    return x.shifted(-static_cast<double>(c));  // minus an unsigned one is not what it seems
  else
    return x.shifted(-c);
}
template <DualNumber X, ConstantOf<X> C>
X operator-(const C& c, const X& x) {
  return (-x).shifted(c);
}
template <DualNumber X, ConstantOf<X> C>
X operator*(const X& x, const C& c) {
  return x.scaled(c);
}
template <DualNumber X, ConstantOf<X> C>
X operator*(const C& c, const X& x) {
  return x.scaled(c);
}
template <DualNumber X, ConstantOf<X> C>
X operator/(const X& x, const C& c) {
  return x.scaled(1.0 / c);
}

template <DualNumber X>
X reciprocal(const X& x) {
  const typename X::Value r = 1.0 / x.a, r2 = r * r;
  return chain(x, r, -r2, 2.0 * r2 * r);
}
template <DualNumber X>
X operator/(const X& x, const X& y) {
  return x * reciprocal(y);
}
template <DualNumber X, ConstantOf<X> C>
X operator/(const C& c, const X& y) {
  return reciprocal(y).scaled(c);
}

template <DualNumber X, class Y>
X& operator+=(X& x, const Y& y) {
  return x = x + y;
}
template <DualNumber X, class Y>
X& operator-=(X& x, const Y& y) {
  return x = x - y;
}
template <DualNumber X, class Y>
X& operator*=(X& x, const Y& y) {
  return x = x * y;
}
template <DualNumber X, class Y>
X& operator/=(X& x, const Y& y) {
  return x = x / y;
}

// Comparisons look at values only.
template <DualNumber X>
auto operator<(const X& x, const X& y) {
  return x.a < y.a;
}
template <DualNumber X>
auto operator>(const X& x, const X& y) {
  return x.a > y.a;
}
template <DualNumber X>
auto operator<=(const X& x, const X& y) {
  return x.a <= y.a;
}
template <DualNumber X>
auto operator>=(const X& x, const X& y) {
  return x.a >= y.a;
}
template <DualNumber X>
auto operator==(const X& x, const X& y) {
  return x.a == y.a;
}
template <DualNumber X>
auto operator!=(const X& x, const X& y) {
  return x.a != y.a;
}
template <DualNumber X, ConstantOf<X> C>
auto operator<(const X& x, const C& c) {
  return x.a < c;
}
template <DualNumber X, ConstantOf<X> C>
auto operator>(const X& x, const C& c) {
  return x.a > c;
}
template <DualNumber X, ConstantOf<X> C>
auto operator<=(const X& x, const C& c) {
  return x.a <= c;
}
template <DualNumber X, ConstantOf<X> C>
auto operator>=(const X& x, const C& c) {
  return x.a >= c;
}

// The number below all layers of derivatives: a double or a Pack.
inline double base_value(double x) { return x; }
template <DualNumber X>
auto base_value(const X& x) {
  return base_value(x.a);
}
template <class S>
using Base = decltype(base_value(std::declval<const S&>()));

// How many derivatives of the base a scalar carries: 0 for double, 3 for Dual<Dual2<double, 2>, 2>.
template <class S>
constexpr int derivative_order() {
  if constexpr (DualNumber<S>)
    return S::derivative_order + derivative_order<typename S::Value>();
  else
    return 0;
}

namespace detail {
template <class F>
[[gnu::flatten]] inline decltype(auto) call_flat(const F& f) {
  return f();
}
}  // namespace detail

// Calls f with everything below it inlined, so that small dual numbers stay in registers: twice as fast.
// Deeper nested ones are called plainly; they would only make the compiler slow.
template <class S, class F>
decltype(auto) inlined(const F& f) {
  if constexpr (derivative_order<S>() <= 1)
    return detail::call_flat(f);
  else
    return f();
}

// The largest absolute value among a number and all derivatives it carries: iterations converge when this
// does.
inline double magnitude(double x) { return std::abs(x); }
template <DualNumber X>
double magnitude(const X& x) {
  double m = magnitude(x.a);
  const auto include = [&m](const auto& part) {
    const double size = magnitude(part);
    if (size > m || std::isnan(size)) m = size;  // NaN wins
  };
  for (const auto& part : x.d) include(part);
  if constexpr (X::derivative_order == 2)
    for (const auto& part : x.h) include(part);
  return m;
}

}  // namespace carom

namespace Eigen {
template <class X>
requires carom::DualNumber<X>
struct NumTraits<X> : NumTraits<double> {
  using Real = X;
  using NonInteger = X;
  using Nested = X;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 4,
    AddCost = 8,
    MulCost = 16
  };
};
template <class X, class Op>
requires carom::DualNumber<X>
struct ScalarBinaryOpTraits<X, double, Op> {
  using ReturnType = X;
};
template <class X, class Op>
requires carom::DualNumber<X>
struct ScalarBinaryOpTraits<double, X, Op> {
  using ReturnType = X;
};
}  // namespace Eigen
