// A system of few coordinates, all of which couple: what methods for any size ask of it, from the dense
// derivatives that it has in one array (system.hpp). Systems written in C++ (autodiff_system.hpp) and in
// formulas differ only in how they fill these arrays. Tested in tests/laws/interface_laws_test.cpp.
#pragma once

#include "carom/system/system.hpp"

namespace carom {

class DenseSystem : public System {
 public:
  bool dense() const final { return true; }

  void gap_jet(double t, const double* q, double* g_G_gt) const override = 0;
  virtual void joint_jet(double t, const double* q, double* f_F_ft) const = 0;

  // Joints and gaps together, in this order, are constraints: how their slopes change along u, row by row,
  // and Σ psi_i ∂²g_i/∂q². Friction that depends on their multipliers, and its slopes by q, v and psi, row by
  // row.
  int constraint_count() const { return joint_count() + contact_count(); }
  virtual void slope_bends(double t, const double* q, const double* u, double* out) const = 0;
  void held_curvature(double t, const double* q, const double* psi, double* out) const;
  virtual bool rubs() const { return false; }
  virtual void friction(const double* /*q*/, const double* /*v*/, const double* /*psi*/,
                        double* /*f_fq_fv_fpsi*/) const {}

  // First derivatives by t and by the parameters that were made variables, t first: of each a block  Lx |
  // Lqx, Lvx | fx,  and, gap by gap and joint by joint,  gx | gqx | gtx.  Zero where nothing depends on t.
  // And of the restitution of a contact that has its own.
  virtual bool knows_parameter_slopes() const { return !timed() && !forced(); }
  virtual int parameter_count() const { return 0; }
  virtual std::string parameter_name(int k) const { return "parameter " + std::to_string(k + 1); }
  virtual void parameter_slopes(double t, const double* q, const double* v, double* out) const;
  virtual void parameter_gap_slopes(double t, const double* q, double* out) const;
  virtual void parameter_joint_slopes(double t, const double* q, double* out) const;
  virtual double restitution_slope(int /*contact*/, int /*parameter*/) const { return 0; }

  double slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const override;
  void curvature(double t, const Values& q, const Values& v, const Weights& w,
                 KktMatrix& into) const override;
  void stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const override;
  double drift(double t, const Values& q, const Values& v, Values& Ltv) const override;
  using System::drift;
  void momentum_bend(double t, const Values& q, const Values& u, Values& change) const override;
  void couplings(Pairs& pairs) const override;
  void mass_couplings(Pairs& pairs) const override { couplings(pairs); }
  // Newton's method where L is not quadratic in v: a full step may leave the velocities that exist (those
  // below light's), so it is halved until the residual shrinks.
  bool velocity(double t, const Values& q, const Values& p, Values& v) const override;

  void gaps(double t, const Values& q, Values& g) const override;
  void moving_gaps(double t, const Values& q, const Values& v, Values& g, Values& rate) const override;
  void gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const override;
  void joints(double t, const Values& q, Values& f) const override;
  void joint_slopes(double t, const Values& q, SparseRows& rows) const override;

  void stage_slopes(const StageRows& rows) const override;  // stage by stage
  void force(double t, const Values& q, const Values& v, Values& f) const override;
  using System::force;

 private:
  // Solves Lvv change = p - Lv at (t, q, v), in place of `change`; false where Lvv is not positive definite.
  bool newton_velocity(double t, const Values& q, const double* v, const Values& p, double* change) const;
  bool solve_velocity(double t, const Values& q, const Values& p, Values& v) const;
};

}  // namespace carom
