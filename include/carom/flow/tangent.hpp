// Momenta along constraints: what joints and lasting contacts leave of them, and how velocities answer to an
// impulse at a contact while the joints hold. Both solve with the mass, bordered by gradients,
//
//   [ M   C ] [ u ]   [ a ]
//   [ C'  0 ] [-μ ] = [ b ].
//
// Tested in tests/laws/gvi_laws_test.cpp.
#pragma once

#include "carom/system/system.hpp"

namespace carom {

class Tangent {
 public:
  explicit Tangent(const System& m);

  // Factors at (t, q) for the constraints whose gradients there are given; false where the mass is singular.
  bool prepare(double at, const Values& q, const Values& p, const SparseRows& gradients);

  // p + C μ with C'v(q, p + C μ) = -∂c/∂t: projected twice, for rounding; where the mass depends on v, by
  // Newton's method. `work` is that of the constraints that move.
  bool project(const Values& q, Values& p);
  double work = 0;

  // q moved onto the joints, along M^-1 F, and p made tangent there; false where that does not converge.
  bool onto_joints(double at, Values& q, Values& p);

  // The acceleration by `force` along the constraints, whose second derivatives along the velocity are
  // `bend`; in place of the force.
  void accelerate(Values& force, Values& bend);

  // The change of velocity by a unit impulse along each gradient, one row each.
  void respond(const SparseRows& impulses, SparseRows& velocities);

 private:
  bool factor(const Values& q);

  const System& system;
  System::Pairs pairs;
  const SparseRows* C = nullptr;
  double t = 0;
  KktMatrix matrix;
  Values v, u;
  ChangingValues mu;
};

}  // namespace carom
