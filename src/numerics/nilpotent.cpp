#include "carom/numerics/nilpotent.hpp"

#include <array>
#include <utility>

namespace carom {
namespace {

// With x = x0 + x1 e in the last generator, x y = x0 y0 + (x0 y1 + x1 y0) e: three products of half the
// size.
template <int K, bool adds>
[[gnu::always_inline]] inline void multiply(const double* x, const double* y, double* r) {
  if constexpr (K == 0) {
    r[0] = adds ? r[0] + x[0] * y[0] : x[0] * y[0];
  } else {
    constexpr int half = 1 << (K - 1);
    multiply<K - 1, adds>(x, y, r);
    multiply<K - 1, adds>(x, y + half, r + half);
    multiply<K - 1, true>(x + half, y, r + half);
  }
}

// The product of two numbers of k generators each.
void multiply(int k, const double* x, const double* y, double* r) {
  switch (k) {
    case 0:
      return multiply<0, false>(x, y, r);
    case 1:
      return multiply<1, false>(x, y, r);
    case 2:
      return multiply<2, false>(x, y, r);
    case 3:
      return multiply<3, false>(x, y, r);
    default:
      static_assert(Nilpotent::most_generators == 4);
      return multiply<4, false>(x, y, r);
  }
}

using Derivatives = std::array<double, Nilpotent::most_generators + 2>;

// f, f', f'', ... from the coefficients of the Taylor series of f at the value.
Derivatives from_taylor(Derivatives y) {
  double factorial = 1;
  for (std::size_t j = 2; j < y.size(); ++j) y[j] *= factorial *= static_cast<double>(j);
  return y;
}

// f = x^e and its derivatives, where x is not 0; e is not a whole number from 0 on.
Derivatives powers(double f, double x, double e) {
  Derivatives y;
  const double r = 1 / x;
  for (double& derivative : y) derivative = f, f *= e * r, e -= 1;
  return y;
}

// y' = 1 + sign y².
Derivatives tangent(double value, double sign) {
  Derivatives y{value};
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    double square = 0;
    for (std::size_t i = 0; i <= j; ++i) square += y[i] * y[j - i];
    y[j + 1] = ((j == 0 ? 1.0 : 0.0) + sign * square) / static_cast<double>(j + 1);
  }
  return from_taylor(y);
}

// y' = u, u = (1 - x²)^(-1/2): (1 - x²) u' = x u.
Derivatives arc_sine(double x) {
  const double w = 1 / ((1 - x) * (1 + x));
  Derivatives y{std::asin(x)};
  double before = 0, u = std::sqrt(w);
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    const double d = static_cast<double>(j);
    y[j + 1] = u / (d + 1);
    before = std::exchange(u, w * (x * (2 * d + 1) * u + d * before) / (d + 1));
  }
  return from_taylor(y);
}

// y' = w, (1 + x²) w = 1.
Derivatives arc_tangent(double x) {
  const double first = 1 / (1 + x * x);
  Derivatives y{std::atan(x)};
  double before = 0, w = first;
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    y[j + 1] = w / static_cast<double>(j + 1);
    before = std::exchange(w, -(2 * x * w + before) * first);
  }
  return from_taylor(y);
}

}  // namespace

Nilpotent Nilpotent::slope(int i) const {
  assert(used <= i + 1);
  if (used <= i) return 0.0;
  Nilpotent r(Raw{i});
  for (int m = 0; m < r.parts(); ++m) r.c[m] = c[r.parts() + m];
  return r;
}

Nilpotent operator+(const Nilpotent& x, const Nilpotent& y) {
  if (x.used < y.used) return y + x;
  Nilpotent r = x;
  for (int i = 0; i < y.parts(); ++i) r.c[i] += y.c[i];
  return r;
}
Nilpotent operator-(const Nilpotent& x, const Nilpotent& y) {
  Nilpotent r = x;
  r.reach(y.used);
  for (int i = 0; i < y.parts(); ++i) r.c[i] -= y.c[i];
  return r;
}
Nilpotent operator*(const Nilpotent& x, double y) {
  Nilpotent r(Nilpotent::Raw{x.used});
  for (int i = 0; i < x.parts(); ++i) r.c[i] = x.c[i] * y;
  return r;
}
Nilpotent operator*(const Nilpotent& x, const Nilpotent& y) {
  if (x.used < y.used) return y * x;
  Nilpotent r(Nilpotent::Raw{x.used});
  for (int i = 0; i < x.parts(); i += y.parts()) multiply(y.used, x.c + i, y.c, r.c + i);
  return r;
}

