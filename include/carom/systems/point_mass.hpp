// A point mass on a line under constant gravity over a floor (001, III-C): L = ½ m v² - m g q.
#pragma once

#include <array>

#include "carom/system/system_struct.hpp"

namespace carom {

struct PointMass {
  static constexpr int dim = 1;
  static constexpr bool in_lanes = true;
  static constexpr std::array coordinate_names{"q"};
  static constexpr std::array gap_names{"floor"};
  double m = 1, g = 1;

  void parameters(auto&& f) { f("m", m, Range::positive), f("g", g, Range::any); }

  Matrix<double, 1> mass() const { return Matrix<double, 1>(m); }

  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return m * g * q[0];
  }

  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return q;
  }

  template <class S>
  void momenta(const Vector<S, 1>&, const Vector<S, 1>& p, auto&& f) const {
    if (g == 0) f("momentum", p[0]);
  }

  Start<1> start() const { return {Vector<double, 1>(1.0), Vector<double, 1>(0.0), std::nullopt}; }
};

}  // namespace carom
