// The impact law that a Method names, for a given mechanism.
#pragma once

#include "carom/contact/law.hpp"
#include "method.hpp"

namespace carom {

inline Law make_law(const Mechanism& mechanism, const SteadyFlow& flow, const Method& method) {
  if (method.impact == "continuous-energy") return continuous_energy();
  if (method.impact == "discrete-energy") return discrete_energy();
  if (method.impact == "shadow")
    return shadow_law(method.order,
                      method.fraction == "polynomial" ? Law::Part::polynomial : Law::Part::composition);
  const auto modified =
      ModifiedHamiltonian::of_flow(mechanism.over_nilpotents(), method.flow, flow.h, method.order);
  if (method.impact == "modified-energy")
    return modified_energy(modified, method.fraction == "flow" || mechanism.forced());
  return stable_energy(mechanism, flow, method.window, modified);
}

}  // namespace carom
