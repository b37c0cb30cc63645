// One step of the variational flow of a rule for a system with joints f(q) = 0, F the columns of their
// gradients: the constrained discrete Euler-Lagrange equations in position-momentum form (Marsden & West
// 2001, 3.5.2). Given (q0, p0) with f(q0) = 0, solve
//
//   p0 + D1 L_d(q0, q1, h) + f- + F(q0) nu = 0,   f(q1) = 0   for v = (q1 - q0)/h and nu, then
//   p1 = D2 L_d(q0, q1, h) + f+ + F(q1) mu                    with mu such that F(q1)'v(q1, p1) = 0.
//
// For svc with a constant mass this is RATTLE. Tested by the law suite in tests/laws/joint_laws_test.cpp.
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "carom/joints.hpp"
#include "carom/step_result.hpp"

namespace carom {
namespace detail {

// Newton's matrix for (v, nu), with A = ∂minus/∂v and the gradients F0, F1 at both ends:
//
//   A dv + F0 dnu = -R,   F1'dv = -f/h,   so that   (F1'A^-1F0) dnu = f/h - F1'A^-1 R.
//
// Joints that depend on others at q0 are left out.
template <HasJoints Sys>
class BorderedMatrix {
  static constexpr int N = Sys::dim, K = most_joints<Sys>();
  using Columns = Eigen::Matrix<double, N, K>;

 public:
  BorderedMatrix(const Matrix<double, N>& A, const Columns& F0, const Columns& F1, double step,
                 const JointMetric<Sys>& at_q0)
      : lu(A), AinvF0(F0), F1t(F1.transpose()), used(F0.cols()), h(step), small(complement(at_q0, F0)) {}

  bool ok() const { return lu.ok() && small.ok(); }

  template <class S>
  struct Change {
    Vector<S, N> v;
    Vector<S, K> nu;
  };
  template <class S>
  Change<S> solve(const Vector<S, N>& R, const Vector<S, K>& f) const {
    const Vector<S, N> free = lu.solve(R);
    Vector<S, K> b = f * S(1 / h) - F1t * free;
    for (int i = 0; i < b.size(); ++i)
      if (!used[i]) b[i] = S(0.0);
    const Vector<S, K> nu = small.solve(b);
    return {-free - AinvF0 * nu, nu};
  }

 private:
  LU<K> complement(const JointMetric<Sys>& at_q0, const Columns& F0) {
    const int k = static_cast<int>(F0.cols());
    Matrix<double, K> C = Matrix<double, K>::Identity(k, k);
    if (!lu.ok()) return LU<K>(C);
    for (int j = 0; j < k; ++j) {
      used[j] = at_q0.uses(j);
      AinvF0.col(j) = lu.solve(Vector<double, N>(F0.col(j)));
    }
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j)
        if (used[i] && used[j]) C(i, j) = F1t.row(i) * AinvF0.col(j);
    return LU<K>(C);
  }

  LU<N> lu;
  Columns AinvF0;
  Eigen::Matrix<double, K, N> F1t;
  Vector<bool, K> used;
  double h;
  LU<K> small;
};

template <HasJoints Sys, class S>
class ConstrainedStep {
  static constexpr int N = Sys::dim, K = most_joints<Sys>();

 public:
  ConstrainedStep(const Sys& sys, const Rule& rule, const S& t, const S& h, const State<S, N>& start)
      : system(sys), Ld(sys, rule, t, h, start.q), z(start), at_q0(sys, start.q) {}

  StepResult<S, N> take() {
    const double h = base_value(Ld.h);
    if (h == 0) return stay();
    const auto guess = predict_velocity(system, Ld, z);
    if (!guess.ok) return failed(Status::singular, 0, 0);
    return solve(guess.x,
                 JointMetric<Sys>(system, base_values(z.q), base_values(guess.x), base_values(at_q0.F)));
  }

