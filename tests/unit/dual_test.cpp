// Dual numbers against closed-form derivatives up to the fourth order. A nested dual number carries one
// partial derivative in many places (y.a.d[0] and y.d[0].a are the same one); every place is compared, in
// every nesting.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include "carom/numerics/differentiate.hpp"

namespace carom::test {
namespace {

using Indices = std::vector<int>;  // (0, 0, 2) stands for ∂³/∂x0²∂x2

// A variable at every level of a nested dual number.
template <class X>
X variable(double x, int i) {
  if constexpr (DualNumber<X>)
    return X::variable(variable<typename X::Value>(x, i), i);
  else
    return x;
}

// Calls visit(indices, value) for every double inside y.
template <class X, class Visit>
void for_every_part(const X& y, const Visit& visit, const Indices& indices = {}) {
  const auto with = [&indices](std::initializer_list<int> more) {
    Indices r = indices;
    r.insert(r.end(), more);
    return r;
  };
  if constexpr (!DualNumber<X>) {
    visit(indices, y);
  } else {
    for_every_part(y.a, visit, indices);
    for (int i = 0; i < X::directions; ++i) for_every_part(y.d[i], visit, with({i}));
    if constexpr (X::derivative_order == 2)
      for (int i = 0; i < X::directions; ++i)
        for (int j = 0; j <= i; ++j) for_every_part(y.h[X::index(i, j)], visit, with({i, j}));
  }
}

template <class X>
void expect_parts(const std::string& what, const X& y,
                  const std::function<double(const Indices&)>& expected) {
  for_every_part(y, [&](const Indices& indices, double value) {
    const double right = expected(indices);
    EXPECT_NEAR(value, right, 2e-13 * (1 + std::abs(right)))
        << what << ", ∂ in directions " << testing::PrintToString(indices);
  });
}

int count(const Indices& indices, int i) {
  return static_cast<int>(std::count(indices.begin(), indices.end(), i));
}

// f and its derivatives up to the fourth in one variable.
using Derivatives = std::array<double, 5>;
template <class X>
void expect_derivatives(const X& y, const Derivatives& expected, const char* what) {
  static_assert(derivative_order<X>() == 4);
  expect_parts(what, y, [&](const Indices& indices) { return expected[indices.size()]; });
}

// Five ways to carry four derivatives in N variables.
struct Four {
  template <int N>
  using Of = Dual<Dual<Dual<Dual<double, N>, N>, N>, N>;
};
struct TwoTwice {
  template <int N>
  using Of = Dual2<Dual2<double, N>, N>;
};
struct TwoOutside {
  template <int N>
  using Of = Dual2<Dual<Dual<double, N>, N>, N>;
};
struct TwoBetween {
  template <int N>
  using Of = Dual<Dual2<Dual<double, N>, N>, N>;
};
struct TwoInside {
  template <int N>
  using Of = Dual<Dual<Dual2<double, N>, N>, N>;
};

template <class Nesting>
class NestedDual : public testing::Test {};
using Nestings = testing::Types<Four, TwoTwice, TwoOutside, TwoBetween, TwoInside>;
TYPED_TEST_SUITE(NestedDual, Nestings);

TYPED_TEST(NestedDual, TrigonometricFunctions) {
  using S = typename TypeParam::template Of<1>;
  for (const double x : {-2.3, -0.4, 0.0, 0.7, 1.2}) {
    SCOPED_TRACE(x);
    const S a = variable<S>(x, 0);
    const double s = std::sin(x), c = std::cos(x), t = std::tan(x), u = 1 + t * t;
    expect_derivatives(sin(a), {s, c, -s, -c, s}, "sin");
    expect_derivatives(cos(a), {c, -s, -c, s, c}, "cos");
    expect_derivatives(tan(a), {t, u, 2 * t * u, 2 * u * (1 + 3 * t * t), 8 * t * u * (2 + 3 * t * t)},
                       "tan");
  }
}

TYPED_TEST(NestedDual, InverseTrigonometricFunctions) {
  using S = typename TypeParam::template Of<1>;
  for (const double x : {-0.8, -0.3, 0.0, 0.5, 0.6}) {
    SCOPED_TRACE(x);
    const S a = variable<S>(x, 0);
    const double w = 1 / (1 - x * x), r = std::sqrt(w), u = 1 / (1 + x * x);
    const double d2 = x * w * r, d3 = (1 + 2 * x * x) * w * w * r, d4 = (9 + 6 * x * x) * x * w * w * w * r;
    expect_derivatives(asin(a), {std::asin(x), r, d2, d3, d4}, "asin");
    expect_derivatives(acos(a), {std::acos(x), -r, -d2, -d3, -d4}, "acos");
    const double u2 = u * u, u3 = u2 * u, u4 = u2 * u2;
    expect_derivatives(
        atan(a), {std::atan(x), u, -2 * x * u2, (6 * x * x - 2) * u3, 24 * x * (1 - x * x) * u4}, "atan");
  }
}

TYPED_TEST(NestedDual, ExponentialFunctions) {
  using S = typename TypeParam::template Of<1>;
  for (const double x : {-1.1, 0.0, 0.9}) {
    SCOPED_TRACE(x);
    const S a = variable<S>(x, 0);
    const double e = std::exp(x), s = std::sinh(x), c = std::cosh(x), t = std::tanh(x), u = 1 - t * t;
    expect_derivatives(exp(a), {e, e, e, e, e}, "exp");
    expect_derivatives(sinh(a), {s, c, s, c, s}, "sinh");
    expect_derivatives(cosh(a), {c, s, c, s, c}, "cosh");
    expect_derivatives(tanh(a), {t, u, -2 * t * u, (6 * t * t - 2) * u, 8 * t * u * (2 - 3 * t * t)}, "tanh");
    const double f = std::pow(3.0, x), l = std::log(3.0), l2 = l * l;
    expect_derivatives(pow(3.0, a), {f, f * l, f * l2, f * l2 * l, f * l2 * l2}, "3^x");
  }
}

TYPED_TEST(NestedDual, FunctionsOfPositiveNumbers) {
  using S = typename TypeParam::template Of<1>;
  for (const double x : {0.6, 1.0, 2.5}) {
    SCOPED_TRACE(x);
    const S a = variable<S>(x, 0);
    const double x2 = x * x, x3 = x2 * x, x4 = x2 * x2, s = std::sqrt(x);
    expect_derivatives(log(a), {std::log(x), 1 / x, -1 / x2, 2 / x3, -6 / x4}, "log");
    expect_derivatives(sqrt(a), {s, 0.5 / s, -0.25 * s / x2, 0.375 * s / x3, -0.9375 * s / x4}, "sqrt");
    const double f = std::pow(x, x), L = std::log(x) + 1, L2 = L * L;
    expect_derivatives(pow(a, a),
                       {f, f * L, f * (L2 + 1 / x), f * (L2 * L + 3 * L / x - 1 / x2),
                        f * (L2 * L2 + 6 * L2 / x - 4 * L / x2 + 3 / x2 + 2 / x3)},
                       "x^x");
  }
}

// d^k x^e = e (e-1) ... (e-k+1) x^(e-k), and zero where a factor vanishes, whatever x.
Derivatives power(double x, double e) {
  Derivatives r;
  double factor = 1;
  for (int k = 0; k <= 4; ++k) {
    r[k] = factor == 0 ? 0 : factor * std::pow(x, e - k);
    factor *= e - k;
  }
  return r;
}
TYPED_TEST(NestedDual, Powers) {
  using S = typename TypeParam::template Of<1>;
  const S positive = variable<S>(1.3, 0), negative = variable<S>(-0.8, 0), zero = variable<S>(0, 0);
  for (const double e : {-2.0, -1.5, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0})
    expect_derivatives(pow(positive, e), power(1.3, e), "pow");
  for (const double e : {-1.0, 0.0, 1.0, 2.0, 3.0, 4.0})
    expect_derivatives(pow(negative, e), power(-0.8, e), "pow of a negative number");
  for (const double e : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 4.5})
    expect_derivatives(pow(zero, e), power(0, e), "pow of zero");
  expect_derivatives(pow(zero, 2), {0, 0, 2, 0, 0}, "pow with an integer");
}

TYPED_TEST(NestedDual, OneSideOrTheOther) {
  using S = typename TypeParam::template Of<1>;
  for (const double x : {-1.5, 1.5}) {
    SCOPED_TRACE(x);
    const S a = variable<S>(x, 0), cube = a * a * a;
    const Derivatives inside{x * x * x, 3 * x * x, 6 * x, 6, 0}, zero{};
    const Derivatives &lower = x < 0 ? inside : zero, &upper = x < 0 ? zero : inside;
    expect_derivatives(min(cube, 0.0), lower, "min");
    expect_derivatives(min(0.0, cube), lower, "min");
    expect_derivatives(max(cube, 0.0), upper, "max");
    expect_derivatives(max(0.0, cube), upper, "max");
    Derivatives size, minus;
    for (int k = 0; k <= 4; ++k) size[k] = x < 0 ? -inside[k] : inside[k], minus[k] = -size[k];
    expect_derivatives(abs(cube), size, "abs");
    expect_derivatives(max(cube, -cube), size, "max of two");
    expect_derivatives(min(cube, -cube), minus, "min of two");
  }
}
TEST(Dual, TiesGoToTheFirst) {
  using D = Dual<double, 2>;
  const D x = D::variable(1, 0), y = D::variable(1, 1);
  EXPECT_EQ(min(x, y).d[0], 1);
  EXPECT_EQ(max(x, y).d[0], 1);
  EXPECT_EQ(abs(D::variable(0, 0)).d[0], 1);
}

TYPED_TEST(NestedDual, ConstantsOnBothSides) {
  using S = typename TypeParam::template Of<1>;
  for (const double x : {-1.4, 0.9}) {
    SCOPED_TRACE(x);
    const S a = variable<S>(x, 0);
    const double r = 1 / x, r2 = r * r;
    expect_derivatives(a + 2.5, {x + 2.5, 1}, "x + 2.5");
    expect_derivatives(2.5 + a, {x + 2.5, 1}, "2.5 + x");
    expect_derivatives(a - 2.5, {x - 2.5, 1}, "x - 2.5");
    expect_derivatives(2.5 - a, {2.5 - x, -1}, "2.5 - x");
    expect_derivatives(a * 3, {3 * x, 3}, "x * 3");
    expect_derivatives(3 * a, {3 * x, 3}, "3 * x");
    expect_derivatives(a / 4, {x / 4, 0.25}, "x / 4");
    expect_derivatives(6 / a, {6 * r, -6 * r2, 12 * r2 * r, -36 * r2 * r2, 144 * r2 * r2 * r}, "6 / x");
    expect_derivatives(-a, {-x, -1}, "-x");
    S b = a;
    b += 1, b -= 3.0, b *= 2, b /= 4.0;
    expect_derivatives(b, {(x - 2) / 2, 0.5}, "compound, with constants");
    S c = a;
    c *= a, c += a, c /= a, c -= a;
    expect_derivatives(c, {1}, "compound, with itself");
  }
}

// A constant may come from any level below: it has no derivatives above its own.
TYPED_TEST(NestedDual, ConstantsFromBelow) {
  using S = typename TypeParam::template Of<1>;
  const auto x = variable<S>(0.7, 0);
  const auto c = sin(x.a);
  const auto expect_same = [](const S& y, const S& z, const char* what) {
    std::vector<double> parts;
    for_every_part(z, [&](const Indices&, double value) { parts.push_back(value); });
    std::size_t k = 0;
    for_every_part(y, [&](const Indices&, double value) { EXPECT_NEAR(value, parts[k++], 1e-14) << what; });
  };
  expect_same(x + c, x + S(c), "x + c");
  expect_same(c + x, S(c) + x, "c + x");
  expect_same(x - c, x - S(c), "x - c");
  expect_same(c - x, S(c) - x, "c - x");
  expect_same(x * c, x * S(c), "x c");
  expect_same(c * x, S(c) * x, "c x");
  expect_same(x / c, x / S(c), "x/c");
  expect_same(c / x, S(c) / x, "c/x");
}

TEST(Dual, ConstantsOfEveryArithmeticType) {
  using D = Dual<double, 1>;
  const D x = D::variable(5, 0);
  EXPECT_EQ((x + 2u).a, 7);
  EXPECT_EQ((2u - x).a, -3);
  EXPECT_EQ((x - 2u).a, 3);
  EXPECT_EQ((x - std::size_t{2}).a, 3);
  EXPECT_EQ((x - 2).a, 3);
  EXPECT_EQ((x * 2u).a, 10);
  EXPECT_EQ((x / 2u).a, 2.5);
  EXPECT_EQ((x / 2).d[0], 0.5);
}

TYPED_TEST(NestedDual, ProductAndQuotientOfTwoVariables) {
  using S = typename TypeParam::template Of<2>;
  const double x = 1.7, y = -0.6;
  const auto X = variable<S>(x, 0), Y = variable<S>(y, 1);
  expect_parts("x y", X * Y, [&](const Indices& i) {
    const int m = count(i, 0), n = count(i, 1);
    return m > 1 || n > 1 ? 0 : (m ? 1 : x) * (n ? 1 : y);
  });
  expect_parts("x/y", X / Y, [&](const Indices& i) {
    const int m = count(i, 0), n = count(i, 1);
    if (m > 1) return 0.0;
    return (m ? 1 : x) * (n % 2 ? -1 : 1) * std::tgamma(n + 1) * std::pow(y, -n - 1);
  });
}

// ∂_x^m ∂_y^n x^y = x^(y-m) Σ_k C(n,k) d^k[y (y-1) ... (y-m+1)] (log x)^(n-k).
double power_partial(double x, double y, int m, int n) {
  std::vector<double> polynomial{1};  // y (y-1) ... (y-m+1), coefficients from the lowest
  for (int root = 0; root < m; ++root) {
    polynomial.insert(polynomial.begin(), 0);
    for (std::size_t i = 0; i + 1 < polynomial.size(); ++i) polynomial[i] -= root * polynomial[i + 1];
  }
  double sum = 0, binomial = 1;
  for (int k = 0; k <= n; ++k) {
    double value = 0;
    for (std::size_t i = 0; i < polynomial.size(); ++i)
      value += polynomial[i] * std::pow(y, static_cast<double>(i));
    sum += binomial * value * std::pow(std::log(x), n - k);
    binomial = binomial * (n - k) / (k + 1);
    for (std::size_t i = 0; i + 1 < polynomial.size(); ++i)
      polynomial[i] = static_cast<double>(i + 1) * polynomial[i + 1];
    polynomial.back() = 0;
  }
  return std::pow(x, y - m) * sum;
}
TYPED_TEST(NestedDual, PowerOfTwoVariables) {
  using S = typename TypeParam::template Of<2>;
  for (const auto& [x, y] : {std::pair{1.7, 2.3}, {0.6, -1.2}, {2.0, 3.0}})
    expect_parts("x^y", pow(variable<S>(x, 0), variable<S>(y, 1)),
                 [&](const Indices& i) { return power_partial(x, y, count(i, 0), count(i, 1)); });
}

// The angle is the imaginary part of log z, z = x + iy, so ∂_x^m ∂_y^n of it is Im(i^n (log)^(m+n)(z)).
double angle(double x, double y, int m, int n) {
  const std::complex<double> z(x, y), i(0, 1);
  const int k = m + n;
  if (k == 0) return std::atan2(y, x);
  std::complex<double> r = std::tgamma(k) * (k % 2 ? 1.0 : -1.0);
  for (int j = 0; j < k; ++j) r /= z;
  for (int j = 0; j < n; ++j) r *= i;
  return r.imag();
}
TYPED_TEST(NestedDual, AngleInEveryQuadrantAndOnTheAxes) {
  using S = typename TypeParam::template Of<2>;
  for (int k = 0; k < 16; ++k) {
    const double phi = k * std::numbers::pi / 8;
    const double x = k % 4 == 0 ? std::round(std::cos(phi)) * 1.2 : 1.2 * std::cos(phi);
    const double y = k % 4 == 0 ? std::round(std::sin(phi)) * 1.2 : 1.2 * std::sin(phi);
    expect_parts("atan2 in direction " + std::to_string(k), atan2(variable<S>(y, 1), variable<S>(x, 0)),
                 [&](const Indices& i) { return angle(x, y, count(i, 0), count(i, 1)); });
  }
}

TYPED_TEST(NestedDual, ThreeVariables) {
  using S = typename TypeParam::template Of<3>;
  const double x = 0.4, y = -0.3, z = 1.6;
  const auto X = variable<S>(x, 0), Y = variable<S>(y, 1), Z = variable<S>(z, 2);
  expect_parts("sin x exp 2y z³", sin(X) * exp(2 * Y) * pow(Z, 3.0), [&](const Indices& i) {
    const int l = count(i, 0), m = count(i, 1), n = count(i, 2);
    return std::sin(x + l * std::numbers::pi / 2) * std::pow(2, m) * std::exp(2 * y) * power(z, 3)[n];
  });
  const double u = 2 * x - 3 * y + z;
  expect_parts("log(2x - 3y + z)", log(2 * X - 3 * Y + Z), [&](const Indices& i) {
    const int k = static_cast<int>(i.size());
    const double outer = k == 0 ? std::log(u) : std::tgamma(k) * (k % 2 ? 1 : -1) * std::pow(u, -k);
    return outer * std::pow(2, count(i, 0)) * std::pow(-3, count(i, 1));
  });
  const double w = x * y * z, e = std::exp(w);
  for_every_part(exp(X * Y * Z), [&](const Indices& i, double value) {  // the partials that are short
    const std::array<int, 3> times{count(i, 0), count(i, 1), count(i, 2)};
    const auto expect = [&](const std::array<int, 3>& these, double right) {
      if (times == these) {
        EXPECT_NEAR(value, right, 1e-13) << testing::PrintToString(times);
      }
    };
    expect({1, 1, 1}, e * (1 + 3 * w + w * w));
    expect({4, 0, 0}, e * std::pow(y * z, 4));
    expect({2, 2, 0}, e * z * z * (2 + 4 * w + w * w));
  });
}

// The distance r has Hessian (1 - x x'/r²)/r, and its Laplacian 2/r is harmonic.
TYPED_TEST(NestedDual, DistanceInSpace) {
  using S = typename TypeParam::template Of<3>;
  const std::array<double, 3> x{0.8, -1.1, 0.5};
  const auto X = variable<S>(x[0], 0), Y = variable<S>(x[1], 1), Z = variable<S>(x[2], 2);
  const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], r = std::sqrt(r2);
  std::map<Indices, double> of;
  for_every_part(sqrt(X * X + Y * Y + Z * Z), [&](Indices i, double value) {
    std::sort(i.begin(), i.end());
    of[i] = value;
  });
  double laplacian = 0, bilaplacian = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR((of[{i}]), x[i] / r, 1e-14);
    laplacian += of[{i, i}];
    for (int j = 0; j < 3; ++j) {
      const int a = std::min(i, j), b = std::max(i, j);
      EXPECT_NEAR((of[{a, b}]), ((i == j) - x[i] * x[j] / r2) / r, 1e-14);
      bilaplacian += of[{a, a, b, b}];
    }
  }
  EXPECT_NEAR(laplacian, 2 / r, 1e-14);
  EXPECT_NEAR(bilaplacian, 0, 1e-13);
}

