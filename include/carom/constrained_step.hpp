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

// The solution of a step's equations in doubles, and L_d there.
template <HasJoints Sys>
struct JoinedSolution {
  Vector<double, Sys::dim> v;
  Vector<double, most_joints<Sys>()> nu;
  DiscreteJet<double, Sys::dim> jet;
  Outcome outcome;
};

// Newton's method for v and nu from a guess of v; the matrix is kept while it gains two digits a time. Once
// f(q1) has been corrected at rounding level it is taken for zero: over a short step f/h would shake v.
template <HasJoints Sys>
JoinedSolution<Sys> solve_joined(const DiscreteLagrangian<Sys, double>& Ld, const Vector<double, Sys::dim>& p,
                                 const JointsAt<Sys, double>& at_q0, const Vector<double, Sys::dim>& guess) {
  constexpr int N = Sys::dim, K = most_joints<Sys>(), most_iterations = 40;
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon(), good_enough = 1e-11;
  const JointMetric<Sys> metric(Ld.system, Ld.q0, guess, at_q0.F);
  std::optional<BorderedMatrix<Sys>> matrix;
  JoinedSolution<Sys> r{
      guess, Vector<double, K>::Zero(at_q0.f.size()), DiscreteJet<double, N>(static_cast<int>(p.size())), {}};
  double size = HUGE_VAL, scale = largest(p);
  bool refresh = true, joined = false;
  for (int i = 0; i < most_iterations; ++i) {
    r.jet = refresh ? Ld.template jet<true>(r.v) : Ld.template jet<false>(r.v);
    const JointsAt<Sys, double> at_q1(Ld.system, Ld.end(r.v));
    const Vector<double, N> impulse = at_q0.F * r.nu, residual = p + r.jet.minus + impulse;
    if (refresh) scale = std::fmax(std::fmax(largest(p), r.jet.scale), largest(impulse));
    const double of_momenta = scale > 0 ? largest(residual) / scale : largest(residual), off = at_q1.off();
    const double previous = std::exchange(size, std::fmax(of_momenta, off));
    if (!std::isfinite(of_momenta + off)) return r.outcome = {Status::not_finite, size, i}, r;
    if (refresh) matrix.emplace(r.jet.d_minus, at_q0.F, at_q1.F, Ld.h, metric);
    if (!matrix->ok()) return r.outcome = {Status::singular, size, i}, r;
    const bool still = size > 0.25 * previous;
    const auto change = matrix->solve(residual, Vector<double, K>(at_q1.f * (joined ? 0.0 : 1.0)));
    joined = off <= rounding;
    r.v += change.v, r.nu += change.nu;  // the last correction, too, improves q1
    if (size <= rounding || (still && of_momenta <= good_enough && at_q1.closed()))
      return r.outcome = {Status::ok, size, i}, r;
    refresh = size / previous > 1e-2;
  }
  return r.outcome = {Status::no_convergence, size, most_iterations}, r;
}

template <HasJoints Sys, class S>
class ConstrainedStep {
  static constexpr int N = Sys::dim, K = most_joints<Sys>();

 public:
  ConstrainedStep(const Sys& sys, const Rule& rule, const S& t, const S& h, const State<S, N>& start)
      : system(sys), Ld(sys, rule, t, h, start.q), z(start), at_q0(sys, start.q) {}

  StepResult<S, N> take() const {
    if (base_value(Ld.h) == 0) return stay();
    if constexpr (derivative_order<S>() == 0) {
      const auto base = solve(Ld, z, at_q0);
      if (!base.outcome.ok()) return {.z = z, .outcome = base.outcome};
      return finish(base.v, base.nu, base.jet, base.outcome);
    } else {
      const State<double, N> base_z{base_values(z.q), base_values(z.p)};
      const auto base = solve({system, Ld.rule, base_value(Ld.t), base_value(Ld.h), base_z.q}, base_z,
                              JointsAt<Sys, double>(system, base_z.q));
      if (!base.outcome.ok()) return {.z = z, .outcome = base.outcome};
      return with_derivatives(base);
    }
  }

