// The impact law that a Method names, for a given system.
#pragma once

#include "carom/carom.hpp"
#include "method.hpp"

namespace carom::detail {

template <System Sys>
ImpactLaw<Sys> make_law(const Sys& system, const SteadyFlow& flow, const Method& method) {
  if (method.impact == "continuous-energy") return continuous_energy(system, flow);
  if (method.impact == "discrete-energy") return discrete_energy(system, flow);
  if (method.impact == "shadow") {
    const auto fraction = method.fraction == "polynomial" ? Fraction::polynomial : Fraction::composition;
    return shadow_law(system, flow, method.order / 2, fraction);
  }
  const auto modified =
      ModifiedHamiltonian::of_flow(over_nilpotents(system), method.flow, flow.h, method.order);
  if (method.impact == "modified-energy")
    return modified_energy(system, flow, modified, method.fraction == "flow");
  return stable_energy(system, flow, method.window, modified);
}

}  // namespace carom::detail
