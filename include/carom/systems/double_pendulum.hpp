// The planar double pendulum of 001, IV: θ1 from the vertical, θ2 from the first rod, and a wall that the
// second mass may touch. The potential's first terms have c1, where 001 prints c2.
#pragma once

#include <array>

#include "carom/system/system_struct.hpp"

namespace carom {

struct DoublePendulum {
  static constexpr int dim = 2;
  static constexpr bool in_lanes = true;
  static constexpr std::array coordinate_names{"θ1", "θ2"};
  static constexpr std::array gap_names{"wall"};
  double m1 = 1, m2 = 1, L1 = 1, L2 = 1, g = 10;
  double wall = -0.25;  // horizontal position of the wall; out of reach below -(L1 + L2)

  void parameters(auto&& f) {
    f("m1", m1, Range::positive), f("m2", m2, Range::positive);
    f("L1", L1, Range::positive), f("L2", L2, Range::positive);
    f("g", g, Range::any), f("wall", wall, Range::any);
  }

  template <class S>
  Matrix<S, 2> mass(const Vector<S, 2>& q) const {
    const S c2 = cos(q[1]);
    const S coupling = m2 * L2 * (L2 + L1 * c2);
    Matrix<S, 2> M;
    M << (m1 + m2) * L1 * L1 + m2 * L2 * (L2 + 2 * L1 * c2), coupling, coupling, S(m2 * L2 * L2);
    return M;
  }

  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return (m1 + m2) * g * L1 * (1 - cos(q[0])) + m2 * g * L2 * (1 - cos(q[0] + q[1]));
  }

  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(L1 * sin(q[0]) + L2 * sin(q[0] + q[1]) - wall);
  }

  template <class S>
  void momenta(const Vector<S, 2>&, const Vector<S, 2>& p, auto&& f) const {
    if (g == 0) f("angular momentum", p[0]);
  }

  Start<2> start() const { return {{0.5647, 1.1106}, std::nullopt, Vector<double, 2>(3.7270, 0.2415)}; }
};

}  // namespace carom
