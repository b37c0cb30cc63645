// What a run wants to know of a system at a point, evaluated once for all who look on. Tested in
// tests/unit/ledger_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "carom/system/system_ref.hpp"

namespace carom {

struct Look {
  struct Momentum {
    std::string name;
    double value;
  };
  Values v, gaps;
  double H = 0, smallest_gap = HUGE_VAL, largest_joint = 0;
  std::vector<Momentum> momenta;

  // Called for one momentum after the other.
  void tell_momentum(std::size_t k, const char* name, double value) {
    if (k == momenta.size()) momenta.push_back({name, 0});
    momenta[k].value = value;
  }
};

// Looks at a system, in memory that stays.
class SystemLook {
 public:
  explicit SystemLook(SystemRef sys);
  void operator()(double t, const Phase& z, Look& look);
  double hamiltonian(double t, const Values& q, const Values& p) {
    return system->hamiltonian(t, q, p, v, Lq, Lv);
  }
  double smallest_gap(double t, const Values& q);

 private:
  double smallest_of(double t, const Values& q, const Values& gaps);

  std::shared_ptr<const System> system;
  Values v, Lq, Lv, joints, gaps, conditions;
};

}  // namespace carom
