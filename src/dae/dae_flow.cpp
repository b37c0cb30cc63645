#include "carom/dae/dae_flow.hpp"

#include "carom/system/validate.hpp"

namespace carom {

DaeFlow::DaeFlow(const Dae& dae, const DaeScheme& scheme, const Flow& flow) : euler(dae, scheme) {
  if (scheme.alpha == 0 || (scheme.natural && scheme.alpha == 1) || !std::isfinite(scheme.alpha))
    throw InvalidInput("alpha", detail::to_text(scheme.alpha),
                       scheme.natural ? "must not be 0 or 1" : "must not be 0");
  for (const Substep& substep : flow.substeps) {
    const Rule* rule = std::get_if<Rule>(&substep.block);
    const bool euler_rule = rule && rule->end() - rule->begin() == 1 && rule->ends_only();
    if (!euler_rule)
      throw InvalidInput("flow", flow.name, "is not made of symplectic Euler steps; se1, sva and svb are");
    parts.push_back({substep.fraction, rule->begin()->c == 1});
  }
  flight = flow.symmetric ? parts : std::vector<Part>{{0.5, false}, {0.5, true}};
}

Outcome DaeFlow::operator()(double t, double h, std::span<const int> held, Values& y, Values& z) {
  y_now = y, z_now = z;
  Psi0 = euler.Psi0, Psi1 = euler.Psi1;
  work = friction = 0;
  Outcome total;
  for (const Part& part : held.empty() ? flight : parts) {
    const Outcome out = euler(t, part.fraction * h, part.adjoint, held, y_now, z_now);
    total.iterations += out.iterations;
    total.status = out.status, total.residual = out.residual;
    if (!out.ok()) {  // another try starts where this one did
      euler.Psi0 = Psi0, euler.Psi1 = Psi1;
      return total;
    }
    t += part.fraction * h;
    work += euler.force_work, friction += euler.friction_work;
  }
  y = y_now, z = z_now;
  return total;
}

}  // namespace carom
