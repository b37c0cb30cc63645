// A mechanism as steppers take it, by value: shared with whoever made it, or, made from a reference, on loan
// from someone who keeps it longer.
#pragma once

#include <memory>

#include "carom/contact/mechanism.hpp"
#include "carom/mechanics.hpp"

namespace carom {

struct MechanismSystem {
  static constexpr int dim = Eigen::Dynamic;
  std::shared_ptr<const Mechanism> mechanism;

  template <std::derived_from<Mechanism> M>
  MechanismSystem(std::shared_ptr<M> shared) : mechanism(std::move(shared)) {}
  MechanismSystem(const Mechanism& lent) : mechanism(std::shared_ptr<const Mechanism>(), &lent) {}

  int dimension() const { return mechanism->size(); }
  bool is_forced() const { return mechanism->forced(); }
  bool is_quadratic() const { return mechanism->quadratic(); }
  bool has_constant_mass() const { return mechanism->constant_mass(); }
  std::string gap_name(int i) const { return mechanism->contact_name(i); }
  std::string coordinate_name(int i) const { return mechanism->coordinate_name(i); }

  double lagrangian(const Values& q, const Values& v) const {
    Values Lq(q.size()), Lv(q.size());
    return mechanism->slopes(q, v, Lq, Lv);
  }
  Values gaps(const Values& q) const {
    Values g;
    mechanism->gaps(q, g);
    return g;
  }
  Values joints(const Values& q) const {
    Values f;
    mechanism->joints(q, f);
    return f;
  }
  int joint_count() const { return mechanism->joint_count(); }
  std::string joint_name(int i) const { return mechanism->joint_name(i); }
  void momenta(const Values& q, const Values& p, const Mechanism::Tell& tell) const {
    mechanism->momenta(q, p, tell);
  }
};

inline double hamiltonian(const MechanismSystem& system, const State<double, Eigen::Dynamic>& z) {
  return system.mechanism->hamiltonian(z.q, z.p);
}
inline Solved<double, Eigen::Dynamic> velocity(const MechanismSystem& system, const Values& q,
                                               const Values& p) {
  Solved<double, Eigen::Dynamic> r{Values(q.size()), true};
  r.ok = system.mechanism->velocity(q, p, r.x);
  return r;
}
inline std::shared_ptr<const NilpotentLagrangian> over_nilpotents(const MechanismSystem& system) {
  return system.mechanism->over_nilpotents();
}

}  // namespace carom
