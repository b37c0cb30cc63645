// The impact law that a Method names, for a given system, and the stepper that goes by it.
#pragma once

#include "carom/contact/contact_stepper.hpp"
#include "scenario/method.hpp"

namespace carom {

inline ImpactLaw make_law(const System& system, const SteadyFlow& flow, const Method& method) {
  if (method.impact == "continuous-energy") return continuous_energy();
  if (method.impact == "discrete-energy") return discrete_energy();
  if (method.impact == "shadow")
    return shadow_law(method.order, method.fraction == "polynomial" ? ImpactLaw::Part::polynomial
                                                                    : ImpactLaw::Part::composition);
  const auto modified =
      ModifiedHamiltonian::of_flow(system.over_nilpotents(), method.flow, flow.h, method.order);
  if (method.impact == "modified-energy")
    return modified_energy(modified, method.fraction == "flow" || system.forced());
  return stable_energy(system, flow, method.window, modified);
}

inline std::unique_ptr<ContactStepper> make_contact_stepper(const SystemRef& system, const SteadyFlow& flow,
                                                            const Method& method) {
  return std::make_unique<ContactStepper>(system, flow,
                                          ContactOptions{.law = make_law(*system, flow, method),
                                                         .restitution = method.restitution,
                                                         .lasting = method.stepper == "contact"});
}

}  // namespace carom
