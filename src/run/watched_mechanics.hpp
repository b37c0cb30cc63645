// A system as a run looks at it. Tested through the program in tests/cli/run_test.py.
#pragma once

#include "carom/system/look.hpp"
#include "run/watched.hpp"

namespace carom {

class WatchedMechanics final : public WatchedSystem {
 public:
  explicit WatchedMechanics(const System& m) : system(m), look_at(m) {}

  int size() const override { return system.size(); }
  int contact_count() const override { return system.contact_count(); }
  int joint_count() const override { return system.joint_count(); }
  std::string coordinate_name(int i) const override { return system.coordinate_name(i); }
  std::string contact_name(int i) const override { return system.contact_name(i); }
  bool forced() const override { return system.forced() || system.timed(); }
  bool may_lack_values() const override { return system.dense(); }

  void look(double t, const RunState& z, Look& look) override { look_at(t, z, look); }
  double hamiltonian(double t, const RunVector& q, const RunVector& p) override {
    return look_at.hamiltonian(t, q, p);
  }
  double smallest_gap(double t, const RunVector& q) override { return look_at.smallest_gap(t, q); }

 private:
  const System& system;
  SystemLook look_at;
};

}  // namespace carom
