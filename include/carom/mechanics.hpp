// What follows from a Lagrangian: energy, the Legendre transform both ways, Hamilton's equations (000, 2.1
// and 2.2). Tested in tests/laws/system_laws_test.cpp.
#pragma once

#include "carom/lagrangian.hpp"
#include "carom/linear.hpp"

namespace carom {

// E(q, v) = v·∂L/∂v - L.
template <System Sys, class S>
S energy(const Sys& system, const Vector<S, Sys::dim>& q, const Vector<S, Sys::dim>& v) {
  return LagrangianAt<Sys, S, Need::slopes>(system, q).jet(v).energy(v);
}

namespace detail {

// ∂L/∂v and ∂²L/∂v² alone.
template <class S, int N>
struct Fibre {
  Vector<S, N> Lv;
  Matrix<S, N> Lvv;
};
template <System Sys, class S>
Fibre<S, Sys::dim> fibre(const Sys& system, const Vector<S, Sys::dim>& q, const Vector<S, Sys::dim>& v) {
  if constexpr (ConstantMass<Sys>) {
    const Matrix<S, Sys::dim> M = system.mass().template cast<S>();
    return {M * v, M};
  } else if constexpr (VariableMass<Sys>) {
    const Matrix<S, Sys::dim> M = inlined<S>([&] { return system.mass(q); });
    return {M * v, M};
  } else {
    const auto f = [&](const auto& u) {
      using X = typename std::decay_t<decltype(u)>::Scalar;
      return system.lagrangian(Vector<X, Sys::dim>(q.template cast<X>()), u);
    };
    const auto y = inlined<S>([&] { return hessian(f, v); });
    return {y.gradient, y.hessian};
  }
}

// One Newton step of p = ∂L/∂v(q, v) for v; exact where L is quadratic in v.
template <System Sys, class S>
Solved<S, Sys::dim> improve_velocity(const Sys& system, const Vector<S, Sys::dim>& q,
                                     const Vector<S, Sys::dim>& v, const Vector<S, Sys::dim>& p) {
  const auto here = fibre(system, q, v);
  if constexpr (QuadraticKinetic<Sys>) {
    return solve_positive(here.Lvv, p);
  } else {
    const Vector<S, Sys::dim> missing = p - here.Lv;
    const auto change = solve_positive(here.Lvv, missing);
    return {v + change.x, change.ok};
  }
}

}  // namespace detail

// The inverse Legendre transform: v with ∂L/∂v(q, v) = p. Not ok where ∂²L/∂v² is not positive definite on
// the way.
template <System Sys, class S>
Solved<S, Sys::dim> velocity(const Sys& system, const Vector<S, Sys::dim>& q, const Vector<S, Sys::dim>& p) {
  constexpr int most_iterations = 50;
  Solved<S, Sys::dim> r{Vector<S, Sys::dim>::Constant(q.size(), S(0.0)), true};
  for (int i = 0; i < most_iterations && r.ok; ++i) {
    const auto better = detail::improve_velocity(system, q, r.x, p);
    double change = 0, size = 0;
    for (int k = 0; k < q.size(); ++k) {
      change = std::max(change, magnitude(better.x[k] - r.x[k]));
      size = std::max(size, magnitude(better.x[k]));
    }
    r = better;
    if (QuadraticKinetic<Sys> || change <= 1e-14 * size) return r;
  }
  r.ok = false;
  return r;
}

// H(q, p); NaN where the inverse Legendre transform fails.
template <System Sys, class S>
S hamiltonian(const Sys& system, const State<S, Sys::dim>& z) {
  const auto v = velocity(system, z.q, z.p);
  return v.ok ? energy(system, z.q, v.x) : S(std::nan(""));
}

template <class S, int N>
struct Rates {
  Vector<S, N> q, p;  // dq/dt, dp/dt
  bool ok;
};

// Hamilton's equations: dq/dt = v(q, p), dp/dt = ∂L/∂q + force.
template <System Sys, class S>
Rates<S, Sys::dim> rates(const Sys& system, const S& t, const State<S, Sys::dim>& z) {
  const auto v = velocity(system, z.q, z.p);
  Vector<S, Sys::dim> force = LagrangianAt<Sys, S, Need::slopes>(system, z.q).jet(v.x).Lq;
  if constexpr (HasForce<Sys>) force = force + system.force(t, z.q, v.x);
  return {v.x, force, v.ok};
}

}  // namespace carom