// Where no closed form is at hand, the nestings check each other: every place of every one, by its partial.
template <class S>
std::map<Indices, std::vector<double>> parts_of_something_complicated() {
  const auto x = variable<S>(0.9, 0), y = variable<S>(0.7, 1), z = variable<S>(-1.3, 2);
  const S f = atan2(exp(x * y) - z, sqrt(x + 2) * tanh(y)) + pow(x, y) / (1 + abs(z - x)) +
              acos(0.4 * x * cos(z)) * cosh(y) - min(tan(x) * sinh(z), asin(0.5 * y)) +
              max(log(x), atan(z)) / x;
  std::map<Indices, std::vector<double>> r;
  for_every_part(f, [&r](Indices i, double value) {
    std::sort(i.begin(), i.end());
    r[i].push_back(value);
  });
  return r;
}
TYPED_TEST(NestedDual, NestingsAgree) {
  const auto reference = parts_of_something_complicated<Four::Of<3>>();
  EXPECT_EQ(reference.size(), 1u + 3u + 6u + 10u + 15u);  // every partial up to the fourth
  const auto parts = parts_of_something_complicated<typename TypeParam::template Of<3>>();
  EXPECT_EQ(parts.size(), reference.size());
  for (const auto& [indices, values] : parts)
    for (const double value : values) {
      const double right = reference.at(indices).front();
      EXPECT_NEAR(value, right, 1e-12 * (1 + std::abs(right))) << testing::PrintToString(indices);
    }
}

}  // namespace
}  // namespace carom::test
