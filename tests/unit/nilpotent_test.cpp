// Nilpotent numbers against nested dual numbers, which carry the same derivatives in another form, and
// against closed forms; every function, with one to four generators, and at special points.
#include "carom/numerics/nilpotent.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace carom::test {
namespace {

// One direction per level, as one generator each.
template <int k>
struct Levels {
  using Type = Dual<typename Levels<k - 1>::Type, 1>;
};
template <>
struct Levels<0> {
  using Type = double;
};
template <int k>
using Nested = typename Levels<k>::Type;

// A number with all its parts set, other ones for another seed.
double part_of(int seed, int mask) { return 0.3 + 0.1 * ((seed * 7 + mask * 5) % 11) - 0.05 * mask; }

template <int k>
Nested<k> nested(double value, int seed, int mask = 0) {
  if constexpr (k == 0) {
    return mask == 0 ? value : part_of(seed, mask);
  } else {
    Nested<k> r;
    r.a = nested<k - 1>(value, seed, mask), r.d[0] = nested<k - 1>(value, seed, mask | 1 << (k - 1));
    return r;
  }
}
template <int k>
double nested_part(const Nested<k>& x, int mask) {
  if constexpr (k == 0)
    return x;
  else
    return nested_part<k - 1>(mask & 1 << (k - 1) ? x.d[0] : x.a, mask & ~(1 << (k - 1)));
}

// The same with generators: sums of products of them.
Nilpotent nilpotent(double value, int seed, int k) {
  Nilpotent r = value;
  for (int mask = 1; mask < 1 << k; ++mask) {
    Nilpotent product = part_of(seed, mask);
    for (int i = 0; i < k; ++i)
      if (mask & 1 << i) {
        Nilpotent e;
        e.move(i, 1);
        product = product * e;
      }
    r += product;
  }
  return r;
}

template <int k>
void expect_equal(const std::string& what, const Nilpotent& x, const Nested<k>& y) {
  for (int mask = 0; mask < 1 << k; ++mask) {
    const double right = nested_part<k>(y, mask);
    EXPECT_NEAR(x.part(mask), right, 4e-14 * (1 + std::abs(right)))
        << what << ", " << k << " generators, part " << mask;
  }
}

template <int k, class F>
void expect_same_with(const char* what, const F& f, double x, double y) {
  expect_equal<k>(what, f(nilpotent(x, 1, k), nilpotent(y, 2, k)), f(nested<k>(x, 1), nested<k>(y, 2)));
  expect_equal<k>(what, f(nilpotent(x, 1, k), Nilpotent(y)), f(nested<k>(x, 1), Nested<k>(y)));
  expect_equal<k>(what, f(Nilpotent(x), nilpotent(y, 2, k)), f(Nested<k>(x), nested<k>(y, 2)));
}
template <class F>
void expect_same(const char* what, const F& f, double x, double y) {
  expect_same_with<1>(what, f, x, y), expect_same_with<2>(what, f, x, y);
  expect_same_with<3>(what, f, x, y), expect_same_with<4>(what, f, x, y);
}

TEST(Nilpotent, Arithmetic) {
  for (const double x : {-1.7, 0.0, 0.6}) {
    expect_same(
        "sum", [](auto a, auto b) { return a + b; }, x, 0.4);
    expect_same(
        "difference", [](auto a, auto b) { return a - b; }, x, 0.4);
    expect_same(
        "product", [](auto a, auto b) { return a * b; }, x, 0.4);
    expect_same(
        "quotient", [](auto a, auto b) { return a / b; }, x, 0.9);
    expect_same(
        "negative quotient", [](auto a, auto b) { return a / b; }, x, -0.9);
    expect_same(
        "in place", [](auto a, auto b) { return a += b, a *= b, a -= a * b, a /= b, a; }, x, 0.8);
    expect_same(
        "constants",
        [](auto a, auto b) {
          return (2.0 - a) * 3.0 + (b + 1.5) * 0.5 - (1.0 + b) / 4.0 + 2 * a - a * 2 - 2.0 / b + (a - 0.5) -
                 (-a);
        },
        x, 0.7);
  }
}

TEST(Nilpotent, FunctionsOfOneVariable) {
  for (const double x : {-0.9, -0.3, 0.0, 0.2, 0.7}) {
    expect_same(
        "sin", [](auto a, auto) { return sin(a); }, x, 0);
    expect_same(
        "cos", [](auto a, auto) { return cos(a); }, x, 0);
    expect_same(
        "sin_cos", [](auto a, auto) { return sin_cos(a).sin * 2.0 + sin_cos(a).cos; }, x, 0);
    expect_same(
        "tan", [](auto a, auto) { return tan(a); }, x, 0);
    expect_same(
        "asin", [](auto a, auto) { return asin(a); }, x, 0);
    expect_same(
        "acos", [](auto a, auto) { return acos(a); }, x, 0);
    expect_same(
        "atan", [](auto a, auto) { return atan(a); }, 3 * x, 0);
    expect_same(
        "exp", [](auto a, auto) { return exp(a); }, x, 0);
    expect_same(
        "sinh", [](auto a, auto) { return sinh(a); }, x, 0);
    expect_same(
        "cosh", [](auto a, auto) { return cosh(a); }, x, 0);
    expect_same(
        "tanh", [](auto a, auto) { return tanh(a); }, x, 0);
    expect_same(
        "abs", [](auto a, auto) { return abs(a); }, x, 0);
    expect_same(
        "power 3", [](auto a, auto) { return pow(a, 3.0); }, x, 0);
    expect_same(
        "power 0", [](auto a, auto) { return pow(a, 0.0); }, x, 0);
    expect_same(
        "of a number", [](auto a, auto) { return pow(1.7, a); }, x, 0);
  }
  for (const double x : {0.4, 1.0, 2.3}) {
    expect_same(
        "log", [](auto a, auto) { return log(a); }, x, 0);
    expect_same(
        "sqrt", [](auto a, auto) { return sqrt(a); }, x, 0);
    expect_same(
        "power 1.5", [](auto a, auto) { return pow(a, 1.5); }, x, 0);
    expect_same(
        "power -2", [](auto a, auto) { return pow(a, -2.0); }, x, 0);
  }
}

TEST(Nilpotent, FunctionsOfTwoVariables) {
  for (const auto& [x, y] : {std::pair{0.8, 0.6}, {0.8, -0.6}, {1.3, 0.0}, {1.3, 1.3}})
    expect_same(
        "power", [](auto a, auto b) { return pow(a, b); }, x, y);
  for (const auto& [x, y] : {std::pair{1.0, 0.5},
                             {-1.0, 0.5},
                             {-1.0, -0.5},
                             {1.0, -0.5},
                             {1.0, 0.0},
                             {-1.0, 0.0},
                             {0.0, 1.0},
                             {0.0, -1.0}})
    expect_same(
        "atan2", [](auto a, auto b) { return atan2(b, a); }, x, y);
  for (const auto& [x, y] : {std::pair{0.8, 0.6}, {-0.8, 0.6}, {0.5, 0.5}}) {
    expect_same(
        "min", [](auto a, auto b) { return min(a, b); }, x, y);
    expect_same(
        "max", [](auto a, auto b) { return max(a, b); }, x, y);
    expect_same(
        "select", [](auto a, auto b) { return select(a < b, a, b); }, x, y);
  }
}

// x^e at 0 has as many derivatives as e has whole numbers below it, and a constant exponent allows x < 0.
TEST(Nilpotent, PowersAtZeroAndBelow) {
  Nilpotent x = 0.0;
  for (int i = 0; i < 3; ++i) x.move(i, 1);
  const Nilpotent square = pow(x, 2.0);
  EXPECT_EQ(square.value(), 0);
  EXPECT_EQ(square.part(1), 0);
  EXPECT_EQ(square.part(3), 2);
  EXPECT_EQ(square.part(7), 0);
  EXPECT_EQ(pow(x - 2.0, Nilpotent(3.0)).part(1), 12);
}

TEST(Nilpotent, ValuesAreThoseOfDoubles) {
  for (const double x : {1e-12, 0.3, 0.99}) {
    const Nilpotent a = nilpotent(x, 3, 4);
    EXPECT_EQ(tan(a).value(), std::tan(x));
    EXPECT_EQ(asin(a).value(), std::asin(x));
    EXPECT_EQ(acos(a).value(), std::acos(x));
    EXPECT_EQ(atan2(a, Nilpotent(-0.4)).value(), std::atan2(x, -0.4));
    EXPECT_EQ(pow(a, 2.5).value(), std::pow(x, 2.5));
  }
}

TEST(Nilpotent, GeneratorsAreThoseThatOccur) {
  Nilpotent x = 2.0;
  EXPECT_EQ(x.generators(), 0);
  x.move(2, 0.5);
  EXPECT_EQ(x.generators(), 3);
  EXPECT_EQ((x * 3.0).generators(), 3);
  EXPECT_EQ((Nilpotent(1.0) - x).part(4), -0.5);
  EXPECT_EQ(x.part(15), 0);  // beyond them
  const Nilpotent slope = (x * x).slope(2);
  EXPECT_EQ(slope.generators(), 2);
  EXPECT_EQ(slope.value(), 2);
  EXPECT_EQ(Nilpotent(1.0).slope(2).value(), 0);
}

TEST(Nilpotent, ComparisonsLookAtValues) {
  const Nilpotent a = nilpotent(1, 1, 3), b = nilpotent(1, 2, 2), c = 2.0;
  EXPECT_TRUE(a == b && a <= b && a >= b && a < c && c > b && a != c && a < 1.5 && 0.5 < a);
  EXPECT_EQ(base_value(a), 1);
}

TEST(Nilpotent, MagnitudeIsTheLargestPart) {
  Nilpotent x = 1.0;
  x.move(1, -3);
  EXPECT_EQ(magnitude(x), 3);
  EXPECT_TRUE(std::isnan(magnitude(x * std::nan(""))));
}

TEST(Nilpotent, InEigensVectors) {
  Vector<Nilpotent, 2> v(Nilpotent(1.0), Nilpotent(2.0));
  v[0].move(0, 1);
  Matrix<double, 2> M;
  M << 2, 1, 1, 3;
  const Vector<Nilpotent, 2> p = M.cast<Nilpotent>() * v;
  const Nilpotent twice = v.dot(p);
  EXPECT_EQ(twice.value(), 18);
  EXPECT_EQ(twice.part(1), 8);
  EXPECT_EQ((v * 0.5).eval()[1].value(), 1);
}

}  // namespace
}  // namespace carom::test
