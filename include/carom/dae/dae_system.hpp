// A DAE as simulate(), the ledger and the records ask for a system: q is y, p is p(y, z), two-sided
// constraints are joints and one-sided ones gaps.
#pragma once

#include <memory>

#include "carom/dae/dae_touching.hpp"
#include "carom/validate.hpp"

namespace carom {

struct DaeSystem {
  static constexpr int dim = Eigen::Dynamic;

  explicit DaeSystem(std::shared_ptr<const Dae> d) : dae(std::move(d)) {
    for (int i = 0; i < dae->sizes().g; ++i) (dae->one_sided(i) ? one_sided : two_sided).push_back(i);
  }

  int dimension() const { return dae->sizes().y; }
  bool is_forced() const { return dae->depends_on_time(); }
  bool has_friction() const { return dae->has_friction(); }
  int joint_count() const { return static_cast<int>(two_sided.size()); }
  std::string coordinate_name(int i) const { return dae->coordinate_name(i); }
  std::string gap_name(int i) const { return dae->constraint_name(one_sided[static_cast<std::size_t>(i)]); }
  std::string joint_name(int i) const { return dae->constraint_name(two_sided[static_cast<std::size_t>(i)]); }
  Values gaps(const Values& y) const { return chosen(y, one_sided); }
  Values joints(const Values& y) const { return chosen(y, two_sided); }
  double lagrangian(const Values&, const Values&) const { return std::nan(""); }  // a DAE has none
  void momenta(const Values& y, const Values& p, const std::function<void(const char*, double)>& f) const {
    dae->momenta(y, p, f);
  }

  // The consistent multipliers at a point, 0 for inequalities that are open; NaN where there are none. Where
  // nothing moves friction has no direction, and is left out.
  int multiplier_count() const { return dae->sizes().g; }
  Values multipliers(double t, const State<double, Eigen::Dynamic>& point) const {
    const Values none = Values::Constant(dae->sizes().g, std::nan(""));
    Values z;
    if (!dae->z_of(point.q, point.p, z)) return none;
    DaeTouching touching(*dae, 1);
    if (guess.size() > 0) touching.consistent.psi = guess;
    std::vector<int> held;
    touching.find(t, point.q, z, held);
    const bool chosen = touching.choose_lasting(t, point.q, z, held, z.isZero(0) ? 0 : 1);
    return chosen ? touching.consistent.psi : none;
  }

  std::shared_ptr<const Dae> dae;
  std::vector<int> one_sided, two_sided;
  Values guess = {};  // where multipliers are looked for; empty: from 0

 private:
  Values chosen(const Values& y, const std::vector<int>& which) const {
    Values g, r(static_cast<Eigen::Index>(which.size()));
    dae->gaps(y, g);
    for (std::size_t k = 0; k < which.size(); ++k) r[static_cast<Eigen::Index>(k)] = g[which[k]];
    return r;
  }
};

inline double hamiltonian(const DaeSystem& system, const State<double, Eigen::Dynamic>& state) {
  Values z;
  return system.dae->z_of(state.q, state.p, z) ? system.dae->energy(state.q, z) : std::nan("");
}
inline Solved<double, Eigen::Dynamic> velocity(const DaeSystem& system, const Values& y, const Values& p) {
  Solved<double, Eigen::Dynamic> r{Values::Zero(y.size()), true};
  Values z;
  r.ok = system.dae->z_of(y, p, z);
  DaeMotion motion;
  if (r.ok) system.dae->motion(0, y, z, motion), r.x = motion.v;
  return r;
}

}  // namespace carom