 private:
  static JoinedSolution<Sys> solve(const DiscreteLagrangian<Sys, double>& Ld, const State<double, N>& z,
                                   const JointsAt<Sys, double>& at_q0) {
    const auto guess = predict_velocity(Ld.system, Ld, z);
    if (guess.ok) return solve_joined(Ld, z.p, at_q0, guess.x);
    return {guess.x, {}, DiscreteJet<double, N>(static_cast<int>(z.p.size())), {Status::singular, 0, 0}};
  }

  // From the solution in doubles, which stays: each pass makes one more order of derivatives exact.
  StepResult<S, N> with_derivatives(const JoinedSolution<Sys>& base) const {
    Vector<S, N> v = base.v.template cast<S>();
    Vector<S, K> nu = base.nu.template cast<S>();
    auto jet = Ld.template jet<true>(v);
    const JointMetric<Sys> metric(system, base_values(z.q), base.v, base_values(at_q0.F));
    const BorderedMatrix<Sys> matrix(jet.d_minus, base_values(at_q0.F),
                                     base_values(JointsAt<Sys, S>(system, Ld.end(v)).F), base_value(Ld.h),
                                     metric);
    if (!matrix.ok()) return {.z = z, .outcome = {.status = Status::singular}};
    const auto add = [](auto& x, const auto& change) {
      for (int i = 0; i < x.size(); ++i) x[i] = x[i] + (change[i] - S(base_value(change[i])));
    };
    for (int k = 0; k < derivative_order<S>(); ++k) {
      const Vector<S, N> residual = z.p + jet.minus + at_q0.F * nu;
      const auto change = matrix.solve(residual, JointsAt<Sys, S>(system, Ld.end(v)).f);
      add(v, change.v), add(nu, change.nu);
      jet = Ld.template jet<false>(v);
    }
    return finish(v, nu, jet, base.outcome);
  }

  // p1 = p0 + F0 nu + h Σ b_i (Lq + f) keeps the momentum of a coordinate that neither L nor the joints
  // contain to the last bit.
  StepResult<S, N> finish(const Vector<S, N>& v, const Vector<S, K>& nu, const DiscreteJet<S, N>& jet,
                          const Outcome& outcome) const {
    return finish(Ld.end(v), Vector<S, N>(z.p + (jet.minus + jet.plus) + at_q0.F * nu), v, jet, outcome);
  }

  // q1 onto the joints and p1 onto their tangents, to the last bits.
  StepResult<S, N> finish(Vector<S, N> q, const Vector<S, N>& p, const Vector<S, N>& v,
                          const DiscreteJet<S, N>& jet, const Outcome& outcome) const {
    StepResult<S, N> failed{.z = z, .outcome = outcome};
    const JointsAt<Sys, S> at(system, q);
    if (!at.closed())  // one that was left out
      return failed.outcome.status = Status::no_convergence, failed.outcome.residual = at.off(), failed;
    const JointMetric<Sys> metric(system, base_values(q), base_values(v), base_values(at.F));
    q = q - metric.displacement(at.f);
    const auto tangent = tangent_momentum(system, q, at, metric, p);
    if (!tangent.ok) return failed.outcome.status = Status::singular, failed;
    if (!std::isfinite(largest(q) + largest(tangent.x)))
      return failed.outcome.status = Status::not_finite, failed;
    return {{q, tangent.x}, jet.action, jet.energy, jet.work, outcome};
  }

  // No step: only its derivative in h, which a scalar may carry, says where it would go.
  StepResult<S, N> stay() const {
    const auto v = velocity(system, z.q, z.p);
    if (!v.ok) return {.z = z, .outcome = {.status = Status::singular}};
    const auto jet = Ld.template jet<false>(v.x);
    return finish(Ld.end(v.x), Vector<S, N>(z.p + (jet.minus + jet.plus)), v.x, jet, {});
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
