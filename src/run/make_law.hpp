// The impact law that a Method names, for a given system.
#pragma once

#include "carom/contact/impact_law.hpp"
#include "scenario/method.hpp"

namespace carom {

inline ImpactLaw make_law(const System& system, const SteadyFlow& flow, const Method& method) {
  if (method.impact == "continuous-energy") return continuous_energy();
  if (method.impact == "discrete-energy") return discrete_energy();
  if (method.impact == "shadow")
    return shadow_law(method.order,
                      method.fraction == "polynomial" ? ImpactLaw::Part::polynomial : ImpactLaw::Part::composition);
  const auto modified =
      ModifiedHamiltonian::of_flow(system.over_nilpotents(), method.flow, flow.h, method.order);
  if (method.impact == "modified-energy")
    return modified_energy(modified, method.fraction == "flow" || system.forced());
  return stable_energy(system, flow, method.window, modified);
}

}  // namespace carom
