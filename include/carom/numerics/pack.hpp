// A pack of doubles that are computed side by side: a scalar like any other, so a system written once runs
// several stages or several ensemble members at a time. The lanes never mix. W = 2 is what every x86-64 has.
// Tested in tests/unit/pack_test.cpp.
#pragma once

#include <cmath>

#include "carom/numerics/pack_sin_cos.hpp"
#include "carom/numerics/vector.hpp"

namespace carom {

namespace detail {
// Vector types whose size is a template parameter do not compile with g++ 12, hence one by one. InMemory is
// what stands among doubles.
template <int W>
struct LaneTypes;
template <>
struct LaneTypes<2> {
  typedef double Lanes __attribute__((vector_size(16)));
  typedef long long Mask __attribute__((vector_size(16)));
  typedef double InMemory __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct LaneTypes<4> {
  typedef double Lanes __attribute__((vector_size(32)));
  typedef long long Mask __attribute__((vector_size(32)));
  typedef double InMemory __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct LaneTypes<8> {
  typedef double Lanes __attribute__((vector_size(64)));
  typedef long long Mask __attribute__((vector_size(64)));
  typedef double InMemory __attribute__((vector_size(64), aligned(8), may_alias));
};
}  // namespace detail

template <int W>
struct Pack {
  using Lanes = typename detail::LaneTypes<W>::Lanes;
  struct Mask {  // in a struct, because g++ warns of bare vectors wider than the machine's registers
    typename detail::LaneTypes<W>::Mask lanes;
  };
  static constexpr int width = W;

  Lanes lanes;

  Pack() = default;
  Pack(double c) {
    for (int i = 0; i < W; ++i) lanes[i] = c;
  }
  explicit Pack(const Lanes& l) : lanes(l) {}
  // Written out, so that copies of what holds packs go through vector registers: copied in words, they would
  // have to wait for the words to reach the cache before they can be read as vectors.
  [[gnu::always_inline]] Pack(const Pack& x) : lanes(x.lanes) {}
  [[gnu::always_inline]] Pack& operator=(const Pack& x) {
    lanes = x.lanes;
    return *this;
  }

  double operator[](int i) const { return lanes[i]; }
  [[gnu::always_inline]] static Pack load(const double* from) {
    return Pack(*reinterpret_cast<const typename detail::LaneTypes<W>::InMemory*>(from));
  }
  [[gnu::always_inline]] void store(double* to) const {
    *reinterpret_cast<typename detail::LaneTypes<W>::InMemory*>(to) = lanes;
  }

  friend Pack operator+(const Pack& x, const Pack& y) { return Pack(x.lanes + y.lanes); }
  friend Pack operator-(const Pack& x, const Pack& y) { return Pack(x.lanes - y.lanes); }
  friend Pack operator*(const Pack& x, const Pack& y) { return Pack(x.lanes * y.lanes); }
  friend Pack operator/(const Pack& x, const Pack& y) { return Pack(x.lanes / y.lanes); }
  friend Pack operator-(const Pack& x) { return Pack(-x.lanes); }
  Pack& operator+=(const Pack& y) { return *this = *this + y; }
  Pack& operator-=(const Pack& y) { return *this = *this - y; }
  Pack& operator*=(const Pack& y) { return *this = *this * y; }
  Pack& operator/=(const Pack& y) { return *this = *this / y; }

  // Comparisons answer lane by lane; select() takes the answer.
  friend Mask operator<(const Pack& x, const Pack& y) { return {x.lanes < y.lanes}; }
  friend Mask operator>(const Pack& x, const Pack& y) { return {x.lanes > y.lanes}; }
  friend Mask operator<=(const Pack& x, const Pack& y) { return {x.lanes <= y.lanes}; }
  friend Mask operator>=(const Pack& x, const Pack& y) { return {x.lanes >= y.lanes}; }
  friend Mask operator==(const Pack& x, const Pack& y) { return {x.lanes == y.lanes}; }
  friend Mask operator!=(const Pack& x, const Pack& y) { return {x.lanes != y.lanes}; }
  friend bool all(const Mask& which) {
    long long r = -1;
    for (int i = 0; i < W; ++i) r &= which.lanes[i];
    return r != 0;
  }
  friend Pack select(const Mask& which, const Pack& yes, const Pack& no) {
    return Pack(which.lanes ? yes.lanes : no.lanes);
  }

