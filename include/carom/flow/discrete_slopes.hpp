// The discrete Lagrangian of a rule over a system, as a function of v with q1 = q0 + h v
// (discrete_lagrangian.hpp says the same for small systems):
//
//   minus = D1 L_d + f- = Σ b_i [h (1-c_i) (Lq + f) - Lv],    plus = D2 L_d + f+ = Σ b_i [h c_i (Lq + f) +
//   Lv]
#pragma once

#include "carom/flow/rule.hpp"
#include "carom/system/system.hpp"

namespace carom {

class DiscreteSlopes {
 public:
  explicit DiscreteSlopes(const System& m);

  const System& system;
  double action = 0, energy = 0, work = 0;

  void evaluate(const Rule& rule, double t, double h, const Values& q, const Values& v);

  // Adds -∂minus/∂v, which is close to the mass (forces left out: they change Newton's path, not its goal).
  void add_matrix(const Rule& rule, double t, double h, const Values& q, const Values& v, KktMatrix& into);

  Values minus, plus, terms;  // terms: what rounding errors of minus are relative to

 private:
  Values x, Lq, Lv, f;
};

}  // namespace carom
