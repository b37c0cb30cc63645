// A particle inside the ellipse (x/a)² + (y/b)² = 1, free or in the potential ½ k r² + m g y.
#pragma once

#include <array>
#include <cmath>

#include "carom/system/system_struct.hpp"

namespace carom {

struct Billiard {
  static constexpr int dim = 2;
  static constexpr bool in_lanes = true;
  static constexpr std::array coordinate_names{"x", "y"};
  static constexpr std::array gap_names{"ellipse"};
  double m = 1, a = 2, b = 1, k = 0, g = 0;

  void parameters(auto&& f) {
    f("m", m, Range::positive), f("a", a, Range::positive), f("b", b, Range::positive);
    f("k", k, Range::any), f("g", g, Range::any);
  }

  Matrix<double, 2> mass() const { return m * Matrix<double, 2>::Identity(); }

  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 0.5 * k * (q[0] * q[0] + q[1] * q[1]) + m * g * q[1];
  }

  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    const S x = q[0] / a, y = q[1] / b;
    return Vector<S, 1>(1 - x * x - y * y);
  }

  // A circle keeps the angular momentum. The free billiard in an ellipse is integrable as well: it keeps the
  // product of the angular momenta about the foci (±c, 0), or (0, ±c) where b > a.
  template <class S>
  void momenta(const Vector<S, 2>& q, const Vector<S, 2>& p, auto&& f) const {
    const auto about = [&](double x, double y) { return (q[0] - x) * p[1] - (q[1] - y) * p[0]; };
    if (a == b && g == 0) f("angular momentum", about(0, 0));
    if (k == 0 && g == 0) {
      const double c = std::sqrt(std::abs(a * a - b * b)), x = a > b ? c : 0, y = a > b ? 0 : c;
      f("product of angular momenta about the foci", about(x, y) * about(-x, -y));
    }
  }

  Start<2> start() const { return {{0.3, 0.2}, Vector<double, 2>(1, 0.7), std::nullopt}; }
};

}  // namespace carom
