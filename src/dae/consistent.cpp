#include "carom/dae/consistent.hpp"

#include <Eigen/SVD>
#include <algorithm>

namespace carom {

double rate_scale(const DaeConstraint& constraint, const DaeMotion& motion, int i) {
  return constraint.g_y.row(i).cwiseAbs().sum() * motion.v.lpNorm<Eigen::Infinity>();
}

double gap_scale(const DaeConstraint& constraint, const DaeMotion& motion, const Values& y, double h, int i) {
  return constraint.g_y.row(i).cwiseAbs().sum() * (y.lpNorm<Eigen::Infinity>() + h * motion.v.lpNorm<Eigen::Infinity>());
}

ConsistentValues::ConsistentValues(const Dae& d) : dae(d), size(d.sizes()), psi(Values::Zero(size.g)) {}

Outcome ConsistentValues::operator()(double t, const Values& y, const Values& z, std::span<const int> held,
                                     double friction) {
  dae.motion(t, y, z, motion), dae.constraint(y, z, constraint);
  if (held.empty()) friction = 0;
  mass.compute(motion.p_z);
  bool known = false;
  for (int i = 0; i < size.g; ++i) {
    if (std::find(held.begin(), held.end(), i) == held.end()) psi[i] = 0;
    known = known || psi[i] != 0;
  }
  if (!known && friction != 0 && dae.has_friction())
    if (const Outcome out = solve(y, z, held, 0); !out.ok()) return out;
  return solve(y, z, held, friction);
}

double ConsistentValues::condition() const {
  if (slope.size() == 0) return 1;
  const Values s = slope.jacobiSvd().singularValues();
  return s[0] > 0 ? s[s.size() - 1] / s[0] : 0;
}

double ConsistentValues::rounding(std::size_t k) const {
  const int i = static_cast<int>(k);
  return 1e-12 * size_of_rates / std::abs(slope(i, i));
}

Values ConsistentValues::shift(std::span<const int> held) const {
  const Dense all_moves = motion.v_z * mass.solve(reaction.r_psi);
  const int n = static_cast<int>(held.size());
  Dense moves(size.y, n), gradients(n, size.y);
  Values off(n);
  for (int k = 0; k < n; ++k) {
    moves.col(k) = all_moves.col(held[k]);
    gradients.row(k) = constraint.g_y.row(held[k]), off[k] = constraint.g[held[k]];
  }
  return moves * (gradients * moves).partialPivLu().solve(off);
}

Outcome ConsistentValues::solve(const Values& y, const Values& z, std::span<const int> held,
                                double friction) {
  Outcome out;
  for (double last = HUGE_VAL; out.iterations < most_iterations; ++out.iterations) {
    const double scale = size_of_rates = residual(y, z, held, friction);
    if (!miss.allFinite() || !slope.allFinite()) return out.status = Status::not_finite, out;
    out.residual = miss.size() > 0 ? miss.lpNorm<Eigen::Infinity>() : 0;
    if (out.residual <= 4e-16 * scale || out.residual <= 1e-150) return out;
    if (out.residual >= 0.5 * last && out.residual <= 1e-11 * scale) return out;
    last = out.residual;
    matrix.compute(slope);
    const auto pivots = matrix.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > 1e-14 * pivots.maxCoeff())) return out.status = Status::singular, out;
    change = matrix.solve(miss);
    for (std::size_t k = 0; k < held.size(); ++k) psi[held[k]] -= change[static_cast<int>(k)];
  }
  return out.status = Status::no_convergence, out;
}

// The hidden constraint's residual and slope in psi; returns what rounding errors are relative to.
double ConsistentValues::residual(const Values& y, const Values& z, std::span<const int> held,
                                  double friction) {
  dae.reaction(y, z, psi, friction, reaction);
  force = motion.f + reaction.r;
  force.noalias() -= motion.p_y * motion.v;
  z_rate = mass.solve(force), ways = mass.solve(reaction.r_psi);
  driven = mass.solve(motion.f), held_back = mass.solve(reaction.r);
  all.noalias() = constraint.c_y * motion.v;
  all.noalias() += constraint.c_z * z_rate;
  slopes.noalias() = constraint.c_z * ways;
  const int n = static_cast<int>(held.size());
  miss.resize(n), slope.resize(n, n);
  for (int i = 0; i < n; ++i) {
    miss[i] = all[held[i]];
    for (int k = 0; k < n; ++k) slope(i, k) = slopes(held[i], held[k]);
  }
  return constraint.c_y.cwiseAbs().sum() * motion.v.lpNorm<Eigen::Infinity>() +
         constraint.c_z.cwiseAbs().sum() *
             (driven.lpNorm<Eigen::Infinity>() + held_back.lpNorm<Eigen::Infinity>());
}

}  // namespace carom
