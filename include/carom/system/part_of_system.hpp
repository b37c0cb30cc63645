// Some coordinates of a dense system that no term of L, no force, joint or gap couples to the others: a unit,
// which is a system by itself. The others stand still where they were when it was made, and what they add to
// L is taken off, so that the unit's energies know nothing of them. Tested in tests/laws/units_test.cpp.
#pragma once

#include <limits>

#include "carom/system/dense_system.hpp"

namespace carom {

class PartOfSystem final : public DenseSystem {
 public:
  // `which` ascending; all coordinates at q, some of which the unit will move.
  PartOfSystem(const DenseSystem& whole, std::vector<int> which, const Values& q, double t);

  // Contacts of the whole among the unit's, by the numbers that they have there; and what the unit has of a
  // vector.
  void pick_contacts(const std::vector<int>& of_whole, std::vector<int>& own) const;
  void pick(const Values& of_whole, Values& own) const {
    own.resize(size());
    for (int i = 0; i < size(); ++i) own[i] = of_whole[coordinates[i]];
  }
  // What L is known to beside the others'.
  double blur() const { return 4 * std::numeric_limits<double>::epsilon() * std::abs(offset); }
  const std::vector<int>& members() const { return coordinates; }

  int size() const override { return static_cast<int>(coordinates.size()); }
  int contact_count() const override { return static_cast<int>(contacts.size()); }
  int joint_count() const override { return static_cast<int>(joints_of_it.size()); }
  std::string coordinate_name(int i) const override { return whole.coordinate_name(coordinates[i]); }
  std::string contact_name(int i) const override { return whole.contact_name(contacts[i]); }
  std::string joint_name(int i) const override { return whole.joint_name(joints_of_it[i]); }
  double gap_constant(int i) const override { return whole.gap_constant(contacts[i]); }
  double restitution(int i) const override { return whole.restitution(contacts[i]); }
  bool constant_mass() const override { return whole.constant_mass(); }
  bool quadratic() const override { return whole.quadratic(); }
  bool forced() const override { return whole.forced(); }

  void look(double t, const double* q, Need need, PointMemory& memory) const override;
  void jet(double t, const double* q, const double* v, Need need, const PointMemory& memory,
           double* out) const override;
  void fibre(double t, const double* q, const double* v, double* Lv_Lvv) const override;
  void potential(double t, const double* q, double* V_Vq) const override;
  void mass(double* M) const override;
  void gap_jet(double t, const double* q, double* g_G_gt) const override;
  void gap_rates(double t, const double* q, const double* v, double* g, double* rate) const override;
  void joint_jet(double t, const double* q, double* f_F_ft) const override;
  void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override;
  void joint_bends(double t, const Values& q, const Values& u, Values& bend) const override;
  void slope_bends(double t, const double* q, const double* u, double* out) const override;
  std::shared_ptr<const NilpotentLagrangian> over_nilpotents() const override;
  using DenseSystem::force;
  void force(double t, const double* q, const double* v, double* f) const override;
  void force_slopes(double t, const double* q, const double* v, double* fq_fv) const override;

 private:
  const double* embed(const double* own, Values& in, const Values* others) const;
  void pick_jet(int count, const std::vector<int>& which, double* out) const;
  void find_constraints(double t, const Values& q);

  const DenseSystem& whole;
  std::vector<int> coordinates, contacts, joints_of_it;  // their numbers in the whole
  Values rest;                                           // where the others stand
  double offset = 0;                                     // L there, without motion
  mutable Values q_all, v_all, out_all;
};

// The units of a system, each a list of its coordinates; one where that is not known.
std::vector<std::vector<int>> units_of(const System& system);

}  // namespace carom
