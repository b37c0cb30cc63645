// A mechanical system as an overdetermined DAE: y = q, z = the velocity, p(y, z) = ∂L/∂v, f = ∂L/∂q + force;
// joints and gaps are the constraints, in this order, held by r = Σ psi_i ∇g_i and by the friction that the
// system states. For a system without friction the true method is se1 along the joints (004, (2.2)). L, gaps
// and joints do not depend on time. Tested in tests/laws/dae_mechanics_test.cpp.
#pragma once

#include <memory>

#include "carom/dae/dae.hpp"
#include "carom/system/dense_system.hpp"

namespace carom {

class MechanicalDae : public Dae {
 public:
  explicit MechanicalDae(std::shared_ptr<const DenseSystem> s);

  DaeSizes sizes() const override { return {n, n, m}; }
  void motion(double t, const Values& y, const Values& z, DaeMotion& into) const override;
  void reaction(const Values& y, const Values& z, const Values& psi, double friction,
                DaeReaction& into) const override;
  void constraint(const Values& y, const Values& z, DaeConstraint& into) const override;
  void gaps(const Values& y, Values& g) const override;
  bool z_of(const Values& y, const Values& p, Values& z) const override {
    z.resize(n);
    return system->velocity(0, y, p, z);
  }

  bool one_sided(int i) const override { return i >= system->joint_count(); }
  const std::vector<int>& units() const override { return coupled; }
  const System* mechanics() const override { return system.get(); }
  bool has_friction() const override { return system->rubs(); }
  bool is_forced() const override { return system->forced(); }
  bool depends_on_time() const override { return system->forced(); }
  double energy(const Values& y, const Values& z) const override;
  double force_power(double t, const Values& y, const Values& z) const override;
  double friction_power(const Values& y, const Values& z, const Values& psi) const override;

  std::string coordinate_name(int i) const override { return system->coordinate_name(i); }
  std::string constraint_name(int i) const override;
  void momenta(const Values& y, const Values& p,
               const std::function<void(const char*, double)>& tell) const override {
    system->momenta(0, y, p, tell);
  }

 private:
  // Values of all constraints, and their slopes row by row.
  void constraint_jet(const Values& y, Values& g, Dense& g_y) const;

  std::shared_ptr<const DenseSystem> system;
  int n, m;
  std::vector<int> coupled;
};

}  // namespace carom
