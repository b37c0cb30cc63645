#include "carom/dae/consistent.hpp"

#include <Eigen/SVD>
#include <algorithm>

namespace carom {

double rate_scale(const Dae& dae, const DaeConstraint& constraint, const DaeMotion& motion, int i) {
  CoordinateUnits units;
  units.measure(motion);
  return units.size_along(constraint.g_y.row(i), motion.v, dae.units());
}

double gap_scale(const Dae& dae, const DaeConstraint& constraint, const DaeMotion& motion, const Values& y,
                 double h, int i) {
  CoordinateUnits units;
  units.measure(motion);
  return units.size_along(constraint.g_y.row(i), y, dae.units()) +
         h * units.size_along(constraint.g_y.row(i), motion.v, dae.units());
}

ConsistentValues::ConsistentValues(const Dae& d) : dae(d), size(d.sizes()), psi(Values::Zero(size.g)) {}

Outcome ConsistentValues::operator()(double t, const Values& y, const Values& z, std::span<const int> held,
                                     double friction) {
  dae.motion(t, y, z, motion), dae.constraint(y, z, constraint);
  if (held.empty()) friction = 0;
  compute_mass();
  bool known = false;
  for (int i = 0; i < size.g; ++i) {
    if (std::find(held.begin(), held.end(), i) == held.end()) psi[i] = 0;
    known = known || psi[i] != 0;
  }
  if (!known && friction != 0 && dae.has_friction())
    if (const Outcome out = solve(y, z, held, 0); !out.ok()) return out;
  return solve(y, z, held, friction);
}

void ConsistentValues::compute_mass() {
  coordinates.measure(motion);
  const auto S = coordinates.each().asDiagonal();
  mass.compute(S * motion.p_z * S);
}

// Constraints have units of their own: rows and columns by √(W_kk / W_00), as powers of two.
bool ConsistentValues::factor() {
  sides.setOnes(slope.rows());
  for (int k = 1; k < slope.rows(); ++k) sides[k] = unit_of_mass(slope(0, 0), slope(k, k));
  const auto S = sides.asDiagonal();
  matrix.compute(S * slope * S);
  const auto pivots = matrix.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > 1e-14 * pivots.maxCoeff();
}

double ConsistentValues::condition() const {
  if (slope.size() == 0) return 1;
  const Values s = slope.jacobiSvd().singularValues();
  return s[0] > 0 ? s[s.size() - 1] / s[0] : 0;
}

double ConsistentValues::rounding(std::size_t k) const {
  const int i = static_cast<int>(k);
  return 1e-12 * sizes[i] / std::abs(slope(i, i));
}

Values ConsistentValues::shift(std::span<const int> held) const {
  const Dense all_moves = motion.v_z * by_mass(reaction.r_psi);
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
    residual(y, z, held, friction);
    if (!miss.allFinite() || !slope.allFinite()) return out.status = Status::not_finite, out;
    out.residual = 0;
    for (int k = 0; k < miss.size(); ++k)
      if (std::abs(miss[k]) > 1e-150) out.residual = std::fmax(out.residual, std::abs(miss[k]) / sizes[k]);
    if (out.residual <= 4e-16 || (out.residual >= 0.5 * last && out.residual <= 1e-11)) return out;
    last = out.residual;
    if (!factor()) return out.status = Status::singular, out;
    miss.array() *= sides.array();
    change = matrix.solve(miss);
    change.array() *= sides.array();
    for (std::size_t k = 0; k < held.size(); ++k) psi[held[k]] -= change[static_cast<int>(k)];
  }
  return out.status = Status::no_convergence, out;
}

// The hidden constraint's residual and slope in psi, and what rounding errors are relative to.
void ConsistentValues::residual(const Values& y, const Values& z, std::span<const int> held,
                                double friction) {
  dae.reaction(y, z, psi, friction, reaction);
  force = motion.f + reaction.r;
  force.noalias() -= motion.p_y * motion.v;
  z_rate = by_mass(force), ways = by_mass(reaction.r_psi);
  driven = by_mass(motion.f), held_back = by_mass(reaction.r);
  all.noalias() = constraint.c_y * motion.v;
  all.noalias() += constraint.c_z * z_rate;
  slopes.noalias() = constraint.c_z * ways;
  const int n = static_cast<int>(held.size());
  miss.resize(n), slope.resize(n, n), sizes.resize(n);
  for (int i = 0; i < n; ++i) {
    miss[i] = all[held[i]];
    sizes[i] = coordinates.size_along(constraint.c_y.row(held[i]), motion.v, dae.units()) +
               coordinates.size_along(constraint.c_z.row(held[i]), driven, dae.units()) +
               coordinates.size_along(constraint.c_z.row(held[i]), held_back, dae.units());
    for (int k = 0; k < n; ++k) slope(i, k) = slopes(held[i], held[k]);
  }
}

}  // namespace carom
