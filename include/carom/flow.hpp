// A flow is data: a list of (building block, fraction of the step). Every method of the papers is such a
// list, and so are its inverse, its adjoint and its compositions. Applying one to a state is flow_step()
// below.
//
//   se1 = {(c=0), 1}    sva = {se1, 1/2}, {se2, 1/2}    yoshida4 = base with fractions g, 1-2g, g
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "carom/gauss.hpp"

namespace carom {

struct Substep {
  std::variant<Rule, Gauss> block;
  double fraction = 1;
};

struct Flow {
  std::string name;
  int order;
  bool symmetric;  // Φ_h^{-1} = Φ_{-h}
  std::vector<Substep> substeps;
};

// Φ_h^{-1}, to be applied with the same h: the adjoint blocks in reverse order with negative fractions. (For
// a flow that is not symmetric this is not Φ_{-h}: the inverse of se1 is se2 with -h.)
inline Flow inverse(const Flow& flow) {
  Flow r{"inverse of " + flow.name, flow.order, flow.symmetric, {}};
  for (auto s = flow.substeps.rbegin(); s != flow.substeps.rend(); ++s) {
    const Rule* rule = std::get_if<Rule>(&s->block);
    r.substeps.push_back({rule ? std::variant<Rule, Gauss>(rule->adjoint()) : s->block, -s->fraction});
  }
  return r;
}

// Φ_h(z), starting at time t: z, the action and the work add up over the substeps; the discrete energy is
// -Σ γ_i D3 L_d,i. Stops at the first substep that fails.
template <System Sys, class S>
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
    total.z = part.z;
    total.action = total.action + part.action;
    total.energy = total.energy + part.energy * S(substep.fraction);
    total.work = total.work + part.work;
    now = now + tau;
  }
  return total;
}

}  // namespace carom
