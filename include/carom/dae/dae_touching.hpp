// What happens to a DAE with inequalities g_i >= 0 at one instant.
//
//   impact:  p(y, z+) = p(y, z-) + r(y, z_t, Lambda), the law of the reaction with impulses for forces, and
//            c_i(y, z+) = -e c_i(y, z-) for what closes, 0 for what lasts already; z_t is the velocity along
//            the constraints, against which friction acts, as far as it takes to stop that
//   lasting: of the constraints that touch and do not move apart, those with psi_i >= 0
//   rest:    no motion begins, because friction would stop it at once
//
// Tested in tests/laws/dae_contact_test.cpp.
#pragma once

#include <optional>

#include "carom/dae/consistent.hpp"

namespace carom {

class DaeTouching {
 public:
  DaeTouching(const Dae& d, double step);

  // Two-sided constraints and `contacts`, ascending.
  const std::vector<int>& with_joints(const std::vector<int>& contacts);

  // The inequalities that touch and neither open nor close.
  void find(double t, const Values& y, const Values& z, std::vector<int>& found);

  // Drops from `candidates`, which touch and have no rate, what would be pulled, and what depends on others.
  // False where no multipliers hold the rest, which may be joints alone.
  bool choose_lasting(double t, const Values& y, const Values& z, std::vector<int>& candidates,
                      double friction = 1);

  // How fast the rate of constraint i changes with the others in `lasting` held; negative: it closes.
  std::optional<double> acceleration(double t, const Values& y, const Values& z,
                                     const std::vector<int>& lasting, int i);

  // z after the impact of `closing` with `lasting`; Lambda holds the impulses.
  bool impact(const Values& y, Values& z, const std::vector<int>& closing, const std::vector<int>& lasting,
              double restitution);

  // z along the two-sided constraints; y on them, moved along v_z p_z^-1 r_psi, which for mechanics is M^-1
  // F.
  bool project(Values& y, Values& z);

  // z along the two-sided constraints and `contacts`, whatever that takes.
  bool settle(const Values& y, Values& z, const std::vector<int>& contacts);

  enum class Hold { rests, slides, opens };
  // What a system without velocity does: rests, or begins to slide (then z is a first bit of that), or a
  // contact opens (`opened`).
  Hold hold(double t, const Values& y, const std::vector<int>& lasting, Values& z);

  ConsistentValues consistent;
  Values Lambda, before;  // impulses, and rates before the impact
  Values along;           // z_t of the last impact
  double share = 1;       // of friction that it took
  bool rubbed = false;    // whether there was any
  bool unpushed = true;   // the last rest needs no friction
  int opened = -1;
  Outcome outcome;  // of the last choice

 private:
  std::optional<int> pulled(const std::vector<int>& contacts) const;
  bool strike(const Values& y, const Values& z);
  bool fits(const Values& y, const Values& z, double some);
  double rounding(int i) const;
  double turns(const Values& y);
  bool solve(const Values& y, const Values& from, const Values& at, double friction, const Values& rates,
             Values& to);
  Values unit_free(Dense& jacobian, Values& residual, int m) const;

  const Dae& dae;
  DaeSizes size;
  double h;
  std::vector<int> joints, held, touching;
  Values z_after, wanted, plain;
  CoordinateUnits units;
  DaeMotion motion;
  DaeReaction reaction;
  DaeConstraint constraint;
};

}  // namespace carom
