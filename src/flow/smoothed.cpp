// Where the active set of a discrete-smooth step cycles: the complementarity 0 <= λ ⟂ g >= 0 as one smooth
// equation per contact (Fischer and Burmeister), φ(a, b) = a + b - sqrt(a² + b²) = 0, solved by Newton's
// method with a line search. Tested in tests/laws/gvi_laws_test.cpp.
#include "carom/flow/smooth_step.hpp"

namespace carom {

Outcome SmoothStep::solve_smoothed(const Rule& rule, double t, double h, const Values& q, const Values& p,
                                   int iterations) {
  constexpr int most = 200;
  const double sign = h < 0 ? -1 : 1;
  Values phi(count), slope_a(count), slope_b(count);
  if (!system.velocity(t, q, p, v)) return {Status::singular};
  lambda.setZero();
  std::fill(pressing.begin(), pressing.end(), 0);
  // Lengths become impulses by what stops a unit of length within a step.
  const double stiffness = std::fmax(p.lpNorm<Eigen::Infinity>(), 1e-300) /
                           std::fmax(std::abs(h) * v.lpNorm<Eigen::Infinity>(), 1e-300);
  const auto merit = [&] {
    look(rule, t, h, q, p);
    for (int k = 0; k < count; ++k) {
      const double a = sign * lambda[joints + k], b = stiffness * value[joints + k], r = std::hypot(a, b);
      phi[k] = a + b - r;
      slope_a[k] = r > 0 ? 1 - a / r : 1, slope_b[k] = r > 0 ? 1 - b / r : 1;
    }
    return residual.squaredNorm() + phi.squaredNorm() +
           stiffness * stiffness * value.head(joints).squaredNorm();
  };
  double now = merit();
  for (int i = 0; i < most; ++i) {
    const double scale = std::fmax(p.lpNorm<Eigen::Infinity>(), Ld.terms.lpNorm<Eigen::Infinity>());
    // Gaps are known to the rounding errors of q.
    if (std::sqrt(now) <= 1e-13 * scale + 16 * rounding * stiffness * sizes.maxCoeff()) {
      for (int k = 0; k < count; ++k) pressing[k] = sign * lambda[joints + k] > stiffness * value[joints + k];
      return {Status::ok, std::sqrt(now) / scale, iterations + i};
    }
    matrix.set_zero();
    Ld.add_matrix(rule, t, h, q, v, matrix);
    change = residual, change_of_lambda.resize(joints + count);
    SparseRows scaled;
    for (int k = 0; k < joints + count; ++k) {
      matrix.add_column(k, gradients[k]);
      change_of_lambda[k] = k < joints ? -value[k] / h : -phi[k - joints];
      if (k < joints) matrix.add_row(k, end_gradients[k]);
      if (k < joints) continue;
      scaled.clear();
      const auto row = end_gradients[k];
      for (std::size_t j = 0; j < row.at.size(); ++j)
        scaled.push(row.at[j], row.slopes[j] * slope_b[k - joints] * stiffness * h);
      scaled.end_row();
      matrix.add_row(k, scaled[0]);
      matrix.release(k, slope_a[k - joints] * sign);
    }
    if (!matrix.factor()) return {Status::singular, std::sqrt(now), iterations + i};
    matrix.solve(change, change_of_lambda);
    const Values v0 = v, lambda0 = lambda;
    double step = 1, best = now;
    for (; step > 1e-10; step *= 0.5) {
      v = v0 + step * change, lambda = lambda0 + step * change_of_lambda;
      best = merit();
      if (best < (1 - 1e-4 * step) * now) break;
    }
    if (!(best < now)) return {Status::no_convergence, std::sqrt(now), iterations + i};
    now = best;
  }
  return {Status::no_convergence, std::sqrt(now), iterations + most};
}

}  // namespace carom
