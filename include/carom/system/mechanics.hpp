// What follows from a Lagrangian: energy, the Legendre transform both ways, Hamilton's equations (000, 2.1
// and 2.2). Tested in tests/laws/system_laws_test.cpp.
#pragma once

#include "carom/numerics/linear.hpp"
#include "carom/system/lagrangian.hpp"

namespace carom {

// E(t, q, v) = v·∂L/∂v - L. In one piece, so that the compiler drops the slopes that nobody asks for.
template <SystemStruct Sys, class S>
S energy(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q, const Vector<S, Sys::dim>& v) {
  const auto E = [&] { return LagrangianAt<Sys, S, Need::slopes>(system, t, q).jet(v).energy(v); };
  if constexpr (QuadraticKinetic<Sys> && !OwnDerivatives<Sys> && std::is_same_v<S, double>)
    return inlined<S>(E);
  else
    return E();
}

namespace detail {

template <SystemStruct Sys, class S>
Fibre<S, Sys::dim> fibre(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q,
                         const Vector<S, Sys::dim>& v) {
  if constexpr (OwnDerivatives<Sys>) {
    return system.fibre(t, q, v);
  } else if constexpr (ConstantMass<Sys>) {
    const Matrix<S, Sys::dim> M = system.mass().template cast<S>();
    return {M * v, M};
  } else if constexpr (VariableMass<Sys>) {
    const Matrix<S, Sys::dim> M = inlined<S>([&] { return system.mass(q); });
    return {M * v, M};
  } else {
    const auto f = [&](const auto& u) {
      using X = typename std::decay_t<decltype(u)>::Scalar;
      return lagrangian(system, X(t), Vector<X, Sys::dim>(q.template cast<X>()), u);
    };
    const auto y = inlined<S>([&] { return hessian(f, v); });
    return {y.gradient, y.hessian};
  }
}

// One Newton step of p = ∂L/∂v(q, v) for v; exact where L is quadratic in v.
template <SystemStruct Sys, class S>
Solved<S, Sys::dim> improve_velocity(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q,
                                     const Vector<S, Sys::dim>& v, const Vector<S, Sys::dim>& p) {
  const auto here = fibre(system, t, q, v);
  if constexpr (QuadraticKinetic<Sys>) {
    return solve_positive(here.Lvv, p);
  } else {
    const Vector<S, Sys::dim> missing = p - here.Lv;
    const auto change = solve_positive(here.Lvv, missing);
    return {v + change.x, change.ok};
  }
}

// V and ∇V, and M, of a system whose mass is constant.
template <SystemStruct Sys, class S>
WithGradient<S, Sys::dim> potential_slope(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q) {
  if constexpr (OwnDerivatives<Sys>)
    return system.potential_slope(t, q);
  else
    return gradient(
        [&](const auto& x) {
          using X = typename std::decay_t<decltype(x)>::Scalar;
          return potential_of(system, X(t), Vector<X, Sys::dim>(x));
        },
        q);
}
template <SystemStruct Sys>
Matrix<double, Sys::dim> constant_mass(const Sys& system) {
  if constexpr (OwnDerivatives<Sys>)
    return system.constant_mass();
  else
    return system.mass();
}

// v with ∂L/∂v(q, v) = p, by Newton's method in doubles. Where L is not quadratic a full step may leave the
// velocities that exist (those below light's), so it is halved until the residual shrinks.
template <SystemStruct Sys>
Solved<double, Sys::dim> solve_velocity(const Sys& system, double t, const Vector<double, Sys::dim>& q,
                                        const Vector<double, Sys::dim>& p) {
  constexpr int most_iterations = 100;
  Solved<double, Sys::dim> r{Vector<double, Sys::dim>::Zero(q.size()), true};
  const auto residual = [&](const auto& v) { return (p - momentum(system, t, q, v)).norm(); };
  double missing = residual(r.x);
  for (int i = 0; i < most_iterations; ++i) {
    const auto better = improve_velocity(system, t, q, r.x, p);
    if (!better.ok) break;
    Vector<double, Sys::dim> change = better.x - r.x;
    if (change.norm() <= 1e-14 * better.x.norm()) return better;
    double left = residual(Vector<double, Sys::dim>(r.x + change));
    for (int k = 0; k < 60 && !(left < missing); ++k) {
      change *= 0.5;
      left = residual(Vector<double, Sys::dim>(r.x + change));
    }
    if (!(left < missing)) {  // at rounding level, or nowhere
      r.ok = missing <= 1e-12 * p.norm();
      return r;
    }
    r.x += change, missing = left;
  }
  r.ok = false;
  return r;
}

}  // namespace detail

// The inverse Legendre transform: v with ∂L/∂v(q, v) = p. Not ok where ∂²L/∂v² is not positive definite on
// the way. Over dual numbers each further Newton step makes one more order of derivatives exact.
template <SystemStruct Sys, class S>
Solved<S, Sys::dim> velocity(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q,
                             const Vector<S, Sys::dim>& p) {
  constexpr int N = Sys::dim;
  const Vector<S, N> zero = Vector<S, N>::Constant(q.size(), S(0.0));
  if (is_quadratic(system)) return detail::improve_velocity(system, t, q, zero, p);
  const auto base = [](const Vector<S, N>& x) {
    return Vector<double, N>(x.unaryExpr([](const S& a) { return base_value(a); }));
  };
  const auto solved = detail::solve_velocity(system, base_value(t), base(q), base(p));
  Solved<S, N> r{solved.x.template cast<S>(), solved.ok};
  for (int k = 0; k < derivative_order<S>() && r.ok; ++k) r = detail::improve_velocity(system, t, q, r.x, p);
  return r;
}

// H(t, q, p); NaN where the inverse Legendre transform fails.
template <SystemStruct Sys, class S>
S hamiltonian(const Sys& system, const Time<S>& t, const State<S, Sys::dim>& z) {
  const auto v = velocity(system, t, z.q, z.p);
  return v.ok ? energy(system, t, z.q, v.x) : S(std::nan(""));
}

template <class S, int N>
struct Rates {
  Vector<S, N> q, p;  // dq/dt, dp/dt
  bool ok;
};

// Hamilton's equations: dq/dt = v(q, p), dp/dt = ∂L/∂q + force.
template <SystemStruct Sys, class S>
Rates<S, Sys::dim> rates(const Sys& system, const S& t, const State<S, Sys::dim>& z) {
  const auto v = velocity(system, t, z.q, z.p);
  Vector<S, Sys::dim> force = LagrangianAt<Sys, S, Need::slopes>(system, t, z.q).jet(v.x).Lq;
  if constexpr (HasForce<Sys>)
    if (is_forced(system)) force = force + system.force(t, z.q, v.x);
  return {v.x, force, v.ok};
}

}  // namespace carom
