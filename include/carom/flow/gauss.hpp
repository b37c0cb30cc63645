// Gauss collocation in Hamiltonian form, of order 2s with s stages: the one building block of a flow that is
// not a quadrature rule of L.
//
//   Q_i = q0 + h Σ a_ij V_j,  P_i = p0 + h Σ a_ij F_j,  V_i = v(Q_i, P_i),  F_i = ∂L/∂q(Q_i, V_i) + force
//   q1 = q0 + h Σ b_i V_i,    p1 = p0 + h Σ b_i F_i,    action = h Σ b_i L(Q_i, V_i)
//
// Symmetric and symplectic; joints it does not keep, and says so. The stages are iterated together until they
// stand still at rounding level.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "carom/flow/variational_step.hpp"
#include "carom/numerics/gauss_table.hpp"

namespace carom {

namespace detail {

template <SystemStruct Sys, class S>
class GaussStep {
  static constexpr int N = Sys::dim;

 public:
  GaussStep(const Sys& sys, const GaussTable& g, const S& time, const S& step, const State<S, N>& start)
      : system(sys), table(g), t(time), h(step), z(start) {}

  StepResult<S, N> run() {
    constexpr int most_iterations = 200;
    constexpr double rounding = 2 * std::numeric_limits<double>::epsilon(), good_enough = 1e-11;
    const auto first = rates(system, t, z);
    StepResult<S, N> r{z};
    if (!first.ok) return r.outcome.status = Status::singular, r;
    V.fill(first.q), F.fill(first.p);
    double previous = HUGE_VAL;
    for (int i = 1; i <= most_iterations; ++i) {
      const Change change = sweep();
      if (!change.ok) return r.outcome = {Status::singular, change.relative, i}, r;
      if (!std::isfinite(change.relative)) return r.outcome = {Status::not_finite, change.relative, i}, r;
      const bool stalled = change.relative > 0.9 * previous && change.relative <= good_enough;
      if (change.relative <= rounding || stalled) {
        r.outcome = {Status::ok, change.relative, i};
        return finish(r);
      }
      previous = change.relative;
    }
    r.outcome = {Status::no_convergence, previous, most_iterations};
    return r;
  }

 private:
  struct Change {
    double relative;  // largest change of a slope, relative to the largest slope
    bool ok;
  };

  Vector<S, N> stage(const Vector<S, N>& start, const std::array<Vector<S, N>, most_stages>& slopes,
                     int i) const {
    Vector<S, N> sum = slopes[0] * S(table.a[i][0]);
    for (int j = 1; j < table.stages; ++j) sum = sum + slopes[j] * S(table.a[i][j]);
    return start + sum * h;
  }

  // Every stage from the slopes of the sweep before.
  Change sweep() {
    std::array<Vector<S, N>, most_stages> P;
    for (int i = 0; i < table.stages; ++i) Q[i] = stage(z.q, V, i), P[i] = stage(z.p, F, i);
    double change_v = 0, change_f = 0, size_v = 0, size_f = 0;
    for (int i = 0; i < table.stages; ++i) {
      const auto v = improve_velocity(system, time(i), Q[i], V[i], P[i]);
      if (!v.ok) return {HUGE_VAL, false};
      Vector<S, N> f = LagrangianAt<Sys, S, Need::slopes>(system, time(i), Q[i]).jet(v.x).Lq;
      if constexpr (HasForce<Sys>)
        if (is_forced(system)) f = f + system.force(time(i), Q[i], v.x);
      change_v = std::fmax(change_v, largest<S, N>(v.x - V[i])), size_v = std::fmax(size_v, largest(v.x));
      change_f = std::fmax(change_f, largest<S, N>(f - F[i])), size_f = std::fmax(size_f, largest(f));
      if (!std::isfinite(largest(v.x) + largest(f))) return {HUGE_VAL, true};
      V[i] = v.x, F[i] = f;
    }
    return {std::fmax(change_v / std::fmax(size_v, tiny), change_f / std::fmax(size_f, tiny)), true};
  }

  S time(int i) const { return t + h * table.c[i]; }

  StepResult<S, N>& finish(StepResult<S, N>& r) {
    Vector<S, N> dq = V[0] * S(table.b[0]), dp = F[0] * S(table.b[0]);
    for (int i = 1; i < table.stages; ++i) dq = dq + V[i] * S(table.b[i]), dp = dp + F[i] * S(table.b[i]);
    r.moved = dq * h, r.z.q = z.q + r.moved, r.z.p = z.p + dp * h;
    for (int i = 0; i < table.stages; ++i) {
      const auto L = LagrangianAt<Sys, S, Need::slopes>(system, time(i), Q[i]).jet(V[i]);
      r.action = r.action + h * table.b[i] * L.L;
      r.energy = r.energy + table.b[i] * L.energy(V[i]);
      if constexpr (HasForce<Sys>)
        if (is_forced(system)) r.work = r.work + h * table.b[i] * system.force(time(i), Q[i], V[i]).dot(V[i]);
      if constexpr (requires { system.drift(t, Q[i], V[i]); })
        if (is_timed(system)) r.work = r.work - h * table.b[i] * system.drift(time(i), Q[i], V[i]);
    }
    return r;
  }

  static constexpr double tiny = 1e-300;
  const Sys& system;
  const GaussTable& table;
  S t, h;
  State<S, N> z;
  std::array<Vector<S, N>, most_stages> Q, V, F;
};

}  // namespace detail

template <SystemStruct Sys, class S>
StepResult<S, Sys::dim> gauss_step(const Sys& system, const Gauss& gauss, const S& t, const S& h,
                                   const State<S, Sys::dim>& z) {
  if (joint_count(system) > 0) return {.z = z, .outcome = {.status = Status::no_joints}};
  return detail::GaussStep<Sys, S>(system, gauss_table(gauss.stages), t, h, z).run();
}

}  // namespace carom
