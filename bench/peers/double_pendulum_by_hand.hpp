// The double pendulum of carom::DoublePendulum as M(q) v' + C(q, v) + G(q) = 0, in closed form. It stands by
// itself because Siconos' headers need C++17; tests/bench/ compares it with carom's.
#pragma once

#include <cmath>

namespace carom::bench {

struct DoublePendulumByHand {
  double m1 = 1, m2 = 1, L1 = 1, L2 = 1, g = 10, wall = -0.25;
  double q[2]{0.5647, 1.1106}, p[2]{3.7270, 0.2415};  // the start

  double first_arm() const { return (m1 + m2) * g * L1; }
  double second_arm() const { return m2 * g * L2; }
  double coupling() const { return m2 * L1 * L2; }

  void mass(const double* at, double* M) const {
    const double c = coupling() * std::cos(at[1]), second = m2 * L2 * L2;
    M[0] = (m1 + m2) * L1 * L1 + second + 2 * c;
    M[1] = M[2] = second + c;
    M[3] = second;
  }
  void weight(const double* at, double* G) const {
    G[1] = second_arm() * std::sin(at[0] + at[1]);
    G[0] = first_arm() * std::sin(at[0]) + G[1];
  }
  void gyroscopic(const double* at, const double* v, double* C) const {
    const double s = coupling() * std::sin(at[1]);
    C[0] = -s * v[1] * (2 * v[0] + v[1]), C[1] = s * v[0] * v[0];
  }
  // Derivatives by q and v, column by column.
  void weight_by_q(const double* at, double* J) const {
    J[1] = J[2] = J[3] = second_arm() * std::cos(at[0] + at[1]);
    J[0] = first_arm() * std::cos(at[0]) + J[3];
  }
  void gyroscopic_by_q(const double* at, const double* v, double* J) const {
    const double c = coupling() * std::cos(at[1]);
    J[0] = J[1] = 0, J[2] = -c * v[1] * (2 * v[0] + v[1]), J[3] = c * v[0] * v[0];
  }
  void gyroscopic_by_v(const double* at, const double* v, double* J) const {
    const double s = coupling() * std::sin(at[1]);
    J[0] = -2 * s * v[1], J[1] = 2 * s * v[0], J[2] = -2 * s * (v[0] + v[1]), J[3] = 0;
  }
  double gap(const double* at) const { return L1 * std::sin(at[0]) + L2 * std::sin(at[0] + at[1]) - wall; }
  void gap_by_q(const double* at, double* slope) const {
    slope[1] = L2 * std::cos(at[0] + at[1]), slope[0] = L1 * std::cos(at[0]) + slope[1];
  }
  void velocity(const double* at, const double* momentum, double* v) const {
    double M[4];
    mass(at, M);
    const double det = M[0] * M[3] - M[1] * M[2];
    v[0] = (M[3] * momentum[0] - M[1] * momentum[1]) / det;
    v[1] = (M[0] * momentum[1] - M[1] * momentum[0]) / det;
  }
  double energy(const double* at, const double* v) const {
    double M[4];
    mass(at, M);
    return 0.5 * (M[0] * v[0] * v[0] + 2 * M[1] * v[0] * v[1] + M[3] * v[1] * v[1]) +
           first_arm() * (1 - std::cos(at[0])) + second_arm() * (1 - std::cos(at[0] + at[1]));
  }
};

}  // namespace carom::bench
