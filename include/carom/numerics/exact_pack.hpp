// A pack whose lanes are, bit for bit, what doubles alone would give, in every function: sine and cosine are
// the library's, lane by lane, where those of Pack are faster and its own. For runs side by side, which must
// not depend on how many there are. Aligned as its registers want it, so that it may lie in memory that code
// for other machines has laid out. Tested in tests/laws/packed_runs_test.cpp.
#pragma once

#include "carom/numerics/dual_math.hpp"

namespace carom {

template <int W>
struct alignas(8 * W) ExactPack {
  using Lanes = typename detail::LaneTypes<W>::Lanes;
  struct alignas(8 * W) Mask {
    typename detail::LaneTypes<W>::Mask lanes;
    friend Mask operator&(const Mask& x, const Mask& y) { return {x.lanes & y.lanes}; }
    friend Mask operator|(const Mask& x, const Mask& y) { return {x.lanes | y.lanes}; }
  };
  static constexpr int width = W;

  Lanes lanes;

  ExactPack() = default;
  ExactPack(double c) {
    for (int i = 0; i < W; ++i) lanes[i] = c;
  }
  explicit ExactPack(const Lanes& l) : lanes(l) {}
  [[gnu::always_inline]] ExactPack(const ExactPack& x) : lanes(x.lanes) {}  // as in Pack
  [[gnu::always_inline]] ExactPack& operator=(const ExactPack& x) {
    lanes = x.lanes;
    return *this;
  }

  double operator[](int i) const { return lanes[i]; }
  [[gnu::always_inline]] static ExactPack load(const double* from) {
    return ExactPack(*reinterpret_cast<const typename detail::LaneTypes<W>::InMemory*>(from));
  }
  [[gnu::always_inline]] void store(double* to) const {
    *reinterpret_cast<typename detail::LaneTypes<W>::InMemory*>(to) = lanes;
  }

  friend ExactPack operator+(const ExactPack& x, const ExactPack& y) { return ExactPack(x.lanes + y.lanes); }
  friend ExactPack operator-(const ExactPack& x, const ExactPack& y) { return ExactPack(x.lanes - y.lanes); }
  friend ExactPack operator*(const ExactPack& x, const ExactPack& y) { return ExactPack(x.lanes * y.lanes); }
  friend ExactPack operator/(const ExactPack& x, const ExactPack& y) { return ExactPack(x.lanes / y.lanes); }
  friend ExactPack operator-(const ExactPack& x) { return ExactPack(-x.lanes); }
  ExactPack& operator+=(const ExactPack& y) { return *this = *this + y; }
  ExactPack& operator-=(const ExactPack& y) { return *this = *this - y; }
  ExactPack& operator*=(const ExactPack& y) { return *this = *this * y; }
  ExactPack& operator/=(const ExactPack& y) { return *this = *this / y; }

  friend Mask operator<(const ExactPack& x, const ExactPack& y) { return {x.lanes < y.lanes}; }
  friend Mask operator>(const ExactPack& x, const ExactPack& y) { return {x.lanes > y.lanes}; }
  friend Mask operator<=(const ExactPack& x, const ExactPack& y) { return {x.lanes <= y.lanes}; }
  friend Mask operator>=(const ExactPack& x, const ExactPack& y) { return {x.lanes >= y.lanes}; }
  friend Mask operator==(const ExactPack& x, const ExactPack& y) { return {x.lanes == y.lanes}; }
  friend Mask operator!=(const ExactPack& x, const ExactPack& y) { return {x.lanes != y.lanes}; }
  friend bool all(const Mask& which) {
    long long r = -1;
    for (int i = 0; i < W; ++i) r &= which.lanes[i];
    return r != 0;
  }
  friend ExactPack select(const Mask& which, const ExactPack& yes, const ExactPack& no) {
    return ExactPack(which.lanes ? yes.lanes : no.lanes);
  }
  friend ExactPack min(const ExactPack& x, const ExactPack& y) { return select(y < x, y, x); }
  friend ExactPack max(const ExactPack& x, const ExactPack& y) { return select(x < y, y, x); }
  friend ExactPack abs(const ExactPack& x) {
    using Bits = typename detail::LaneTypes<W>::Mask;
    return ExactPack((Lanes)((Bits)x.lanes & ~(1ll << 63)));
  }

  // f of each lane.
  static ExactPack map(auto&& f, const auto&... x) {
    ExactPack r;
    for (int i = 0; i < W; ++i) r.lanes[i] = f(x[i]...);
    return r;
  }
  friend ExactPack sqrt(const ExactPack& x) {
    return map([](double a) { return std::sqrt(a); }, x);
  }
  friend ExactPack sin(const ExactPack& x) {
    return map([](double a) { return std::sin(a); }, x);
  }
  friend ExactPack cos(const ExactPack& x) {
    return map([](double a) { return std::cos(a); }, x);
  }
  friend SinCos<ExactPack> sin_cos(const ExactPack& x) { return {sin(x), cos(x)}; }
  friend ExactPack tan(const ExactPack& x) {
    return map([](double a) { return std::tan(a); }, x);
  }
  friend ExactPack asin(const ExactPack& x) {
    return map([](double a) { return std::asin(a); }, x);
  }
  friend ExactPack acos(const ExactPack& x) {
    return map([](double a) { return std::acos(a); }, x);
  }
  friend ExactPack atan(const ExactPack& x) {
    return map([](double a) { return std::atan(a); }, x);
  }
  friend ExactPack sinh(const ExactPack& x) {
    return map([](double a) { return std::sinh(a); }, x);
  }
  friend ExactPack cosh(const ExactPack& x) {
    return map([](double a) { return std::cosh(a); }, x);
  }
  friend ExactPack tanh(const ExactPack& x) {
    return map([](double a) { return std::tanh(a); }, x);
  }
  friend ExactPack exp(const ExactPack& x) {
    return map([](double a) { return std::exp(a); }, x);
  }
  friend ExactPack log(const ExactPack& x) {
    return map([](double a) { return std::log(a); }, x);
  }
  friend ExactPack pow(const ExactPack& x, double e) {
    return map([e](double a) { return std::pow(a, e); }, x);
  }
  friend ExactPack pow(const ExactPack& x, const ExactPack& y) {
    return map([](double a, double b) { return std::pow(a, b); }, x, y);
  }
  friend ExactPack atan2(const ExactPack& y, const ExactPack& x) {
    return map([](double a, double b) { return std::atan2(a, b); }, y, x);
  }

  friend ExactPack base_value(const ExactPack& x) { return x; }
};

}  // namespace carom

namespace Eigen {
template <int W>
struct NumTraits<carom::ExactPack<W>> : NumTraits<carom::Pack<W>> {
  using Real = carom::ExactPack<W>;
  using NonInteger = carom::ExactPack<W>;
  using Nested = carom::ExactPack<W>;
};
}  // namespace Eigen
