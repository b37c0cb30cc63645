// The slope of the shadow energy (flow/shadow.hpp), H̃ = p·q' - A' = 1/h Σ w_j (p·(q_j - q) - A_j), by z and
// the parameters. Since dA_j = p_j·dq_j - p·dq + ∂A_j/∂θ dθ, it takes no derivative beyond that of the steps
// to the nodes:
//
//   dH̃ = 1/h Σ w_j [ (q_j - q)·dp + (p - p_j)·dq_j - ∂A_j/∂θ dθ ]
//
// For systems whose energy nothing changes. Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include "carom/derivative/part_slopes.hpp"

namespace carom {

class ShadowSlopes {
 public:
  ShadowSlopes(const DenseSystem& m, const DerivativeColumns& c, const SteadyFlow& f, int order);

  void hold(std::span<const int> contacts) { step.hold(contacts); }
  Outcome look(double t, const Phase& z);
  SlopeRow slope;  // of H̃ at (t, z); by t and the step it is not

 private:
  Outcome walk(double t, const Phase& z, bool backwards, const Weights& w);

  DerivativeColumns columns;
  double h;
  int half;
  PartSlopes step;
  Slopes D, moved;
  SlopeRow action;
};

}  // namespace carom
