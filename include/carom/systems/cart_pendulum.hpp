// The vertical cart-pendulum of 000, 5.1: a cart at height y on a vertical track over a floor, and a pendulum
// of angle θ from the vertical hanging on it.
#pragma once

#include <array>

#include "carom/system/system_struct.hpp"

namespace carom {

struct CartPendulum {
  static constexpr int dim = 2;
  static constexpr bool in_lanes = true;
  static constexpr std::array coordinate_names{"y", "θ"};
  static constexpr std::array gap_names{"floor"};
  double m1 = 1, m2 = 0.2, L = 2, g = 10;

  void parameters(auto&& f) {
    f("m1", m1, Range::positive), f("m2", m2, Range::positive);
    f("L", L, Range::positive), f("g", g, Range::any);
  }

  template <class S>
  Matrix<S, 2> mass(const Vector<S, 2>& q) const {
    const S coupling = m2 * L * sin(q[1]);
    Matrix<S, 2> M;
    M << S(m1 + m2), coupling, coupling, S(m2 * L * L);
    return M;
  }

  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return (m1 + m2) * g * q[0] - m2 * g * L * cos(q[1]);
  }

  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0]);
  }

  template <class S>
  void momenta(const Vector<S, 2>&, const Vector<S, 2>& p, auto&& f) const {
    if (g == 0) f("vertical momentum", p[0]);
  }

  // 000, 5.2: the family q = (β, 0), v = (0, 3.5 - 0.18 β) of starts; β = 4.2 lies in its middle.
  static Start<2> family(double beta) {
    return {{beta, 0}, Vector<double, 2>(0, 3.5 - 0.18 * beta), std::nullopt};
  }
  Start<2> start() const { return family(4.2); }
};

}  // namespace carom
