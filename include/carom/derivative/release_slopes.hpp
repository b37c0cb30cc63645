// When a contact that lasts is released: where the force φ that presses it vanishes, with the acceleration
//
//   Lvv a = F + G'κ - Lvq v - Lvt,   G a + v'c_qq v + 2 v·c_qt + c_tt = 0,   φ = κ of that contact
//
//   φ(t + τ, z(τ)) = 0 on the part before:   dτ = -(φ_z dz + φ_t dt + φ_θ dθ)/(dφ/dτ)
//
// The force is continuous there, so that dτ matters by as much as the flow errs in a step. So differences do
// for the third derivatives of L in φ. Tested in tests/cli/sensitivity_test.py.
#pragma once

#include "carom/derivative/constraint_slopes.hpp"
#include "carom/derivative/point_slopes.hpp"
#include "carom/numerics/vector.hpp"

namespace carom {

class ReleaseSlopes {
 public:
  ReleaseSlopes(const DenseSystem& m, const DerivativeColumns& c);

  // Of the part of a step with derivative B that ends at (t, z), with `held` until then: its length. `h` is
  // the step, against which differences are small.
  bool length_of(double t, const Phase& z, std::span<const int> held, int contact, double h, const Slopes& B,
                 SlopeRow& length);

 private:
  bool look(double t, const Values& q, const Values& p);
  SlopeRow slope(double t, const Phase& z, double h);
  SlopeRow by_parameters(double t, const Phase& z, double h, const SlopeRow& by_p);

  const DenseSystem& system;
  DerivativeColumns columns;
  PointSlopes at;
  ConstraintSlopes constraints;
  Eigen::Index place = 0;  // of the contact among the constraints
  Values v, a, kappa;
};

}  // namespace carom