// With x = x0 + x1 e in one more generator, f(x) = f(x0) + f'(x0) x1 e; so are f', f'', ... made of those
// after them, one generator at a time.
Nilpotent Nilpotent::composed(const double* derivatives) const {
  Nilpotent f[most_generators + 1];
  for (int j = 0; j <= used; ++j) f[j].c[0] = derivatives[j];
  for (int k = 0; k < used; ++k)
    for (int j = 0; j < used - k; ++j) {
      multiply(k, f[j + 1].c, c + (1 << k), f[j].c + (1 << k));
      f[j].used = k + 1;
    }
  return f[0];
}

Nilpotent reciprocal(const Nilpotent& x) { return x.composed(powers(1 / x.value(), x.value(), -1).data()); }

SinCos<Nilpotent> sin_cos(const Nilpotent& x) {
  const double s = std::sin(x.value()), c = std::cos(x.value());
  const double turned[] = {s, c, -s, -c, s, c};
  return {x.composed(turned), x.composed(turned + 1)};
}
Nilpotent sin(const Nilpotent& x) {
  const double s = std::sin(x.value()), c = std::cos(x.value());
  const double turned[] = {s, c, -s, -c, s};
  return x.composed(turned);
}
Nilpotent cos(const Nilpotent& x) {
  const double s = std::sin(x.value()), c = std::cos(x.value());
  const double turned[] = {c, -s, -c, s, c};
  return x.composed(turned);
}
Nilpotent tan(const Nilpotent& x) { return x.composed(tangent(std::tan(x.value()), 1).data()); }
Nilpotent tanh(const Nilpotent& x) { return x.composed(tangent(std::tanh(x.value()), -1).data()); }
Nilpotent asin(const Nilpotent& x) { return x.composed(arc_sine(x.value()).data()); }
Nilpotent acos(const Nilpotent& x) {
  Derivatives y = arc_sine(x.value());
  for (double& d : y) d = -d;
  y[0] = std::acos(x.value());
  return x.composed(y.data());
}
Nilpotent atan(const Nilpotent& x) { return x.composed(arc_tangent(x.value()).data()); }
Nilpotent exp(const Nilpotent& x) {
  Derivatives y;
  y.fill(std::exp(x.value()));
  return x.composed(y.data());
}
Nilpotent log(const Nilpotent& x) {
  const double r = 1 / x.value();
  Derivatives y = powers(r, x.value(), -1);
  for (std::size_t j = y.size() - 1; j > 0; --j) y[j] = y[j - 1];
  y[0] = std::log(x.value());
  return x.composed(y.data());
}
Nilpotent sqrt(const Nilpotent& x) { return x.composed(powers(std::sqrt(x.value()), x.value(), 0.5).data()); }
Nilpotent sinh(const Nilpotent& x) {
  const double s = std::sinh(x.value()), c = std::cosh(x.value()), both[] = {s, c, s, c, s};
  return x.composed(both);
}
Nilpotent cosh(const Nilpotent& x) {
  const double s = std::sinh(x.value()), c = std::cosh(x.value()), both[] = {c, s, c, s, c};
  return x.composed(both);
}

// A vanishing factor e - j must win over the pole of x^(e-j-1) at x = 0.
Nilpotent pow(const Nilpotent& x, double e) {
  Derivatives y{};
  double factor = 1;
  for (int j = 0; j <= x.generators() && factor != 0; ++j, factor *= e, e -= 1)
    y[j] = factor * std::pow(x.value(), e);
  return x.composed(y.data());
}
Nilpotent pow(const Nilpotent& x, const Nilpotent& y) {
  if (magnitude(y - y.value()) == 0) return pow(x, y.value());  // a constant exponent allows x <= 0
  return exp(y * log(x));
}
Nilpotent pow(double x, const Nilpotent& y) {
  const double l = std::log(x);
  Derivatives d;
  double f = std::pow(x, y.value());
  for (double& derivative : d) derivative = f, f *= l;
  return y.composed(d.data());
}

// Rotate by the angle of the values first, so that every quadrant and both axes are regular.
Nilpotent atan2(const Nilpotent& y, const Nilpotent& x) {
  const double a = x.value(), b = y.value();
  Derivatives d = arc_tangent(0);
  d[0] = std::atan2(b, a);
  return ((y * a - x * b) / (x * a + y * b)).composed(d.data());
}

double magnitude(const Nilpotent& x) {
  double m = 0;
  for (int i = 0; i < x.parts(); ++i) {
    const double size = std::abs(x.part(i));
    if (size > m || std::isnan(size)) m = size;  // NaN wins
  }
  return m;
}

}  // namespace carom
