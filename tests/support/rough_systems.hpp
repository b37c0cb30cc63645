// Bodies in the plane on rough ground, as structs.
#pragma once

#include "carom/system/autodiff_system.hpp"

namespace carom::test {

// A rod of mass 1 and length 2l that stands on its foot, leaning by a.
struct RoughRod {
  static constexpr int dim = 3;
  double friction = 0.3, l = 0.5, inertia = 1.0 / 12, gravity = 9.81, wind = 0;
  Eigen::Matrix3d mass() const { return Eigen::Vector3d(1, 1, inertia).asDiagonal(); }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return gravity * q[1] - wind * q[0];
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 3>& q) const {
    return {q[1] - l * cos(q[2]), q[1] + l * cos(q[2])};
  }
  double mu(int) const { return friction; }
  template <class S>
  Vector<S, 2> slides(const Vector<S, 3>& q) const {
    return {q[0] - l * sin(q[2]), q[0] + l * sin(q[2])};
  }
  Phase leaning(double a, double x = 0) const {
    Phase z{Values(3), Values::Zero(3)};
    z.q << x + l * std::sin(a), l * std::cos(a), a;
    return z;
  }
};

// A mass on a belt that moves with speed w, held by a spring.
struct OnBelt {
  static constexpr int dim = 2;
  double friction = 0.4, stiffness = 20, gravity = 9.81, w = 0.5;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * q[1] + 0.5 * stiffness * q[0] * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
  double mu(int) const { return friction; }
  template <class T, class S>
  Vector<S, 1> slides(const T& t, const Vector<S, 2>& q) const {
    return Vector<S, 1>(S(q[0] - w * t));
  }
};

}  // namespace carom::test
