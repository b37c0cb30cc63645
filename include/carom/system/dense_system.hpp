// A system of few coordinates, all of which couple: what methods for any size ask of it, from the dense
// derivatives that it has in one array (system.hpp). Systems written in C++ (autodiff_system.hpp) and in
// formulas differ only in how they fill these arrays. Tested in tests/laws/interface_laws_test.cpp.
#pragma once

#include "carom/system/system.hpp"

namespace carom {

class DenseSystem : public System {
 public:
  bool dense() const final { return true; }

  void gap_jet(const double* q, double* g_G) const override = 0;
  virtual void joint_jet(const double* q, double* f_F) const = 0;

  // Joints and gaps together, in this order, are constraints: how their slopes change along u, row by row,
  // and Σ psi_i ∂²g_i/∂q². Friction that depends on their multipliers, and its slopes by q, v and psi, row by
  // row.
  int constraint_count() const { return joint_count() + contact_count(); }
  virtual void slope_bends(const double* q, const double* u, double* out) const = 0;
  void held_curvature(const double* q, const double* psi, double* out) const;
  virtual bool rubs() const { return false; }
  virtual void friction(const double* /*q*/, const double* /*v*/, const double* /*psi*/,
                        double* /*f_fq_fv_fpsi*/) const {}

  double slopes(const Values& q, const Values& v, Values& Lq, Values& Lv) const override;
  void curvature(const Values& q, const Values& v, const Weights& w, KktMatrix& into) const override;
  void stiffness(const Values& q, const Values& u, Values& Vqq_u) const override;
  void momentum_bend(const Values& q, const Values& u, Values& change) const override;
  void couplings(Pairs& pairs) const override;
  void mass_couplings(Pairs& pairs) const override { couplings(pairs); }
  // Newton's method where L is not quadratic in v: a full step may leave the velocities that exist (those
  // below light's), so it is halved until the residual shrinks.
  bool velocity(const Values& q, const Values& p, Values& v) const override;

  void gaps(const Values& q, Values& g) const override;
  void moving_gaps(const Values& q, const Values& v, Values& g, Values& rate) const override;
  void gap_slopes(const Values& q, std::span<const int> which, SparseRows& rows) const override;
  void joints(const Values& q, Values& f) const override;
  void joint_slopes(const Values& q, SparseRows& rows) const override;

  void stage_slopes(const StageRows& rows) const override;  // stage by stage
  void force(double t, const Values& q, const Values& v, Values& f) const override;
  using System::force;

 private:
  // Solves Lvv change = p - Lv at (q, v), in place of `change`; false where Lvv is not positive definite.
  bool newton_velocity(const Values& q, const double* v, const Values& p, double* change) const;
  bool solve_velocity(const Values& q, const Values& p, Values& v) const;
};

}  // namespace carom
