// A mechanical system as an overdetermined DAE: y = q, z = the velocity, p(y, z) = ∂L/∂v, f = ∂L/∂q + force;
// joints and gaps are the constraints, in this order, held by r = Σ psi_i ∇g_i and by the friction that the
// system states. For a system without friction the true method is se1 along the joints (004, (2.2)).
// Tested in tests/laws/dae_mechanics_test.cpp.
#pragma once

#include "carom/dae/dae.hpp"
#include "carom/mechanics.hpp"

namespace carom {

namespace detail {

// Room for the joints and gaps of a system, counted at run time where its type does not say.
template <class Sys, class S>
constexpr int most_constraints() {
  int r = 0;
  const auto add = [&r](int most) {
    r = r == Eigen::Dynamic || most == Eigen::Dynamic ? Eigen::Dynamic : r + most;
  };
  using Q = Vector<S, Sys::dim>;
  if constexpr (HasJoints<Sys>)
    add(decltype(std::declval<const Sys&>().joints(std::declval<const Q&>()))::MaxSizeAtCompileTime);
  if constexpr (HasGaps<Sys>)
    add(decltype(std::declval<const Sys&>().gaps(std::declval<const Q&>()))::MaxSizeAtCompileTime);
  return r;
}

}  // namespace detail

template <System Sys>
struct MechanicalDae {
  static constexpr int ny = Sys::dim, nz = Sys::dim, N = Sys::dim;
  template <class S>
  using Multipliers = Eigen::Matrix<S, Eigen::Dynamic, 1, 0, detail::most_constraints<Sys, S>(), 1>;

  Sys system;

  template <class S>
  Vector<S, N> v(const Vector<S, N>&, const Vector<S, N>& z) const {
    return z;
  }
  template <class S>
  Vector<S, N> p(const Vector<S, N>& y, const Vector<S, N>& z) const {
    return momentum(system, y, z);
  }
  template <class S>
  Vector<S, N> f(const S& t, const Vector<S, N>& y, const Vector<S, N>& z) const {
    Vector<S, N> r = LagrangianAt<Sys, S, Need::slopes>(system, y).jet(z).Lq;
    if constexpr (HasForce<Sys>)
      if (carom::is_forced(system)) r = r + system.force(t, y, z);
    return r;
  }
  // Σ psi_i ∇g_i: the gradient of psi·g with psi fixed.
  template <class S>
  Vector<S, N> r(const Vector<S, N>& y, const Vector<S, N>&, const Multipliers<S>& psi) const {
    const auto held = [&](const auto& x) {
      using X = typename std::decay_t<decltype(x)>::Scalar;
      const auto all = g(x);
      X sum(0.0);
      for (int i = 0; i < all.size(); ++i) sum = sum + all[i] * X(psi[i]);
      return sum;
    };
    return gradient(held, y).gradient;
  }
  template <class S>
  Vector<S, N> friction(const Vector<S, N>& y, const Vector<S, N>& z, const Multipliers<S>& psi) const {
    if constexpr (requires { system.friction(y, z, psi); })
      if (carom::has_friction(system)) return system.friction(y, z, psi);
    return Vector<S, N>::Constant(S(0.0));
  }
  template <class S>
  Multipliers<S> g(const Vector<S, N>& y) const {
    Multipliers<S> r;
    if constexpr (HasJoints<Sys>) append(system.joints(y), r);
    if constexpr (HasGaps<Sys>) append(system.gaps(y), r);
    return r;
  }

  bool z_of(const Vector<double, N>& y, const Vector<double, N>& p, Vector<double, N>& z) const {
    const auto v = velocity(system, y, p);
    z = v.x;
    return v.ok;
  }

  int coordinate_count() const { return carom::coordinate_count(system); }
  bool one_sided(int i) const { return i >= carom::joint_count(system); }
  bool has_friction() const { return carom::has_friction(system); }
  bool is_forced() const { return carom::is_forced(system); }
  std::string coordinate_name(int i) const { return carom::coordinate_name(system, i); }
  std::string constraint_name(int i) const {
    const int joints = carom::joint_count(system);
    return i < joints ? joint_name(system, i) : gap_name(system, i - joints);
  }
  double energy(const Vector<double, N>& y, const Vector<double, N>& z) const {
    return carom::energy(system, y, z);
  }
  double force_power(double t, const Vector<double, N>& y, const Vector<double, N>& z) const {
    if constexpr (HasForce<Sys>)
      if (carom::is_forced(system)) return z.dot(system.force(t, y, z));
    return 0;
  }
  void momenta(const Vector<double, N>& y, const Vector<double, N>& p, auto&& tell) const {
    if constexpr (HasMomenta<Sys>) system.momenta(y, p, tell);
  }

 private:
  template <class S>
  static void append(const auto& some, Multipliers<S>& all) {
    const auto before = all.size();
    all.conservativeResize(before + some.size());
    for (int i = 0; i < some.size(); ++i) all[before + i] = some[i];
  }
};

}  // namespace carom
