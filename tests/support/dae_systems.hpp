// DAEs whose solutions are known, and runs of them.
#pragma once

#include "carom/dae.hpp"
#include "carom/system/autodiff_system.hpp"
#include "support/order.hpp"

namespace carom::test {

// 004, (4.1): y1 = z1 = e^{2t}, y2 = z2 = e^{-t}, psi = e^t.
struct Exponential {
  static constexpr int ny = 2, nz = 2;
  template <class S>
  using V = Vector<S, 2>;

  template <class S>
  V<S> v(const V<S>&, const V<S>& z) const {
    return {2.0 * z[0], -z[1]};
  }
  template <class S>
  V<S> f(const V<S>& y, const V<S>& z) const {
    return {2.0 * y[0] * y[1] * z[0] * z[1] - y[0] * z[0] * z[1], z[0] - y[0] * z[1] * z[1] * z[1]};
  }
  template <class S>
  V<S> r(const V<S>& y, const V<S>& z, const Vector<S, 1>& psi) const {
    return {y[1] * z[0] * psi[0] * psi[0], -sqrt(y[0]) * z[0] * z[1] * z[1] * psi[0]};
  }
  template <class S>
  Vector<S, 1> g(const V<S>& y) const {
    return Vector<S, 1>(y[0] * y[1] * y[1] - 1.0);
  }
};

// A mass on or above a curve y >= s(x), with friction c_f |F_N|^r_f (004, (4.2), there with s = b x³).
template <class Curve>
struct MassOn {
  static constexpr int dim = 2;
  double m = 1, g = 9.81, c_f = 0.1, r_f = 0.85;
  Curve curve;

  Matrix<double, 2> mass() const { return m * Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return m * g * q[1];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1] - curve.height(q[0]));
  }
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>& q, const Vector<S, 2>& v, const auto& psi) const {
    const S steep = curve.slope(q[0]), normal = abs(psi[0]) * sqrt(1.0 + steep * steep);
    if (c_f == 0 || base_value(normal) == 0) return Vector<S, 2>::Constant(S(0.0));
    return v * (-c_f * pow(normal, r_f) / sqrt(v.dot(v)));
  }
};

struct Cubic {
  double b = 0.01;
  template <class S>
  S height(const S& x) const {
    return b * x * x * x;
  }
  template <class S>
  S slope(const S& x) const {
    return 3.0 * b * x * x;
  }
  double bend(double x) const { return 6 * b * x; }
};

struct Wave {
  double a = 0.5, k = 2;
  template <class S>
  S height(const S& x) const {
    return a * cos(k * x);
  }
  template <class S>
  S slope(const S& x) const {
    return -a * k * sin(k * x);
  }
  double bend(double x) const { return -a * k * k * std::cos(k * x); }
};

// The same mass while it slides, as a system of one coordinate x: what the constraint and friction leave.
template <class Curve>
struct Sliding {
  static constexpr int dim = 1;
  MassOn<Curve> on;

  template <class S>
  Matrix<S, 1> mass(const Vector<S, 1>& q) const {
    const S s = on.curve.slope(q[0]);
    return Matrix<S, 1>(on.m * (1.0 + s * s));
  }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return on.m * on.g * on.curve.height(q[0]);
  }
  // psi of the gap, from d²(y - s(x))/dt² = 0.
  double multiplier(double x, double u) const {
    const double s = on.curve.slope(x);
    return on.m * (on.g + on.curve.bend(x) * u * u) / (1 + s * s);
  }
  template <class S>
  Vector<S, 1> force(const S&, const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    const double x = base_value(q[0]), u = base_value(v[0]), steep = std::hypot(1, on.curve.slope(x));
    const double normal = std::abs(multiplier(x, u)) * steep;
    return Vector<S, 1>(S(-on.c_f * std::pow(normal, on.r_f) * steep * (u > 0 ? 1 : -1)));
  }
};

template <class D>
std::shared_ptr<const Dae> dense(D dae) {
  return std::make_shared<DenseDae<D>>(std::move(dae));
}
template <SystemStruct Sys>
std::shared_ptr<const Dae> mechanical(const Sys& system) {
  return std::make_shared<MechanicalDae>(std::make_shared<AutodiffSystem<Sys>>(system));
}

inline Values values(std::initializer_list<double> list) {
  Values r(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), r.begin());
  return r;
}

struct DaeEnd {
  Values y, z, Psi0, Psi1, psi;  // psi is consistent with (y, z)
  double friction = 0;
  bool ok = false;
};

// All constraints held over `steps` steps of h from (y, z), multipliers found from `psi`.
inline DaeEnd dae_run(const Dae& dae, const DaeScheme& scheme, const Flow& flow, double h, int steps,
                      Values y, Values z, double psi = 0) {
  DaeFlow step(dae, scheme, flow);
  ConsistentValues consistent(dae);
  consistent.psi.setConstant(psi);
  std::vector<int> held(static_cast<std::size_t>(dae.sizes().g));
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = static_cast<int>(i);
  DaeEnd r;
  if (!consistent(0, y, z, held).ok()) return r;
  step.euler.Psi0 = step.euler.Psi1 = consistent.psi;
  for (int n = 0; n < steps; ++n) {
    if (!step(n * h, h, held, y, z).ok()) return r;
    r.friction += step.friction;
  }
  r.ok = consistent(steps * h, y, z, held).ok();
  r.y = y, r.z = z, r.Psi0 = step.euler.Psi0, r.Psi1 = step.euler.Psi1, r.psi = consistent.psi;
  return r;
}

}  // namespace carom::test
