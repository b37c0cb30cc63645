// Momenta along constraints: what joints and lasting contacts leave of them, and how velocities answer to an
// impulse at a contact while the joints hold. Both solve with the mass, bordered by gradients,
//
//   [ M   C ] [ u ]   [ a ]
//   [ C'  0 ] [-μ ] = [ b ].
//
// Tested in tests/laws/gvi_laws_test.cpp.
#pragma once

#include "carom/contact/mechanism.hpp"

namespace carom {

class Tangent {
 public:
  explicit Tangent(const Mechanism& m) : mechanism(m), v(m.size()), u(m.size()) {
    mechanism.mass_couplings(pairs);
  }

  // Factors at q for the constraints whose gradients there are given; false where the mass is singular.
  bool prepare(const Values& q, const Values& p, const SparseRows& gradients) {
    C = &gradients;
    if (!mechanism.velocity(q, p, v)) return false;
    matrix.arrange(mechanism.size(), pairs, gradients);
    return factor(q);
  }

  // p + C μ with C'v(q, p + C μ) = 0: projected twice, for rounding; where the mass depends on v, by Newton's
  // method.
  bool project(const Values& q, Values& p) {
    const bool linear = mechanism.quadratic();
    double before = HUGE_VAL;
    for (int pass = 0; pass < (linear ? 2 : 50); ++pass) {
      if (!mechanism.velocity(q, p, v)) return false;
      if (!linear && pass > 0 && !factor(q)) return false;
      mu.resize(C->size());
      for (int k = 0; k < C->size(); ++k) mu[k] = -(*C)[k].dot(v);
      u.setZero();
      matrix.solve(u, mu);
      for (int k = 0; k < C->size(); ++k) (*C)[k].add_to(p, mu[k]);
      const double now = u.lpNorm<Eigen::Infinity>();  // the change of velocity
      if (pass > 1 && !(now < 0.5 * before)) break;    // rounding
      before = now;
    }
    return p.allFinite();
  }

  // q moved onto the joints, along M^-1 F, and p made tangent there; false where that does not converge.
  bool onto_joints(Values& q, Values& p) {
    SparseRows F;
    Values off;
    for (int i = 0; i < 50; ++i) {
      F.clear(), mechanism.joint_slopes(q, F);
      if (!prepare(q, p, F)) return false;
      mechanism.joints(q, off);
      const double most = off.size() == 0 ? 0 : off.lpNorm<Eigen::Infinity>();
      if (!std::isfinite(most)) return false;
      if (most <= 4e-16 * std::fmax(1.0, q.lpNorm<Eigen::Infinity>()) || (i > 5 && most <= 1e-14))
        return project(q, p);
      mu = -off, u.setZero();
      matrix.solve(u, mu);
      q += u;
    }
    return false;
  }

  // The acceleration by `force` along the constraints, whose second derivatives along the velocity are
  // `bend`; in place of the force.
  void accelerate(Values& force, Values& bend) {
    bend = -bend;
    matrix.solve(force, bend);
  }

  // The change of velocity by a unit impulse along each gradient, one row each.
  void respond(const SparseRows& impulses, SparseRows& velocities) {
    matrix.find_blocks();
    velocities.clear();
    for (int k = 0; k < impulses.size(); ++k) matrix.respond(impulses[k], velocities);
  }

 private:
  bool factor(const Values& q) {
    matrix.set_zero();
    mechanism.curvature(q, v, {.vv = 1}, matrix);
    for (int k = 0; k < C->size(); ++k) {
      matrix.add_column(k, (*C)[k]);
      matrix.add_row(k, (*C)[k]);
    }
    return matrix.factor();
  }

  const Mechanism& mechanism;
  Mechanism::Pairs pairs;
  const SparseRows* C = nullptr;
  KktMatrix matrix;
  Values v, u;
  ChangingValues mu;
};

}  // namespace carom
