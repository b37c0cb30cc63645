// A pack is several doubles side by side: every lane is, bit for bit, what that double alone would give; for
// sine and cosine, which packs have of their own, what it would give in a pack of any width.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "carom/numerics/differentiate.hpp"
#include "carom/systems/double_pendulum.hpp"

namespace carom::test {
namespace {

testing::AssertionResult same_bits(double x, double y) {
  if (std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << std::hexfloat << x << " is not " << y;
}

template <int W, class F>
Pack<W> filled(const F& f) {
  Pack<W> r;
  for (int i = 0; i < W; ++i) r.lanes[i] = f(i);
  return r;
}

// One lane of a number over packs: the same number over doubles, or (B = Pack<2>) in both lanes of a pack.
template <class B = double, int W>
B lane(const Pack<W>& x, int i) {
  return x[i];
}
template <class B = double, int W, int N>
Dual<B, N> lane(const Dual<Pack<W>, N>& x, int i) {
  Dual<B, N> r(lane<B>(x.a, i));
  for (int k = 0; k < N; ++k) r.d[k] = x.d[k][i];
  return r;
}
template <class B = double, int W, int N>
Dual2<B, N> lane(const Dual2<Pack<W>, N>& x, int i) {
  Dual2<B, N> r(lane<B>(x.a, i));
  for (int k = 0; k < N; ++k) r.d[k] = x.d[k][i];
  for (int k = 0; k < r.packed; ++k) r.h[k] = x.h[k][i];
  return r;
}

template <class X>
std::vector<double> parts(const X& x) {
  if constexpr (DualNumber<X>) {
    std::vector<double> r = parts(x.a);
    for (const auto& part : x.d) r.push_back(parts(part)[0]);
    if constexpr (X::derivative_order == 2)
      for (const auto& part : x.h) r.push_back(parts(part)[0]);
    return r;
  } else if constexpr (std::is_same_v<X, double>) {
    return {x};
  } else {
    return {x[0]};
  }
}

// Some number with values in [least, most] and arbitrary derivatives, different in every lane.
template <class P>
P some(double least, double most, std::mt19937_64& random) {
  std::uniform_real_distribution<double> value(least, most);
  if constexpr (DualNumber<P>) {
    P x(some<typename P::Value>(least, most, random));
    for (auto& part : x.d) part = some<typename P::Value>(-2, 2, random);
    if constexpr (P::derivative_order == 2)
      for (auto& part : x.h) part = some<typename P::Value>(-2, 2, random);
    return x;
  } else {
    return filled<P::width>([&](int) { return value(random); });
  }
}

template <class P>
constexpr int width_of = Base<P>::width;

template <class Y, class F>
void expect_lanes(const char* what, const Y& y, const F& in_lane) {
  for (int i = 0; i < width_of<Y>; ++i) {
    const auto these = parts(lane(y, i)), those = parts(in_lane(i));
    for (std::size_t k = 0; k < those.size(); ++k)
      EXPECT_TRUE(same_bits(these[k], those[k])) << what << ", lane " << i << ", part " << k;
  }
}
template <class P, class F>
void expect_same(const char* what, const P& x, const F& f) {
  expect_lanes(what, P(f(x)), [&](int i) { return decltype(lane(x, i))(f(lane(x, i))); });
}
template <class P, class F>
void expect_same_in_any_pack(const char* what, const P& x, const F& f) {
  expect_lanes(what, P(f(x)), [&](int i) { return f(lane<Pack<2>>(x, i)); });
}
template <class P, class F>
void expect_same(const char* what, const P& x, const P& y, const F& f) {
  expect_lanes(what, P(f(x, y)), [&](int i) { return decltype(lane(x, i))(f(lane(x, i), lane(y, i))); });
}

template <class P>
class OverPacks : public testing::Test {
 public:
  std::mt19937_64 random{4711};
};
using Scalars = testing::Types<Pack<2>, Pack<4>, Pack<8>, Dual<Pack<4>, 2>, Dual2<Pack<2>, 2>>;
TYPED_TEST_SUITE(OverPacks, Scalars);

TYPED_TEST(OverPacks, Arithmetic) {
  using P = TypeParam;
  const P x = some<P>(-3, 3, this->random), y = some<P>(0.2, 3, this->random);
  expect_same("x + y", x, y, [](const auto& a, const auto& b) { return a + b; });
  expect_same("x - y", x, y, [](const auto& a, const auto& b) { return a - b; });
  expect_same("x y", x, y, [](const auto& a, const auto& b) { return a * b; });
  expect_same("x/y", x, y, [](const auto& a, const auto& b) { return a / b; });
  expect_same("-x", x, [](const auto& a) { return -a; });
  expect_same("constants on the right", x, [](const auto& a) { return ((a + 2) * 3 - 0.7) / 1.9; });
  expect_same("constants on the left", y, [](const auto& a) { return 2 / (3 * (1.3 - (0.7 + a))); });
  expect_same("compound", x, y, [](const auto& a, const auto& b) {
    auto c = a;
    c += b, c *= b, c -= b, c /= b;
    return c;
  });
}

TYPED_TEST(OverPacks, Functions) {
  using P = TypeParam;
  const P x = some<P>(-2, 2, this->random), y = some<P>(-2, 2, this->random);
  const P inside = some<P>(-0.9, 0.9, this->random), positive = some<P>(0.1, 3, this->random);
  expect_same_in_any_pack("sin", x, [](const auto& a) { return sin(a); });
  expect_same_in_any_pack("cos", x, [](const auto& a) { return cos(a); });
  expect_same("tan", x, [](const auto& a) { return tan(a); });
  expect_same("asin", inside, [](const auto& a) { return asin(a); });
  expect_same("acos", inside, [](const auto& a) { return acos(a); });
  expect_same("atan", x, [](const auto& a) { return atan(a); });
  expect_same("exp", x, [](const auto& a) { return exp(a); });
  expect_same("log", positive, [](const auto& a) { return log(a); });
  expect_same("sqrt", positive, [](const auto& a) { return sqrt(a); });
  expect_same("sinh", x, [](const auto& a) { return sinh(a); });
  expect_same("cosh", x, [](const auto& a) { return cosh(a); });
  expect_same("tanh", x, [](const auto& a) { return tanh(a); });
  expect_same("pow 3", x, [](const auto& a) { return pow(a, 3); });
  expect_same("pow -1.5", positive, [](const auto& a) { return pow(a, -1.5); });
  expect_same("x^y", positive, y, [](const auto& a, const auto& b) { return pow(a, b); });
  expect_same("2^x", x, [](const auto& a) { return pow(2.0, a); });
  expect_same("atan2", x, y, [](const auto& a, const auto& b) { return atan2(a, b); });
}

TYPED_TEST(OverPacks, EveryLaneTakesItsOwnSide) {
  using P = TypeParam;
  for (int k = 0; k < 20; ++k) {
    const P x = some<P>(-1, 1, this->random), y = some<P>(-1, 1, this->random);
    expect_same("abs", x, [](const auto& a) { return abs(a); });
    expect_same("min", x, y, [](const auto& a, const auto& b) { return min(a, b); });
    expect_same("max", x, y, [](const auto& a, const auto& b) { return max(a, b); });
    expect_same("min with a constant", x, [](const auto& a) { return min(a, 0.1); });
    expect_same("max with a constant", x, [](const auto& a) { return max(0.1, a); });
    expect_same("select", x, y, [](const auto& a, const auto& b) { return select(a < b, a * b, a + b); });
    expect_same("select", x, y, [](const auto& a, const auto& b) { return select(a >= b, exp(a), b); });
  }
}

template <class P>
class Packs : public testing::Test {};
using Widths = testing::Types<Pack<2>, Pack<4>, Pack<8>>;
TYPED_TEST_SUITE(Packs, Widths);

// Zeros of both signs, infinities and NaN, each against each.
TYPED_TEST(Packs, SpecialValues) {
  constexpr int W = TypeParam::width;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = HUGE_VAL;
  const std::vector<double> special{0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 5e-324};
  const int n = static_cast<int>(special.size());
  for (int k = 0; k < n * n; ++k) {
    const TypeParam x = special[k / n], y = filled<W>([&](int i) { return special[(i + k) % n]; });
    expect_same("min", x, y, [](const auto& a, const auto& b) { return min(a, b); });
    expect_same("max", x, y, [](const auto& a, const auto& b) { return max(a, b); });
    expect_same("abs", y, [](const auto& a) { return abs(a); });
    expect_same("<", x, y, [](const auto& a, const auto& b) { return select(a < b, a, b); });
    expect_same(">", x, y, [](const auto& a, const auto& b) { return select(a > b, a, b); });
    expect_same("<=", x, y, [](const auto& a, const auto& b) { return select(a <= b, a, b); });
    expect_same(">=", x, y, [](const auto& a, const auto& b) { return select(a >= b, a, b); });
    expect_same("==", x, y, [](const auto& a, const auto& b) { return select(a == b, a, -b); });
    expect_same("!=", x, y, [](const auto& a, const auto& b) { return select(a != b, a, -b); });
  }
}

TYPED_TEST(Packs, AConstantFillsEveryLane) {
  const TypeParam x = 2.5;
  for (int i = 0; i < TypeParam::width; ++i) EXPECT_EQ(x[i], 2.5);
}

TYPED_TEST(Packs, MagnitudeIsTheLargestLane) {
  constexpr int W = TypeParam::width;
  EXPECT_EQ(magnitude(filled<W>([](int i) { return i % 2 ? -i : i; })), W - 1);
  EXPECT_EQ(magnitude(filled<W>([](int i) { return i == 0 ? -9.0 : 1.0; })), 9);
}
TYPED_TEST(Packs, MagnitudeIsNotANumberWhereAnyLaneIsNone) {
  constexpr int W = TypeParam::width;
  for (int bad = 0; bad < W; ++bad)
    EXPECT_TRUE(std::isnan(magnitude(filled<W>([bad](int i) { return i == bad ? std::nan("") : 1.0; }))))
        << bad;
}

// A system written once runs over packs, and over duals of packs.
template <class P>
void expect_lagrangian_by_lanes(std::mt19937_64& random) {
  using S = decltype(lane<Pack<2>>(P(), 0));
  const DoublePendulum system;
  const Vector<P, 2> q(some<P>(-3, 3, random), some<P>(-3, 3, random));
  const Vector<P, 2> v(some<P>(-2, 2, random), some<P>(-2, 2, random));
  expect_lanes("L", lagrangian(system, 0.0, q, v), [&](int i) {
    const Vector<S, 2> q_i(lane<Pack<2>>(q[0], i), lane<Pack<2>>(q[1], i));
    const Vector<S, 2> v_i(lane<Pack<2>>(v[0], i), lane<Pack<2>>(v[1], i));
    return lagrangian(system, 0.0, q_i, v_i);
  });
}
TEST(Packs, LagrangianOfTheDoublePendulum) {
  std::mt19937_64 random(12);
  for (int k = 0; k < 10; ++k) {
    expect_lagrangian_by_lanes<Pack<2>>(random);
    expect_lagrangian_by_lanes<Pack<4>>(random);
    expect_lagrangian_by_lanes<Pack<8>>(random);
    expect_lagrangian_by_lanes<Dual<Pack<4>, 2>>(random);
    expect_lagrangian_by_lanes<Dual2<Pack<2>, 2>>(random);
  }
}

TEST(Packs, GradientByLanes) {
  std::mt19937_64 random(13);
  const DoublePendulum system;
  const auto potential = [&system](const auto& x) { return system.potential(x); };
  const Vector<Pack<4>, 2> q(some<Pack<4>>(-3, 3, random), some<Pack<4>>(-3, 3, random));
  const auto found = gradient(potential, q);
  for (int i = 0; i < 4; ++i) {
    const auto right = gradient(potential, Vector<Pack<2>, 2>(q[0][i], q[1][i]));
    EXPECT_TRUE(same_bits(found.value[i], right.value[0]));
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(same_bits(found.gradient[k][i], right.gradient[k][0]));
  }
}

// Against the library in extended precision: one and a half units in the last place, and two where the
// reduction of a large angle adds its own.
void expect_close(double found, long double right, double units, double x) {
  EXPECT_LE(std::abs(found - right), units * 0x1p-53 * std::abs(right) * 2) << "at " << x;
}
TEST(Packs, SineAndCosineAreThoseOfTheLibrary) {
  std::mt19937_64 random(21);
  for (const double range : {0.8, 4.0, 1e3, 1e6}) {
    std::uniform_real_distribution<double> angle(-range, range);
    for (int k = 0; k < 20000; ++k) {
      const Pack<2> x = filled<2>([&](int) { return angle(random); });
      const auto y = sin_cos(x);
      for (int i = 0; i < 2; ++i) {
        expect_close(y.sin[i], std::sin(static_cast<long double>(x[i])), range > 4 ? 2 : 1.5, x[i]);
        expect_close(y.cos[i], std::cos(static_cast<long double>(x[i])), range > 4 ? 2 : 1.5, x[i]);
      }
    }
  }
}
TEST(Packs, SineAndCosineOfSpecialAngles) {
  constexpr double inf = HUGE_VAL;
  EXPECT_TRUE(same_bits(sin(Pack<2>(0.0))[0], 0.0));
  EXPECT_EQ(cos(Pack<2>(0.0))[0], 1);
  for (const double x : {inf, -inf, std::nan("")}) EXPECT_TRUE(std::isnan(sin(Pack<4>(x))[2])) << x;
  for (const double x :
       {1e7, -1e15, 1e300}) {  // too large to be reduced here: the library's, in that lane only
    const Pack<2> both = filled<2>([x](int i) { return i == 0 ? x : 0.5; });
    EXPECT_TRUE(same_bits(sin(both)[0], std::sin(x))) << x;
    EXPECT_TRUE(same_bits(sin(both)[1], sin(Pack<4>(0.5))[3])) << x;
  }
}

}  // namespace
}  // namespace carom::test
