#include "carom/dae/friction_reach.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace carom {

// By multipliers of one: which directions it acts on depends on none.
const Values& FrictionReach::friction(const Values& y, const Values& z) {
  dae.reaction(y, z, psi, 1, with), dae.reaction(y, z, psi, 0, without);
  F = (with.r - without.r).unaryExpr([](double x) { return std::isfinite(x) ? x : 0; });
  return F;
}

void FrictionReach::look(double t, const Values& y, const std::vector<int>& held, double h) {
  everywhere = true, drives = false;
  if (held.empty()) return;
  psi = Values::Zero(dae.sizes().g);
  for (const int i : held) psi[i] = 1;
  const Values rest = Values::Zero(dae.sizes().z);
  dae.motion(t, y, rest, motion), dae.constraint(y, rest, constraint);
  Dense rates(held.size(), rest.size());
  for (std::size_t k = 0; k < held.size(); ++k)
    rates.row(static_cast<Eigen::Index>(k)) = constraint.c_z.row(held[k]).normalized();
  const Eigen::FullPivLU<Dense> parts(rates);
  if (parts.dimensionOfKernel() == 0) return;
  // Directions that are orthonormal in the metric of the mass, and their speed.
  Dense basis = parts.kernel();
  const Eigen::LLT<Dense> metric(basis.transpose() * motion.p_z * basis);
  if (metric.info() != Eigen::Success) return;
  basis = metric.matrixU().solve<Eigen::OnTheRight>(basis);
  const Values pull = motion.p_z.partialPivLu().solve(motion.f);
  const double size = std::sqrt(std::fmax(0, pull.dot(motion.f))), speed = 1e-8 * h * (size > 0 ? size : 1);
  const auto count = basis.cols(), samples = 2 * count + 2;
  Dense acts(count, samples);
  for (Eigen::Index j = 0; j < samples; ++j) {
    Values along(count);
    for (Eigen::Index i = 0; i < count; ++i)
      along[i] = std::cos(1.0 + 2.399963229728653 * static_cast<double>(i + 1) * static_cast<double>(j + 1) +
                          0.7 * static_cast<double>(j * j));
    along.normalize();
    for (const double sign : {-1.0, 1.0}) {
      acts.col(j) = basis.transpose() * friction(y, sign * speed * (basis * along));
      drives = drives || sign * acts.col(j).dot(along) > 1e-9 * acts.col(j).norm();
    }
  }
  if (acts.isZero(0)) return;  // there is none, and nothing for it to decide
  const Eigen::JacobiSVD<Dense> values(acts);
  everywhere = values.singularValues()[count - 1] > 1e-9 * values.singularValues()[0];
}

bool FrictionReach::turns(const Values& y, const Values& z, const Values& y_after, const Values& z_after,
                          const std::vector<int>& held) {
  psi = Values::Zero(dae.sizes().g);
  for (const int i : held) psi[i] = 1;
  dae.motion(0, y, z, motion);
  const Values before = motion.p_z.partialPivLu().solve(friction(y, z));
  return before.dot(friction(y_after, z_after)) < 0;
}

}  // namespace carom
