#include "carom/flow/held_flow.hpp"

namespace carom {

HeldFlow::HeldFlow(const System& system)
    : step(system),
      free(make_free_flow(system)),
      node{Values(system.size()), Values(system.size())},
      way(system.size()),
      distance(system.size()),
      Lq(system.size()),
      Lv(system.size()) {}

Spent HeldFlow::operator()(const Flow& flow, double t, double h, Z& z, std::span<const int> contacts,
                           Hold hold, const Options& options) {
  freely = free && contacts.empty() && hold == Hold::bilateral;
  if (freely) return (*free)(flow, t, h, z);
  Spent total;
  way.setZero();
  for (const Substep& substep : flow.substeps) {
    const Rule* rule = std::get_if<Rule>(&substep.block);
    if (!rule) return total.outcome.status = Status::no_joints, total;
    const double tau = h * substep.fraction;
    const bool rubs = modes && !contacts.empty();
    const Outcome part = rubs ? (*rubbing)(*rule, t, tau, z.q, z.p, contacts, *modes)
                              : step(*rule, t, tau, z.q, z.p, contacts, hold, options);
    const DiscreteSlopes& Ld = rubs ? rubbing->Ld : step.Ld;
    const int iterations = total.outcome.iterations + part.iterations;
    total.outcome = part, total.outcome.iterations = iterations;
    if (!part.ok()) return total;
    total.action += Ld.action, total.work += Ld.work, way += tau * (rubs ? rubbing->v : step.v);
    total.energy += substep.fraction * Ld.energy;
    if (rubs) total.friction += rubbing->friction;
    t += tau;
  }
  return total;
}

double HeldFlow::shadow_energy(const SteadyFlow& flow, double t, const Z& z, int m,
                               std::span<const int> contacts) {
  const auto inner = interpolation_weights(1 - m, 2 * m - 1, 0);  // of the order before
  at_rest = lagrangian_at_rest(t, z.q);
  for (const int shift : {0, m, -m}) {
    const auto w = interpolation_weights(shift - m, 2 * m + 1, 0);
    const double* slope = &w.slope[m - shift];
    const double* lower = &inner.slope[m - 1];
    Sums sums;
    const bool ok = walk(flow.forward, flow.h, t, z, 1, shift + m, contacts, slope, lower, m, sums) &&
                    walk(flow.backward, flow.h, t, z, -1, m - shift, contacts, slope, lower, m, sums);
    if (!ok || !std::isfinite(sums.energy)) continue;
    unknown = shift == 0 && m > 1 ? std::abs(sums.energy - sums.lower) / flow.h : 0;
    const auto substeps = static_cast<double>(flow.forward.substeps.size());  // each rounds anew
    rounding = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(substeps) * sums.size / flow.h +
               4 * std::numeric_limits<double>::epsilon() * std::abs(at_rest);
    return sums.energy / flow.h - at_rest;
  }
  return std::nan("");
}

double HeldFlow::lagrangian_at_rest(double t, const Values& q) {
  distance.setZero();
  const double L = step.Ld.system.slopes(t, q, distance, Lq, Lv);
  return std::isfinite(L) ? L : 0;
}

void HeldFlow::add_way(Values& to) const {
  if (freely)
    to += Eigen::Map<const Values>(free->moved(), to.size());
  else
    to += way;
}

bool HeldFlow::walk(const Flow& flow, double h, double t, const Z& z, int sign, int nodes,
                    std::span<const int> contacts, const double* weights, const double* lower_weights,
                    int lower_nodes, Sums& sums) {
  node = z, distance.setZero();
  double action = 0;
  for (int k = 1; k <= nodes; ++k) {
    const Spent spent = (*this)(flow, t + sign * (k - 1) * h, h, node, contacts, Hold::bilateral);
    if (!spent.outcome.ok()) return false;
    action += spent.action - sign * h * at_rest, add_way(distance);
    const double value = z.p.dot(distance) - action;
    sums.energy += weights[sign * k] * value;
    sums.size += std::abs(weights[sign * k]) * (z.p.cwiseAbs().dot(distance.cwiseAbs()) + std::abs(action));
    if (k < lower_nodes) sums.lower += lower_weights[sign * k] * value;
  }
  return true;
}

}  // namespace carom
