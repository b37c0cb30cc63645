// One step of the variational flow of a rule (000, (13)-(15)): given (q0, p0), solve
//
//   p0 + D1 L_d(q0, q1, h) + f- = 0   for v = (q1 - q0)/h,     then     p1 = D2 L_d(q0, q1, h) + f+.
//
// Explicit where mass and rule allow it; otherwise Newton's method, which needs two corrections in the
// typical step. Joints are for smooth_step.hpp. Tested by the law suite in
// tests/laws/flow_laws_test.cpp.
#pragma once

#include <limits>
#include <utility>

#include <optional>

#include "carom/flow/step_result.hpp"
#include "carom/numerics/nothing.hpp"

namespace carom {

namespace detail {

// Constant mass, nodes at the ends: p0 = M v + h b0 ∇V(q0), p1 = M v - h b1 ∇V(q1).
template <SystemStruct Sys, class S>
StepResult<S, Sys::dim> explicit_step(const Sys& system, const Rule& rule, const S& t, const S& h,
                                      const State<S, Sys::dim>& z) {
  constexpr int N = Sys::dim;
  double b0 = 0, b1 = 0;
  for (const Node& node : rule) (node.c == 0 ? b0 : b1) += node.b;

  WithGradient<S, N> V0{S(0.0), z.p}, V1{S(0.0), z.p};
  Vector<S, N> p = z.p;
  if (b0 != 0) {
    V0 = potential_slope(system, t, z.q);
    p = p - V0.gradient * (h * b0);
  }
  const Matrix<S, N> M = constant_mass(system).template cast<S>();
  const auto v = solve_positive(M, p);
  StepResult<S, N> r;
  r.z.q = moved(z.q, v.x, h), r.moved = v.x * h;
  r.z.p = p;
  if (b1 != 0) {
    V1 = potential_slope(system, S(t + h), r.z.q);
    r.z.p = p - V1.gradient * (h * b1);
  }
  const S kinetic = 0.5 * v.x.dot(p), mean_potential = V0.value * b0 + V1.value * b1;
  r.action = h * (kinetic - mean_potential);
  r.energy = kinetic + mean_potential;
  if constexpr (requires { system.drift(t, v.x, v.x); })
    if (is_timed(system)) {
      if (b0 != 0) r.work = r.work - h * b0 * system.drift(t, z.q, v.x);
      if (b1 != 0) r.work = r.work - h * b1 * system.drift(t + h, r.z.q, v.x);
    }
  if (!v.ok) return {.z = z, .outcome = {.status = Status::singular}};
  if (!std::isfinite(largest(r.z.q) + largest(r.z.p)))
    return {.z = z, .outcome = {.status = Status::not_finite}};
  return r;
}

// Newton's method for p0 + minus(v) = 0. The matrix is kept while it gains three digits a time, and the full
// evaluation that also yields p1 waits until the correction after it is expected to be the last.
template <SystemStruct Sys, class S>
class NewtonStep {
  static constexpr int N = Sys::dim, most_iterations = 30;
  static constexpr double rounding = 16 * std::numeric_limits<double>::epsilon(), good_enough = 1e-11;
  // What the end takes to first order: below it the terms that are left out are at rounding level.
  static constexpr double nearly = 5e-14;

 public:
  NewtonStep(const DiscreteLagrangian<Sys, S>& L, const State<S, N>& start, const Vector<S, N>& guess)
      : Ld(L), z(start), v(guess), jet(static_cast<int>(guess.size())) {}

  StepResult<S, N> take() {
    for (int i = 0; i < most_iterations; ++i) {
      look();
      const Vector<S, N> residual = z.p + jet.minus;
      const double previous = std::exchange(size, relative(residual)), gain = i == 0 ? 1e-5 : size / previous;
      if (!std::isfinite(size)) return failed({Status::not_finite, size, i});
      const bool converged = size <= rounding || (gain > 0.25 && size <= good_enough);
      if ((refresh || expect_end) && (converged || (i > 0 && is_last(size, gain)))) return end(residual, i);
      if (refresh) matrix.emplace(jet.d_minus);
      if (!matrix->ok()) return failed({Status::singular, size, i});
      refresh = !converged && gain > 1e-3;
      expect_end = !refresh && (converged || is_last(size * gain, gain));
      if (!converged) v = v - matrix->solve(residual);
    }
    return failed({Status::no_convergence, size, most_iterations});
  }

