// A particle in a vertical plane over a floor (002, 4.2); 002 does not state g.
#pragma once

#include <array>

#include "carom/system/system_struct.hpp"

namespace carom {

struct Particle {
  static constexpr int dim = 2;
  static constexpr bool in_lanes = true;
  static constexpr std::array coordinate_names{"x", "y"};
  static constexpr std::array gap_names{"floor"};
  double m = 1, g = 9.81;

  void parameters(auto&& f) { f("m", m, Range::positive), f("g", g, Range::any); }

  Matrix<double, 2> mass() const { return m * Matrix<double, 2>::Identity(); }

  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return m * g * q[1];
  }

  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }

  template <class S>
  void momenta(const Vector<S, 2>&, const Vector<S, 2>& p, auto&& f) const {
    f("horizontal momentum", p[0]);
  }

  Start<2> start() const { return {{0, 1}, Vector<double, 2>(-2, 0), std::nullopt}; }
};

}  // namespace carom
