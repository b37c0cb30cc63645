// A DAE as simulate(), the ledger and the records ask for a system: q is y, p is p(y, z), two-sided
// constraints are joints and one-sided ones gaps.
#pragma once

#include <memory>

#include "carom/dae/dae.hpp"
#include "carom/run/ledger.hpp"

namespace carom {

struct DaeSystem {
  static constexpr int dim = Eigen::Dynamic;

  explicit DaeSystem(std::shared_ptr<const Dae> d);

  int dimension() const { return dae->sizes().y; }
  bool is_forced() const { return dae->depends_on_time(); }
  bool has_friction() const { return dae->has_friction(); }
  int joint_count() const { return static_cast<int>(two_sided.size()); }
  std::string coordinate_name(int i) const { return dae->coordinate_name(i); }
  std::string gap_name(int i) const { return dae->constraint_name(one_sided[static_cast<std::size_t>(i)]); }
  std::string joint_name(int i) const { return dae->constraint_name(two_sided[static_cast<std::size_t>(i)]); }
  Values gaps(const Values& y) const;
  Values joints(const Values& y) const;
  double lagrangian(const Values&, const Values&) const { return std::nan(""); }  // a DAE has none
  void momenta(const Values& y, const Values& p, const std::function<void(const char*, double)>& f) const;

  // The consistent multipliers at a point, 0 for inequalities that are open; NaN where there are none. Where
  // nothing moves friction has no direction, and is left out.
  int multiplier_count() const { return dae->sizes().g; }
  Values multipliers(double t, const Phase& point) const;

  std::shared_ptr<const Dae> dae;
  std::vector<int> one_sided, two_sided;
  Values guess = {};  // where multipliers are looked for; empty: from 0

 private:
  Values chosen(const Values& y, const std::vector<int>& which) const;
};

double hamiltonian(const DaeSystem& system, const Phase& state);
Solved<double, Eigen::Dynamic> velocity(const DaeSystem& system, const Values& y, const Values& p);

// Looks at a DAE for runs and ledgers; velocities are not among what it tells.
class DaeLook {
 public:
  explicit DaeLook(DaeSystem s) : system(std::move(s)) {}
  void operator()(double t, const Phase& point, Look& look) const;
  double hamiltonian(double /*t*/, const Values& y, const Values& p) const {
    return carom::hamiltonian(system, {y, p});
  }
  double smallest_gap(double /*t*/, const Values& y) const {
    const Values g = system.gaps(y);
    return g.size() > 0 ? g.minCoeff() : HUGE_VAL;
  }

 private:
  DaeSystem system;
};
using DaeLedger = LedgerOf<DaeLook>;

}  // namespace carom
