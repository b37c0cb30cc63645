// The rotating four-point star of 002, 4.3, bouncing on a floor: its convex hull is a square of side L. The
// contact set is written as one smooth gap per vertex instead of with |sin| and |cos|.
//
// Gravity is that of a planet of radius 1/kappa, V = m g y / (1 + kappa y); kappa = 0 is the flat case. (002,
// Fig. 5 uses "a nonlinear gravity" and does not say which; this is ours.)
#pragma once

#include <array>
#include <numbers>

#include "carom/system/system_struct.hpp"

namespace carom {

struct Star {
  static constexpr int dim = 3;
  static constexpr bool in_lanes = true;
  static constexpr std::array coordinate_names{"x", "y", "θ"};
  static constexpr std::array gap_names{"vertex 1", "vertex 2", "vertex 3", "vertex 4"};
  double m = 1, L = 1, g = 9.81, kappa = 0;

  void parameters(auto&& f) {
    f("m", m, Range::positive), f("L", L, Range::positive);
    f("g", g, Range::any), f("kappa", kappa, Range::not_negative);
  }

  double inertia() const { return 29.0 / 192.0 * m * L * L; }

  Matrix<double, 3> mass() const { return Vector<double, 3>(m, m, inertia()).asDiagonal(); }

  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return m * g * q[1] / (1 + kappa * q[1]);
  }

  // The vertices lie at 45°, 135°, 225° and 315° from the body's axis, half a diagonal from its centre.
  template <class S>
  Vector<S, 4> gaps(const Vector<S, 3>& q) const {
    Vector<S, 4> r;
    for (int k = 0; k < 4; ++k)
      r[k] = q[1] + L / std::numbers::sqrt2 * sin(q[2] + (2 * k + 1) * std::numbers::pi / 4);
    return r;
  }

  template <class S>
  void momenta(const Vector<S, 3>&, const Vector<S, 3>& p, auto&& f) const {
    f("horizontal momentum", p[0]);
  }

  Start<3> start() const { return {{0, 3.5, 0}, Vector<double, 3>(-2, 0, 5), std::nullopt}; }
};

}  // namespace carom
