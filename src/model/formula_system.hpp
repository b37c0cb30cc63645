// A system in formulas as a system: programs fill the arrays that dense_system.hpp asks for.
// Tested in tests/unit/formula_system_test.cpp.
#pragma once

#include "carom/system/dense_system.hpp"
#include "model/system_formulas.hpp"

namespace carom {

class FormulaSystem : public DenseSystem {
 public:
  explicit FormulaSystem(std::shared_ptr<const SystemFormulas> formulas) : f(std::move(formulas)) {}

  int size() const override { return f->dim; }
  int contact_count() const override { return f->gaps.outputs(); }
  int joint_count() const override { return f->joints.outputs(); }
  std::string coordinate_name(int i) const override { return f->coordinates[i]; }
  std::string contact_name(int i) const override { return f->gap_names[i]; }
  std::string joint_name(int i) const override { return f->joint_names[i]; }
  bool constant_mass() const override { return f->constant_mass; }
  bool quadratic() const override { return f->quadratic; }
  bool forced() const override { return f->forced; }
  bool timed() const override { return f->timed; }
  double gap_constant(int i) const override { return f->gap_constants[i]; }
  std::vector<int> units() const override { return f->units; }
  std::vector<int> units_in_motion() const override { return f->units_in_motion; }
  bool has_kinks() const override { return f->slopes.has_kinks() || f->force.has_kinks(); }

  void jet(double t, const double* q, const double* v, Need need, const PointMemory&,
           double* out) const override;
  void fibre(double t, const double* q, const double* v, double* out) const override;
  using DenseSystem::drift;
  void drift(double t, const double* q, const double* v, double* out) const override;
  void potential(double t, const double* q, double* out) const override;
  void mass(double* out) const override;

  void curvature(double t, const Values& q, const Values& v, const Weights& w,
                 KktMatrix& into) const override;
  void couplings(Pairs& pairs) const override;
  void mass_couplings(Pairs& pairs) const override;
  void gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const override;
  void joint_slopes(double t, const Values& q, SparseRows& rows) const override;

  void gap_jet(double t, const double* q, double* out) const override;
  void gap_rates(double t, const double* q, const double* v, double* gap, double* rate) const override;
  void joint_jet(double t, const double* q, double* out) const override;
  void gaps(double t, const Values& q, Values& g) const override;
  void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override;
  void joint_bends(double t, const Values& q, const Values& u, Values& bend) const override;

  double restitution(int contact) const override { return f->restitutions[contact]; }
  int slips_each() const override { return f->slips_each; }
  double mu(int contact) const override { return f->mu[contact]; }
  bool mu_is_split(int contact) const override { return f->mu_is_split[contact]; }
  double sliding_mu(int contact, double speed) const override {
    return mu_is_split(contact) ? sliding_mu_at(contact, speed) : mu(contact);
  }
  double sliding_mu_slope(int contact, double speed) const override {
    return mu_is_split(contact) ? sliding_mu_at(contact_count() + contact, speed) : 0;
  }
  void slip_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const override;
  void slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                  Eigen::Ref<Values> bend) const override;
  bool has_slide(int contact) const override { return f->has_slide[contact]; }
  void slides(double t, const Values& q, Values& s) const override;
  int branch_count() const override { return f->branches.outputs(); }
  int branch_contact(int k) const override { return f->branch_contacts[k]; }
  void branches(double t, const Values& q, Values& sides) const override;
  std::shared_ptr<System> with_own_branches() const override;
  void hold_branches(const Values& sides) override { held = sides; }
  bool has_conditions() const override { return f->conditions.outputs() > 0; }
  void conditions(double t, const Values& q, const Values& v, Values& c) const override;

  void slope_bends(double t, const double* q, const double* u, double* out) const override;
  bool rubs() const override { return f->friction.outputs() > 0; }
  void friction(const double* q, const double* v, const double* psi, double* out) const override;

  // Packs take the same branches as doubles, but for a power of two formulas, which asks whether its exponent
  // moves. Where contacts come and go, runs are looked at one by one.
  bool has_lanes() const override;
  void lane_potential(int lanes, const double* q, double* V_Vq) const override;
  void lane_look(const LanePoint& at) const override;

  using DenseSystem::force;
  void force(double t, const double* q, const double* v, double* out) const override;
  void force_slopes(double t, const double* q, const double* v, double* out) const override;
  // Formulas of coordinates and velocities.
  void momenta(double t, const Values& q, const Values& p, const Tell& tell) const override;

  std::shared_ptr<const NilpotentLagrangian> over_nilpotents() const override {
    return timed() ? nullptr : lagrangian_of(f);
  }

  const SystemFormulas& formulas() const { return *f; }

 private:
  double sliding_mu_at(int output, double speed) const;
  void run(const formula::Program& program, double t, const double* q, const double* v, double* out) const;
  template <class S>
  void add_branches(const formula::Program& program, double t, const double* q, S* in) const;
  void sparse_jet(double t, const double* q, const double* v, Need need, double* out) const;
  void sparse_bends(double t, const double* q, const double* u, double* out) const;
  void push_rows(const SystemFormulas::Rows& formulas, double t, const Values& q, std::span<const int> which,
                 SparseRows& rows) const;
  template <class X>
  void look_in_lanes(const LanePoint& at) const;
  template <class Keep>
  void bend(const formula::Program& program, double t, const Values& q, const Values& u,
            const Keep& keep) const;

  std::shared_ptr<const SystemFormulas> f;
  Values held;  // branches; NaN or absent: as the coordinates choose
};

}  // namespace carom
