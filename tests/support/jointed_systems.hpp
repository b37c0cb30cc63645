// Systems with joints for the law suites: pendulums in Cartesian coordinates, a mass that depends on q, a
// Lagrangian that is not quadratic, and joints that depend on each other.
#pragma once

#include "support/flow_cases.hpp"
#include "support/system_cases.hpp"

namespace carom::test {

constexpr double gravity = 9.81;

// A mass on a rod, hanging from the origin; starts at 60 degrees.
struct RodPendulum {
  static constexpr int dim = 2;
  static constexpr std::array<const char*, 1> joint_names{"rod"};
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * q[1];
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0] * q[0] + q[1] * q[1] - 1.0);
  }
  Start<2> start() const {
    return {{std::sqrt(0.75), -0.5}, Vector<double, 2>(0.3, 0.3 * std::sqrt(3)), std::nullopt};
  }
};

// The same in its angle, from below.
struct AnglePendulum {
  static constexpr int dim = 1;
  Matrix<double, 1> mass() const { return Matrix<double, 1>::Identity(); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return -gravity * cos(q[0]);
  }
};

struct SphericalPendulum {
  static constexpr int dim = 3;
  Matrix<double, 3> mass() const { return 2 * Matrix<double, 3>::Identity(); }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return 2 * gravity * q[2];
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 3>& q) const {
    return Vector<S, 1>(q.dot(q) - 1.0);
  }
  void momenta(const Vector<double, 3>& q, const Vector<double, 3>& p, auto&& f) const {
    f("spin", q[0] * p[1] - q[1] * p[0]);
  }
  Start<3> start() const { return {{0.6, 0, -0.8}, Vector<double, 3>(0, 2, 0), std::nullopt}; }
};

// Two masses on two rods.
struct TwoRods {
  static constexpr int dim = 4;
  Matrix<double, 4> mass() const { return Vector<double, 4>(1, 1, 0.5, 0.5).asDiagonal(); }
  template <class S>
  S potential(const Vector<S, 4>& q) const {
    return gravity * (q[1] + 0.5 * q[3]);
  }
  template <class S>
  Vector<S, 2> joints(const Vector<S, 4>& q) const {
    const S x = q[2] - q[0], y = q[3] - q[1];
    return Vector<S, 2>(q[0] * q[0] + q[1] * q[1] - 1.0, x * x + y * y - 0.64);
  }
  Start<4> start() const {
    return {{0.6, -0.8, 1.4, -0.8}, Vector<double, 4>(0.8, 0.6, 0.8, -0.2), std::nullopt};
  }
};

// A mass that depends on q, on a wavy surface, pulled to the origin.
struct WavyBead {
  static constexpr int dim = 3;
  template <class S>
  Matrix<S, 3> mass(const Vector<S, 3>& q) const {
    Matrix<S, 3> M;
    const S coupling = 0.3 * sin(q[0]), zero(0.0);
    M << 1.5 + 0.5 * cos(q[1]), coupling, zero, coupling, S(1.0), zero, zero, zero, 1.0 + q[0] * q[0];
    return M;
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return 2.0 * q.dot(q) + q[2];
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 3>& q) const {
    return Vector<S, 1>(q[2] - 0.3 * sin(2.0 * q[0]) * cos(q[1]));
  }
  Start<3> start() const {  // ∂z/∂x = 0.6 cos(2x) cos(y), ∂z/∂y = -0.3 sin(2x) sin(y)
    const double x = 0.4, y = 0.5, u = 0.7, w = -0.9;
    const double z = 0.3 * std::sin(2 * x) * std::cos(y);
    const double dz = 0.6 * std::cos(2 * x) * std::cos(y) * u - 0.3 * std::sin(2 * x) * std::sin(y) * w;
    return {{x, y, z}, Vector<double, 3>(u, w, dz), std::nullopt};
  }
};

// As fast as light at most; L is no quadratic in v.
struct FastPendulum : RodPendulum {
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return -9.0 * sqrt(1.0 - v.dot(v) * (1.0 / 9.0)) - 4.0 * q[1];
  }
  Matrix<double, 2> mass() const = delete;
};

// A plane pendulum in space whose rod is stated twice: the third joint follows from the first two.
struct TwiceHeld : SphericalPendulum {
  template <class S>
  Vector<S, 3> joints(const Vector<S, 3>& q) const {
    return Vector<S, 3>(q.dot(q) - 1.0, q[1], 3.0 * (q[0] * q[0] + q[2] * q[2] - 1.0));
  }
  Start<3> start() const { return {{0.6, 0, -0.8}, Vector<double, 3>(0.8, 0, 0.6), std::nullopt}; }
};

// Links of length 1 that begin in a horizontal line.
struct HangingChain {
  static constexpr int dim = Eigen::Dynamic;
  int links = 3;
  int dimension() const { return 2 * links; }
  template <class S>
  S lagrangian(const Vector<S, dim>& q, const Vector<S, dim>& v) const {
    S L = 0.5 * v.dot(v);
    for (int i = 0; i < links; ++i) L = L - gravity * q[2 * i + 1];
    return L;
  }
  template <class S>
  Vector<S, dim> joints(const Vector<S, dim>& q) const {
    Vector<S, dim> f(links);
    for (int i = 0; i < links; ++i) {
      const S x = i == 0 ? q[0] : q[2 * i] - q[2 * i - 2], y = i == 0 ? q[1] : q[2 * i + 1] - q[2 * i - 1];
      f[i] = x * x + y * y - 1.0;
    }
    return f;
  }
  Start<dim> start() const {
    Vector<double, dim> q = Vector<double, dim>::Zero(2 * links);
    for (int i = 0; i < links; ++i) q[2 * i] = i + 1;
    return {q, Vector<double, dim>::Zero(2 * links), std::nullopt};
  }
};

// f and F'v at a state: zero on the manifold where a jointed system lives.
inline Values off_joints(const SystemRef& system, const Phase& z) {
  SparseRows F;
  system->joint_slopes(0, z.q, F);
  const Values f = joints(system, z.q), v = velocity(system, z.q, z.p);
  Values r(2 * f.size());
  for (int i = 0; i < f.size(); ++i) r[i] = f[i], r[f.size() + i] = F[i].dot(v);
  return r;
}

// The largest |f_i| and |F_i'v| of a state.
inline double largest_violation(const SystemRef& system, const Phase& z) {
  return off_joints(system, z).lpNorm<Eigen::Infinity>();
}

// Every flow but Gauss collocation, which keeps no joints.
inline std::vector<FlowCase> jointed_flows() {
  auto cases = all_flows();
  std::erase_if(cases, [](const FlowCase& c) { return c.flow.name == "gauss"; });
  return cases;
}

}  // namespace carom::test
