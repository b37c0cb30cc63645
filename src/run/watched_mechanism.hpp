// A mechanism as a run looks at it. Tested through the program in tests/cli/run_test.py.
#pragma once

#include "carom/look.hpp"
#include "run/watched.hpp"

namespace carom {

class WatchedMechanism final : public WatchedSystem {
 public:
  explicit WatchedMechanism(const Mechanism& m) : mechanism(m), look_at(m) {}

  int size() const override { return mechanism.size(); }
  int contact_count() const override { return mechanism.contact_count(); }
  int joint_count() const override { return mechanism.joint_count(); }
  std::string coordinate_name(int i) const override { return mechanism.coordinate_name(i); }
  std::string contact_name(int i) const override { return mechanism.contact_name(i); }
  bool forced() const override { return mechanism.forced(); }
  bool may_lack_values() const override { return mechanism.dense(); }

  void look(const RunState& z, Look& look) override { look_at(z, look); }
  double hamiltonian(const RunVector& q, const RunVector& p) override { return look_at.hamiltonian(q, p); }
  double smallest_gap(const RunVector& q) override { return look_at.smallest_gap(q); }

 private:
  const Mechanism& mechanism;
  MechanismLook look_at;
};

}  // namespace carom
