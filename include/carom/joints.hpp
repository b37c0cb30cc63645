// Joints f(q) = 0 at one configuration: their gradients, the columns of F, and the projections that they mean
// in the metric of M = ∂²L/∂v²:
//
//   onto the joints        q - M^-1 F (F'M^-1F)^+ f(q), again until f = 0
//   onto their tangents    p + F mu with F'v(q, p) = 0; where L is quadratic mu = -(F'M^-1F)^+ F'M^-1 p
//   of a contact gradient  g - F (F'M^-1F)^+ F'M^-1 g (003, (7.7), with its ^+)
//
// A joint whose gradient depends on those of the joints before it gets no multiplier. Matrices are those of
// base values; derivatives that a scalar carries come right by iterating, one order a time.
// Tested in tests/laws/joint_laws_test.cpp.
#pragma once

#include <limits>

#include "carom/mechanics.hpp"

namespace carom {

// How many joints a system's type has room for; Eigen::Dynamic where it does not say.
template <HasJoints Sys>
constexpr int most_joints() {
  using Joints = decltype(std::declval<const Sys&>().joints(std::declval<const Coordinates<Sys>&>()));
  return Joints::MaxSizeAtCompileTime;
}

namespace detail {

// Doubles only: a vector or matrix without the derivatives that its entries carry.
template <class Derived>
auto base_values(const Eigen::MatrixBase<Derived>& x) {
  return x.unaryExpr([](const typename Derived::Scalar& a) -> double { return base_value(a); }).eval();
}

}  // namespace detail

// f and F at q. There is room for most_joints(): those that a system does not have are zero.
template <HasJoints Sys, class S>
struct JointsAt {
  static constexpr int N = Sys::dim, K = most_joints<Sys>();

  JointsAt(const Sys& system, const Vector<S, N>& q) {
    const auto joints = [&system](const auto& x) { return system.joints(x); };
    const auto values = joints(q);
    const auto slopes = jacobian(joints, q);
    const int n = static_cast<int>(q.size()), count = static_cast<int>(values.size()),
              room = K == Eigen::Dynamic ? count : K;
    f.resize(room), F.resize(n, room), size.resize(room);
    for (int i = 0; i < room; ++i) {
      f[i] = i < count ? values[i] : S(0.0);
      size[i] = 0;
      for (int j = 0; j < n; ++j) {
        F(j, i) = i < count ? slopes(i, j) : S(0.0);
        size[i] += std::abs(base_value(F(j, i))) * magnitude(q[j]);
      }
    }
  }

  // The largest |f_i| relative to its terms, between 0 and 1; NaN wins.
  double off() const {
    double worst = 0;
    for (int i = 0; i < f.size(); ++i) {
      const double here = magnitude(f[i]), relative = here == 0 ? 0 : here / (here + size[i]);
      if (!(relative <= worst)) worst = relative;
    }
    return worst;
  }
  // Closed, as far as a solve that stands still can tell.
  bool closed() const {
    for (int i = 0; i < f.size(); ++i)
      if (!(magnitude(f[i]) <= 1e-11 * std::fmax(1, size[i]))) return false;
    return true;
  }

  Vector<S, K> f;
  Eigen::Matrix<S, N, K> F;
  Vector<double, K> size;  // Σ_j |F_ji q_j|: what rounding errors of f_i are relative to
};

// The metric of M(q, v) on the joints' gradients.
template <HasJoints Sys>
class JointMetric {
  static constexpr int N = Sys::dim, K = most_joints<Sys>();
  using Columns = Eigen::Matrix<double, N, K>;

 public:
  JointMetric(const Sys& system, const Vector<double, N>& q, const Vector<double, N>& v,
              const Columns& gradients)
      : F(gradients), MinvF(gradients), gram(factored(detail::fibre(system, q, v).Lvv)) {}

  bool ok() const { return positive; }                     // M was positive definite
  bool uses(int joint) const { return gram.uses(joint); }  // false: it depends on the joints before it

  // (F'M^-1F)^+ b, and M^-1 F of it.
  template <class S>
  Vector<S, K> multipliers(const Vector<S, K>& b) const {
    return gram.solve(b);
  }
  template <class S>
  Vector<S, N> displacement(const Vector<S, K>& b) const {
    return MinvF * gram.solve(b);
  }
  Vector<double, N> projected(const Vector<double, N>& gradient) const {
    return gradient - F * gram.solve(Vector<double, K>(MinvF.transpose() * gradient));
  }

 private:
  SemidefiniteSolve<K> factored(Matrix<double, N> M) {
    positive = detail::factor_ldlt(M);
    for (int i = 0; i < F.cols(); ++i) MinvF.col(i) = detail::solve_ldlt(M, Vector<double, N>(F.col(i)));
    return SemidefiniteSolve<K>(F.transpose() * MinvF);
  }

  bool positive = true;
  Columns F, MinvF;
  SemidefiniteSolve<K> gram;
};

namespace detail {

// The largest rate of a joint relative to its gradient and the velocity.
template <class S, int N, int K>
double relative_rate(const Vector<S, K>& rate, const Eigen::Matrix<S, N, K>& F, const Vector<S, N>& v) {
  double fastest = 0, worst = 0;
  for (int j = 0; j < v.size(); ++j) fastest = std::fmax(fastest, magnitude(v[j]));
  for (int i = 0; i < rate.size(); ++i) {
    double slope = 0;
    for (int j = 0; j < v.size(); ++j) slope += magnitude(F(j, i));
    if (slope * fastest > 0) worst = std::fmax(worst, magnitude(rate[i]) / (slope * fastest));
  }
  return worst;
}

}  // namespace detail

// p + F mu with F'v = 0, so that the joints stay closed. Where L is quadratic the second pass removes the
// rounding errors of the first; elsewhere the metric follows v.
template <HasJoints Sys, class S>
Solved<S, Sys::dim> tangent_momentum(const Sys& system, const Vector<S, Sys::dim>& q,
                                     const JointsAt<Sys, S>& at, JointMetric<Sys> metric,
                                     Vector<S, Sys::dim> p) {
  constexpr int K = most_joints<Sys>(), most_iterations = 50;
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  double size = HUGE_VAL;
  for (int k = 0; k < most_iterations; ++k) {
    const auto v = velocity(system, q, p);
    if (!v.ok || !metric.ok()) return {p, false};
    if (!is_quadratic(system) && k > 0)
      metric = {system, detail::base_values(q), detail::base_values(v.x), detail::base_values(at.F)};
    const Vector<S, K> rate = at.F.transpose() * v.x;
    const double previous = std::exchange(size, detail::relative_rate(rate, at.F, v.x));
    if (k > derivative_order<S>() && (size <= rounding || (size > 0.25 * previous && size <= 1e-11)))
      return {p, true};
    p = p - at.F * metric.multipliers(rate);
  }
  return {p, false};
}

// q on the joints, near the given one: Newton's method, with the metric of v.
template <HasJoints Sys>
Solved<double, Sys::dim> on_joints(const Sys& system, Vector<double, Sys::dim> q,
                                   const Vector<double, Sys::dim>& v) {
  constexpr int most_iterations = 100;
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  double size = HUGE_VAL;
  for (int k = 0; k < most_iterations; ++k) {
    const JointsAt<Sys, double> at(system, q);
    const JointMetric<Sys> metric(system, q, v, at.F);
    const double previous = std::exchange(size, at.off());
    if (!std::isfinite(size) || !metric.ok()) break;
    if (size <= rounding || (size > 0.25 * previous && at.closed())) return {q, true};
    q -= metric.displacement(at.f);
  }
  return {q, false};
}

}  // namespace carom
