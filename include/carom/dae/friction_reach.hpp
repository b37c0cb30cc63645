// What a friction law that opposes the motion as a whole can decide (dae_stepper.hpp), and what it cannot. At
// a point with contacts and joints held, the motion has a space of directions d, and the friction F(y, d,
// psi) acts on the span of its values there:
//
//   nothing less than all directions:  else something moves that no friction acts on, and rest of the whole
//   is not
//                                      what stops at a contact
//   F·d <= 0 in each:                  else it drives, as a belt does
//
// Tested in tests/cli/dae_test.py.
#pragma once

#include <optional>

#include "carom/dae/dae.hpp"

namespace carom {

class FrictionReach {
 public:
  explicit FrictionReach(const Dae& d) : dae(d) {}

  // Looks at directions of motions that are slow against those of h.
  void look(double t, const Values& y, const std::vector<int>& held, double h);

  bool everywhere = true;  // it acts on all directions
  bool drives = false;     // it has power to give in one

  // Whether friction turns around from one velocity to the other.
  bool turns(const Values& y, const Values& z, const Values& y_after, const Values& z_after,
             const std::vector<int>& held);

 private:
  const Values& friction(const Values& y, const Values& z);

  const Dae& dae;
  Values psi, F;
  DaeMotion motion;
  DaeReaction with, without;
  DaeConstraint constraint;
};

}  // namespace carom
