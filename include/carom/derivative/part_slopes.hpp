// The derivative of a part of a step (contact/partial_motion.hpp) by its start, its time t and its length τ:
// the substeps of the flow one after the other, each with the slope of its own length by τ. With fractions
// γ_i that is γ_i; of the three substeps -b, α + 2b, -b, α = τ/h, that of the fraction, which db/dα gives
// (shadow.hpp). Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include "carom/contact/impact_law.hpp"
#include "carom/derivative/substep_slopes.hpp"

namespace carom {

class PartSlopes {
 public:
  using Kind = ImpactLaw::Part;

  PartSlopes(const DenseSystem& m, const DerivativeColumns& c, const SteadyFlow& f);

  // Along the joints, and these contacts from here on.
  void hold(std::span<const int> contacts) { substep.hold(contacts); }

  // z over τ, in place. Kinds: flow and composition.
  Outcome take(Kind kind, double t, double tau, Phase& z);
  // A whole step forwards, or backwards by the inverse.
  Outcome take_step(double t, bool backwards, Phase& z);

  Slopes B;
  SlopeRow energy, action;  // -D3 L_d; ∂A/∂θ
  double spent_energy = 0;

 private:
  void begin(double t);
  Outcome add(const Flow& flow, double h, double slope, Phase& z);

  DerivativeColumns columns;
  const SteadyFlow& flow;
  SubstepSlopes substep;
  double now = 0, slope_of_now = 0;
  bool is_first = true;  // B is the identity
  Slopes next;
  SlopeRow of_energy;
};

}  // namespace carom
