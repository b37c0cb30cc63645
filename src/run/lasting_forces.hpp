// The forces of contacts that last, at a state of a run: the multipliers λ with
//
//   d/dt ∂L/∂v = ∂L/∂q + f + Σ λ_k ∂g_k/∂q,   0 <= λ_k,  and the gaps g_k of what lasts do not accelerate
//
// (contact_forces.hpp has them as μ): the normal force where the gap is a distance, 0 for contacts that do
// not last. Where contacts have friction, their friction forces along the slip, and slips. Tested in
// tests/cli/contact_forces_test.py and friction_test.py.
#pragma once

#include "carom/contact/friction/contact_space.hpp"
#include "carom/contact/touching.hpp"

namespace carom {

class LastingForces {
 public:
  LastingForces(const System& m, double step)
      : system(m), h(step), touching(m, step), space(m), rubs(has_rough_contacts(m)) {}

  // One for each contact; `lasting` is 1 for those that last. NaN where no forces hold them.
  void operator()(double t, const Phase& z, std::span<const std::int64_t> lasting, Values& force);
  // Before the first step: of the contacts that last from there on.
  void at_start(double t, const Phase& z, Values& force);

  Values friction, slip;  // of the point looked at last, where contacts have friction

 private:
  void solve(double t, const Phase& z, Values& force);
  void solve_with_friction(double t, const Phase& z, Values& force);

  const System& system;
  double h;
  Touching touching;
  ContactSpace space;  // where contacts have friction
  ModeSolver modes;
  bool rubs;
  std::vector<int> which, closed, all;
};

}  // namespace carom
