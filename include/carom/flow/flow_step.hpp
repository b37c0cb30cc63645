// One step of a flow: its building blocks one after the other. Tested in tests/laws/flow_laws_test.cpp.
#pragma once

#include "carom/flow/flow.hpp"
#include "carom/flow/gauss.hpp"

namespace carom {

// Φ_h(z), starting at time t: z, the action and the work add up over the substeps; the discrete energy is
// -Σ γ_i D3 L_d,i. Stops at the first substep that fails.
template <SystemStruct Sys, class S>
StepResult<S, Sys::dim> flow_step(const Sys& system, const Flow& flow, const S& t, const S& h,
                                  const State<S, Sys::dim>& z) {
  StepResult<S, Sys::dim> total{z};
  S now = t;
  for (const Substep& substep : flow.substeps) {
    const S tau = h * substep.fraction;
    const Rule* rule = std::get_if<Rule>(&substep.block);
    const auto part = rule ? variational_step(system, *rule, now, tau, total.z)
                           : gauss_step(system, std::get<Gauss>(substep.block), now, tau, total.z);
    const int iterations = total.outcome.iterations + part.outcome.iterations;
    total.outcome = part.outcome;
    total.outcome.iterations = iterations;
    if (!part.outcome.ok()) return {.z = z, .outcome = total.outcome};
    total.moved =
        &substep == &flow.substeps.front() ? part.moved : Vector<S, Sys::dim>(total.moved + part.moved);
    total.z = part.z;
    total.action = total.action + part.action;
    total.energy = total.energy + part.energy * S(substep.fraction);
    total.work = total.work + part.work;
    now = now + tau;
  }
  return total;
}

}  // namespace carom
