#include "carom/flow/held_flow.hpp"

namespace carom {

HeldFlow::HeldFlow(const System& system)
    : step(system),
      free(make_free_flow(system)),
      node{Values(system.size()), Values(system.size())} {}

Spent HeldFlow::operator()(const Flow& flow, double t, double h, Z& z, std::span<const int> contacts,
                           Hold hold, const Options& options) {
  if (free && contacts.empty() && hold == Hold::bilateral) return (*free)(flow, t, h, z);
  Spent total;
  for (const Substep& substep : flow.substeps) {
    const Rule* rule = std::get_if<Rule>(&substep.block);
    if (!rule) return total.outcome.status = Status::no_joints, total;
    const double tau = h * substep.fraction;
    const Outcome part = step(*rule, t, tau, z.q, z.p, contacts, hold, options);
    const int iterations = total.outcome.iterations + part.iterations;
    total.outcome = part, total.outcome.iterations = iterations;
    if (!part.ok()) return total;
    total.action += step.Ld.action, total.work += step.Ld.work;
    total.energy += substep.fraction * step.Ld.energy;
    t += tau;
  }
  return total;
}

double HeldFlow::shadow_energy(const SteadyFlow& flow, double t, const Z& z, int m,
                               std::span<const int> contacts) {
  const auto inner = interpolation_weights(1 - m, 2 * m - 1, 0);  // of the order before
  const double here = z.p.dot(z.q);
  for (const int shift : {0, m, -m}) {
    const auto w = interpolation_weights(shift - m, 2 * m + 1, 0);
    const double* slope = &w.slope[m - shift];
    const double* lower = &inner.slope[m - 1];
    Sums sums{slope[0] * here, lower[0] * here};
    const bool ok =
        walk(flow.forward, flow.h, t, z, 1, shift + m, contacts, slope, lower, m, sums) &&
        walk(flow.backward, flow.h, t, z, -1, m - shift, contacts, slope, lower, m, sums);
    if (!ok || !std::isfinite(sums.energy)) continue;
    unknown = shift == 0 && m > 1 ? std::abs(sums.energy - sums.lower) / flow.h : 0;
    return sums.energy / flow.h;
  }
  return std::nan("");
}

bool HeldFlow::walk(const Flow& flow, double h, double t, const Z& z, int sign, int nodes,
                    std::span<const int> contacts, const double* weights, const double* lower_weights,
                    int lower_nodes, Sums& sums) {
  node = z;
  double action = 0;
  for (int k = 1; k <= nodes; ++k) {
    const Spent spent = (*this)(flow, t + sign * (k - 1) * h, h, node, contacts, Hold::bilateral);
    if (!spent.outcome.ok()) return false;
    action += spent.action;
    const double value = z.p.dot(node.q) - action;
    sums.energy += weights[sign * k] * value;
    if (k < lower_nodes) sums.lower += lower_weights[sign * k] * value;
  }
  return true;
}

}  // namespace carom