 private:
  void look() {
    if (refresh) {
      Ld.template evaluate<true>(v, jet);
      for (int i = 0; i < v.size(); ++i) {
        scale[i] = magnitude(z.p[i]) + magnitude(jet.minus[i]);
        for (int k = 0; k < v.size(); ++k) scale[i] += std::abs(jet.d_minus(i, k)) * magnitude(v[k]);
      }
    } else if (expect_end) {
      Ld.template evaluate<false>(v, jet);
    } else {
      jet.minus = Ld.minus(v);
    }
  }

  // Whether one more correction leaves nothing above rounding.
  bool is_last(double residual, double gain) const {
    return residual <= nearly && residual * gain <= rounding;
  }

  // Each equation against the terms that it adds up: coordinates may have different units, or be far apart in
  // size.
  double relative(const Vector<S, N>& residual) const {
    double worst = 0;
    for (int i = 0; i < residual.size(); ++i) {
      const double off = magnitude(residual[i]);
      if (off <= nothing) continue;
      const double part = off / scale[i];
      if (part > worst || std::isnan(part)) worst = part;  // NaN wins
    }
    return worst;
  }

  // With the last correction, which q1 takes whole and what else follows from v to first order. p1 = p0 +
  // h Σ b_i (Lq + f) keeps the momentum of a coordinate that L does not contain to the last bit.
  StepResult<S, N> end(const Vector<S, N>& residual, int iterations) const {
    StepResult<S, N> r;
    r.outcome = {Status::ok, size, iterations};
    r.z = {Ld.end(v), z.p + (jet.minus + jet.plus)};
    r.action = jet.action, r.energy = jet.energy, r.work = jet.work, r.moved = v * Ld.h;
    if (!matrix) return r;
    const Vector<S, N> change = -matrix->solve(residual);
    r.z.q = Ld.end(v + change), r.moved = (v + change) * Ld.h;
    for (int i = 0; i < change.size(); ++i) {
      for (int k = 0; k < change.size(); ++k) r.z.p[i] = r.z.p[i] + change[k] * jet.d_kick(i, k);
      r.action = r.action + Ld.h * jet.plus[i] * change[i];
      r.energy = r.energy + change[i] * jet.d_energy[i];
    }
    return r;
  }

  StepResult<S, N> failed(const Outcome& outcome) const { return {.z = z, .outcome = outcome}; }

  const DiscreteLagrangian<Sys, S>& Ld;
  const State<S, N>& z;
  Vector<S, N> v;
  DiscreteJet<S, N> jet;
  std::optional<LU<N>> matrix;
  double size = HUGE_VAL;
  Vector<double, N> scale = Vector<double, N>(z.p.size());
  bool refresh = true, expect_end = false;
};

}  // namespace detail

template <SystemStruct Sys, class S>
StepResult<S, Sys::dim> variational_step(const Sys& system, const Rule& rule, const S& t, const S& h,
                                         const State<S, Sys::dim>& z) {
  static_assert(!HasJoints<Sys>, "steps along joints are those of HeldFlow");
  if constexpr (ConstantMass<Sys> || OwnDerivatives<Sys>)
    if (rule.ends_only() && has_constant_mass(system) && !is_forced(system))
      return detail::explicit_step(system, rule, t, h, z);

  const DiscreteLagrangian<Sys, S> Ld(system, rule, t, h, z.q);
  const auto v = detail::predict_velocity(system, Ld, z);
  if (!v.ok) return {.z = z, .outcome = {.status = Status::singular}};

  return detail::NewtonStep<Sys, S>(Ld, z, v.x).take();
}

}  // namespace carom