 private:
  // Newton's method; the matrix is kept while it gains two digits a time.
  StepResult<S, N> solve(Vector<S, N> v, const JointMetric<Sys>& metric) {
    constexpr int most_iterations = 40;
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon(), good_enough = 1e-11;
    Vector<S, K> nu = Vector<S, K>::Constant(at_q0.f.size(), S(0.0));
    std::optional<BorderedMatrix<Sys>> matrix;
    double size = HUGE_VAL, scale = largest(z.p);
    bool refresh = true;
    for (int i = 0; i < most_iterations; ++i) {
      const auto jet = refresh ? Ld.template jet<true>(v) : Ld.template jet<false>(v);
      const JointsAt<Sys, S> at_q1(system, Ld.end(v));
      const Vector<S, N> impulse = at_q0.F * nu, residual = z.p + jet.minus + impulse;
      scale = std::fmax(std::fmax(refresh ? jet.scale : scale, largest(z.p)), largest(impulse));
      const double of_momenta = scale > 0 ? largest(residual) / scale : largest(residual);
      const double previous = std::exchange(size, std::fmax(of_momenta, at_q1.off()));
      if (!std::isfinite(of_momenta + at_q1.off())) return failed(Status::not_finite, size, i);
      const bool stands_still = size > 0.25 * previous && of_momenta <= good_enough && at_q1.closed();
      if (refresh)
        matrix.emplace(jet.d_minus, base_values(at_q0.F), base_values(at_q1.F), base_value(Ld.h), metric);
      if (!matrix->ok()) return failed(Status::singular, size, i);
      const auto change = matrix->solve(residual, at_q1.f);
      if (i > derivative_order<S>() && (size <= rounding || stands_still)) {
        // The last correction still improves q1 and nu. p1 = p0 + F0 nu + h Σ b_i (Lq + f) keeps the momentum
        // of a coordinate that neither L nor the joints contain to the last bit.
        const Vector<S, N> p = z.p + (jet.minus + jet.plus) + at_q0.F * Vector<S, K>(nu + change.nu);
        return finish(Ld.end(v + change.v), p, v, jet, {Status::ok, size, i});
      }
      v = v + change.v, nu = nu + change.nu;
      refresh = size / previous > 1e-2;
    }
    return failed(Status::no_convergence, size, most_iterations);
  }

  // q1 onto the joints and p1 onto their tangents, to the last bits.
  StepResult<S, N> finish(Vector<S, N> q, const Vector<S, N>& p, const Vector<S, N>& v,
                          const DiscreteJet<S, N>& jet, const Outcome& outcome) const {
    const JointsAt<Sys, S> at(system, q);
    if (!at.closed()) return failed(Status::no_convergence, at.off(), outcome.iterations);  // one left out
    const JointMetric<Sys> metric(system, base_values(q), base_values(v), base_values(at.F));
    q = q - metric.displacement(at.f);
    const auto tangent = tangent_momentum(system, q, at, metric, p);
    if (!tangent.ok) return failed(Status::singular, outcome.residual, outcome.iterations);
    StepResult<S, N> r{{q, tangent.x}};
    r.action = jet.action, r.energy = jet.energy, r.work = jet.work, r.outcome = outcome;
    if (!std::isfinite(largest(r.z.q) + largest(r.z.p)))
      return failed(Status::not_finite, outcome.residual, outcome.iterations);
    return r;
  }

  // No step: only its derivative in h, which a scalar may carry, says where it would go.
  StepResult<S, N> stay() const {
    const auto v = velocity(system, z.q, z.p);
    if (!v.ok) return failed(Status::singular, 0, 0);
    const auto jet = Ld.template jet<false>(v.x);
    return finish(z.q + v.x * Ld.h, z.p + (jet.minus + jet.plus), v.x, jet, {});
  }

  StepResult<S, N> failed(Status status, double residual, int iterations) const {
    return {.z = z, .outcome = {status, residual, iterations}};
  }

  const Sys& system;
  DiscreteLagrangian<Sys, S> Ld;
  State<S, N> z;
  JointsAt<Sys, S> at_q0;
};

template <HasJoints Sys, class S>
StepResult<S, Sys::dim> constrained_step(const Sys& system, const Rule& rule, const S& t, const S& h,
                                         const State<S, Sys::dim>& z) {
  return ConstrainedStep<Sys, S>(system, rule, t, h, z).take();
}

}  // namespace detail
}  // namespace carom