  template <class F>
  static Pack map(const Pack& x, F&& f) {
    Pack r;
    for (int i = 0; i < W; ++i) r.lanes[i] = f(x.lanes[i]);
    return r;
  }
  template <class F>
  static Pack map(const Pack& x, const Pack& y, F&& f) {
    Pack r;
    for (int i = 0; i < W; ++i) r.lanes[i] = f(x.lanes[i], y.lanes[i]);
    return r;
  }
  // Of an angle and its sine and cosine as they would be in the first quarter; `shifted` ends in the number
  // of quarters.
  friend SinCos<Pack> turned_quarters(const Pack& shifted, const Pack& sine, const Pack& cosine) {
    using Integers = typename detail::LaneTypes<W>::Mask;
    const Integers quarters = (Integers)shifted.lanes, odd = -(quarters & 1);
    const Integers s = (Integers)sine.lanes, c = (Integers)cosine.lanes;
    const Integers minus_sin = quarters << 62 & (1ll << 63), minus_cos = (quarters + 1) << 62 & (1ll << 63);
    return {Pack((Lanes)(((c & odd) | (s & ~odd)) ^ minus_sin)),
            Pack((Lanes)(((s & odd) | (c & ~odd)) ^ minus_cos))};
  }
  [[gnu::always_inline]] friend SinCos<Pack> sin_cos(const Pack& x) {
    SinCos<Pack> r = detail::reduced_sin_cos(x);
    if (!all(abs(x) <= detail::largest_reduced_angle)) [[unlikely]]
      replace_large_angles(x, r);
    return r;
  }
  [[gnu::cold, gnu::noinline]] friend void replace_large_angles(const Pack& x, SinCos<Pack>& r) {
    for (int i = 0; i < W; ++i)
      if (!(std::abs(x[i]) <= detail::largest_reduced_angle))
        r.sin.lanes[i] = std::sin(x[i]), r.cos.lanes[i] = std::cos(x[i]);
  }
  friend Pack sin(const Pack& x) { return sin_cos(x).sin; }
  friend Pack cos(const Pack& x) { return sin_cos(x).cos; }
  friend Pack tan(const Pack& x) {
    return map(x, [](double a) { return std::tan(a); });
  }
  friend Pack asin(const Pack& x) {
    return map(x, [](double a) { return std::asin(a); });
  }
  friend Pack acos(const Pack& x) {
    return map(x, [](double a) { return std::acos(a); });
  }
  friend Pack atan(const Pack& x) {
    return map(x, [](double a) { return std::atan(a); });
  }
  friend Pack exp(const Pack& x) {
    return map(x, [](double a) { return std::exp(a); });
  }
  friend Pack log(const Pack& x) {
    return map(x, [](double a) { return std::log(a); });
  }
  friend Pack sqrt(const Pack& x) {
    return map(x, [](double a) { return std::sqrt(a); });
  }
  friend Pack sinh(const Pack& x) {
    return map(x, [](double a) { return std::sinh(a); });
  }
  friend Pack cosh(const Pack& x) {
    return map(x, [](double a) { return std::cosh(a); });
  }
  friend Pack tanh(const Pack& x) {
    return map(x, [](double a) { return std::tanh(a); });
  }
  friend Pack abs(const Pack& x) {
    using Bits = typename detail::LaneTypes<W>::Mask;
    return Pack((Lanes)((Bits)x.lanes & ~(1ll << 63)));
  }
  friend Pack pow(const Pack& x, double e) {
    return map(x, [e](double a) { return std::pow(a, e); });
  }
  friend Pack pow(const Pack& x, const Pack& y) {
    return map(x, y, [](double a, double b) { return std::pow(a, b); });
  }
  friend Pack atan2(const Pack& y, const Pack& x) {
    return map(y, x, [](double a, double b) { return std::atan2(a, b); });
  }
  friend Pack min(const Pack& x, const Pack& y) { return select(y < x, y, x); }
  friend Pack max(const Pack& x, const Pack& y) { return select(x < y, y, x); }

  friend Pack base_value(const Pack& x) { return x; }
  friend double magnitude(const Pack& x) {
    double m = 0;
    for (int i = 0; i < W; ++i)
      if (std::abs(x.lanes[i]) > m || std::isnan(x.lanes[i])) m = std::abs(x.lanes[i]);
    return m;
  }
};

}  // namespace carom

namespace Eigen {
template <int W>
struct NumTraits<carom::Pack<W>> : NumTraits<double> {
  using Real = carom::Pack<W>;
  using NonInteger = carom::Pack<W>;
  using Nested = carom::Pack<W>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
}  // namespace Eigen
