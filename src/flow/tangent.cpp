#include "carom/flow/tangent.hpp"

namespace carom {

Tangent::Tangent(const System& m) : system(m), v(m.size()), u(m.size()) { system.mass_couplings(pairs); }

bool Tangent::prepare(double at, const Values& q, const Values& p, const SparseRows& gradients) {
  C = &gradients, t = at;
  if (!system.velocity(t, q, p, v)) return false;
  matrix.arrange(system.size(), pairs, gradients);
  return factor(q);
}

bool Tangent::project(const Values& q, Values& p) {
  const bool linear = system.quadratic();
  double before = HUGE_VAL;
  work = 0;
  for (int pass = 0; pass < (linear ? 2 : 50); ++pass) {
    if (!system.velocity(t, q, p, v)) return false;
    if (!linear && pass > 0 && !factor(q)) return false;
    mu.resize(C->size());
    for (int k = 0; k < C->size(); ++k) mu[k] = -(*C)[k].rate(v);
    u.setZero();
    matrix.solve(u, mu);
    for (int k = 0; k < C->size(); ++k) {
      (*C)[k].add_to(p, mu[k]);
      work -= mu[k] * (*C)[k].drift;
    }
    const double now = u.lpNorm<Eigen::Infinity>();  // the change of velocity
    if (pass > 1 && !(now < 0.5 * before)) break;    // rounding
    before = now;
  }
  return p.allFinite();
}

bool Tangent::onto_joints(double at, Values& q, Values& p) {
  SparseRows F;
  Values off;
  for (int i = 0; i < 50; ++i) {
    F.clear(), system.joint_slopes(at, q, F);
    if (!prepare(at, q, p, F)) return false;
    system.joints(at, q, off);
    double most = 0;  // of the terms that a joint adds up
    for (int k = 0; k < off.size(); ++k) {
      if (!std::isfinite(off[k])) return false;
      if (off[k] != 0) most = std::fmax(most, std::abs(off[k]) / F[k].size_along(q));
    }
    if (most <= 4e-16 || (i > 5 && most <= 1e-14)) return project(q, p);
    mu = -off, u.setZero();
    matrix.solve(u, mu);
    q += u;
  }
  return false;
}

void Tangent::accelerate(Values& force, Values& bend) {
  bend = -bend;
  matrix.solve(force, bend);
}

void Tangent::respond(const SparseRows& impulses, SparseRows& velocities) {
  matrix.find_blocks();
  velocities.clear();
  for (int k = 0; k < impulses.size(); ++k) matrix.respond(impulses[k], velocities);
}

bool Tangent::factor(const Values& q) {
  matrix.set_zero();
  system.curvature(t, q, v, {.vv = 1}, matrix);
  for (int k = 0; k < C->size(); ++k) {
    matrix.add_column(k, (*C)[k]);
    matrix.add_row(k, (*C)[k]);
  }
  return matrix.factor();
}

}  // namespace carom
