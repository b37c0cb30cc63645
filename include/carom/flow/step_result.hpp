// What a step yields, and the guess that its Newton iteration begins with.
#pragma once

#include "carom/flow/discrete_lagrangian.hpp"
#include "carom/flow/outcome.hpp"
#include "carom/system/mechanics.hpp"

namespace carom {

template <class S, int N>
struct StepResult {
  State<S, N> z = {};
  S action = S(0.0);  // ∫ L dt as the flow sees it: it generates the step, dA = p1 dq1 - p0 dq0
  S energy = S(0.0);  // discrete energy, -D3 L_d
  S work = S(0.0);    // of the forces, and of what drives the system
  Outcome outcome = {};
  S friction = S(0.0);  // work of friction; zero but for DAEs
  // q1 - q0 as a step has it, without cancellation; of flows alone.
  Vector<S, N> moved = Vector<S, N>::Constant(N < 0 ? 0 : N, S(0.0));
};

namespace detail {

template <class S, int N>
double largest(const Vector<S, N>& x) {
  double m = 0;
  for (int i = 0; i < x.size(); ++i) {
    const double size = magnitude(x[i]);
    if (size > m || std::isnan(size)) m = size;  // NaN wins
  }
  return m;
}

// v0 where L is quadratic in v, or one Newton step from rest; from what is known at q0 already, where that
// costs less.
template <SystemStruct Sys, class S>
Solved<S, Sys::dim> first_velocity(const Sys& system, const DiscreteLagrangian<Sys, S>& Ld,
                                   const State<S, Sys::dim>& z, const Vector<S, Sys::dim>& zero) {
  if constexpr (requires { system.looks_ahead(); })
    if (system.looks_ahead()) {
      const auto here = Ld.at_q0.jet(zero);
      return solve_positive(here.Lvv, Vector<S, Sys::dim>(z.p - here.Lv));
    }
  return improve_velocity(system, Ld.t, z.q, zero, z.p);
}

// The mean velocity of the step to first order in h: with v0 = v(q0, p0) and the rule's centre c = Σ b_i c_i,
// v0 + h (∂²L/∂v²)^{-1} [(1-c) (Lq + f) - c Lqv'v0], which for c = 1/2 is v0 + h/2 times the acceleration.
template <SystemStruct Sys, class S>
Solved<S, Sys::dim> predict_velocity(const Sys& system, const DiscreteLagrangian<Sys, S>& Ld,
                                     const State<S, Sys::dim>& z) {
  constexpr int N = Sys::dim;
  const Vector<S, N> zero = Vector<S, N>::Constant(z.q.size(), S(0.0));
  auto v = first_velocity(system, Ld, z, zero);
  if (!v.ok) return v;
  const double c = Ld.rule.centre();
  auto jet = Ld.at_q0.jet(v.x);
  if (!is_quadratic(system) && !(largest<S, N>(z.p - jet.Lv) <= 0.01 * largest(z.p))) {  // far from quadratic
    v = velocity(system, Ld.t, z.q, z.p);
    if (!v.ok) return v;
    jet = Ld.at_q0.jet(v.x);
  }
  Vector<S, N> force = jet.Lq * S(1 - c) - jet.Lqv.transpose() * v.x * S(c);
  if constexpr (HasForce<Sys>)
    if (is_forced(system)) force = force + system.force(Ld.t, z.q, v.x) * S(1 - c);
  const auto change = solve_positive(jet.Lvv, force);
  return {v.x + change.x * Ld.h, change.ok};
}

}  // namespace detail

}  // namespace carom
