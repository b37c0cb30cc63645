// A system as a run looks at it. Tested through the program in tests/cli/run_test.py.
#pragma once

#include "carom/system/look.hpp"
#include "run/lasting_forces.hpp"
#include "run/watched.hpp"

namespace carom {

class WatchedMechanics final : public WatchedSystem {
 public:
  explicit WatchedMechanics(const System& m, double step = 1) : system(m), look_at(m), h(step) {}

  const System* mechanics() const override { return &system; }
  int size() const override { return system.size(); }
  int contact_count() const override { return system.contact_count(); }
  int joint_count() const override { return system.joint_count(); }
  std::string coordinate_name(int i) const override { return system.coordinate_name(i); }
  std::string contact_name(int i) const override { return system.contact_name(i); }
  bool forced() const override { return system.forced() || system.timed(); }
  bool has_friction() const override { return has_rough_contacts(system); }
  bool may_lack_values() const override { return system.dense(); }

  void look(double t, const RunState& z, Look& look) override { look_at(t, z, look); }
  double hamiltonian(double t, const RunVector& q, const RunVector& p) override {
    return look_at.hamiltonian(t, q, p);
  }
  void gaps(double t, const RunVector& q, RunVector& g) override { system.gaps(t, q, g); }
  double smallest_gap(double t, const RunVector& q) override { return look_at.smallest_gap(t, q); }
  void contact_forces(double t, const RunState& z, std::span<const std::int64_t> lasting, bool at_start,
                      RunVector& force) override {
    if (!forces) forces.emplace(system, h);
    at_start ? forces->at_start(t, z, force) : (*forces)(t, z, lasting, force);
  }
  bool rubs_at_contacts() const override { return has_rough_contacts(system); }
  const RunVector& friction_forces() const override { return forces->friction; }
  int slips_each() const override { return system.slips_each(); }
  const RunVector& slips() const override { return forces->slip; }

 private:
  const System& system;
  SystemLook look_at;
  double h;
  std::optional<LastingForces> forces;  // from the first time on that somebody asks
};

}  // namespace carom
