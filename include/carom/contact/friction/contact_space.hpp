// Contacts at one point of a motion, in their own space: rows J = (N_0, T_0, N_1, T_1, ...) of gaps and
// slips, in space two of these each,
//
//   W = J B J',   B = M^-1 along the joints,    a = W f + b,    b = J·q''_free + v'g''v, and likewise of
//   slips
//
// scaled so that the diagonal of W is one (modes.hpp). Tested in tests/laws/friction_laws_test.cpp.
#pragma once

#include "carom/contact/friction/modes.hpp"
#include "carom/flow/tangent.hpp"

namespace carom {

class ContactSpace {
 public:
  explicit ContactSpace(const System& m);

  // Contacts `k` (ascending); false where the mass is singular. equations.b are then accelerations,
  // equations.slip zero.
  bool look(double t, const Values& q, const Values& p, const std::vector<int>& k);

  ContactEquations equations;
  std::vector<double> rate, rate_size;  // scaled as b; and of the terms of each
  std::vector<double> drive_size;       // of the terms of b
  std::vector<double> unit;             // of each row: forces are unit × those of the scaled rows
  std::vector<int> which;
  SparseRows rows;
  Values v;

  // How large a rate is that forces, those of contacts included, make or take within h.
  double kick(int row, double h) const;

  // The sign of the slip of contact i, in space 1, and 0 below 1e-9 of all that it would be in a step of h:
  // speeds alone say nothing where the whole system stops.
  signed char slip_sign(int i, double h) const;
  double speed(int i) const;                 // |u|, scaled
  double speed_size(int i, double h) const;  // of its terms, and of what a step adds
  // Into the equations: the slip of contact i as `sign`, in space its direction, and the mu of its speed.
  void set_slip(int i, signed char sign);

  // Of q, by scaled forces f.
  void acceleration(const std::vector<double>& f, Values& q2) const;

  // p + J'P for scaled P, and along the joints.
  void push(const std::vector<double>& P, const Values& q, Values& p);

 private:
  void couple();
  bool accelerate(double t, const Values& q);

  const System& system;
  Tangent tangent;
  SparseRows joints, normals, slips, answers;
  int each, stride;
  Values drive, change, bare, free, bends, joint_bends, dense;
};

}  // namespace carom
