// The impact law that a Method names, for a given system. Included by make_model.hpp only: modified
// Hamiltonians are the heaviest templates of carom.
#pragma once

#include "carom/carom.hpp"
#include "method.hpp"

namespace carom::detail {

// Nested derivatives of a modified Hamiltonian grow as (2N)^4: systems in formulas have them for N <= 2.
template <class Sys>
constexpr bool has_modified() {
  if constexpr (requires { Sys::most_modified_coordinates; })
    return Sys::dim <= Sys::most_modified_coordinates;
  else
    return true;
}

// Calls use(H~, order) with the modified Hamiltonian that the method asks for.
template <System Sys, class Use>
auto with_modified(const Sys& system, const Method& method, double h, Use&& use) {
  const std::string& name = method.flow.name;
  if (name == "sva") return use(modified_sva(system, h), 4);
  if (name == "svb") return use(modified_svb(system, h), 4);
  if (name == "midpoint") return use(modified_midpoint(system, h), 4);
  const Rule& rule = std::get<Rule>(method.flow.substeps.front().block);
  return use(ModifiedSeries<Sys>{system, rule, h, method.order}, method.order);
}

template <System Sys>
ImpactLaw<Sys> make_law(const Sys& system, const SteadyFlow& flow, const Method& method) {
  if (method.impact == "continuous-energy") return continuous_energy(system, flow);
  if (method.impact == "discrete-energy") return discrete_energy(system, flow);
  if (method.impact == "shadow") {
    const auto fraction = method.fraction == "polynomial" ? Fraction::polynomial : Fraction::composition;
    return shadow_law(system, flow, method.order / 2, fraction);
  }
  if constexpr (!has_modified<Sys>())
    throw std::logic_error("no modified Hamiltonian for this many coordinates");
  else
    return with_modified(system, method, flow.h, [&](const auto& modified, int order) {
      if (method.impact == "modified-energy")
        return modified_energy(system, flow, modified, order, method.fraction == "flow");
      return stable_energy<Sys>(system, flow, method.window, [modified](const State<double, Sys::dim>& z) {
        return modified(as_phase<double, Sys::dim>(z));
      });
    });
}

}  // namespace carom::detail
