#include "carom/contact/partial_motion.hpp"

namespace carom {

void PartialMotion::begin(double start_time, const Z& z, std::span<const int> held_contacts, Kind k) {
  t = start_time, start = z, kind = k;
  contacts.assign(held_contacts.begin(), held_contacts.end());
  if (kind != Kind::polynomial) return;
  const int m = law.order / 2;
  has_nodes = false;
  for (const int from : {1 - m, 0, 1 - 2 * m})  // one-sided where the system is not defined on the other
    if (!has_nodes) has_nodes = iterate_nodes(from, from + 2 * m - 1);
}

bool PartialMotion::iterate_nodes(int from, int to) {
  first_node = from;
  nodes.resize(static_cast<std::size_t>(to - from + 1), start);
  const auto at = [&](int k) -> Z& { return nodes[static_cast<std::size_t>(k - from)]; };
  Z& z = walker;
  z = start;
  if (from <= 0 && to >= 0) at(0) = start;
  for (int k = 1; k <= to; ++k) {
    if (!held(flow.forward, t + (k - 1) * flow.h, flow.h, z, contacts, HeldFlow::Hold::bilateral)
             .outcome.ok())
      return false;
    if (k >= from) at(k) = z;
  }
  z = start;
  for (int k = -1; k >= from; --k) {
    if (!held(flow.backward, t + (k + 1) * flow.h, flow.h, z, contacts, HeldFlow::Hold::bilateral)
             .outcome.ok())
      return false;
    if (k <= to) at(k) = z;
  }
  return true;
}

Spent PartialMotion::operator()(double tau, Z& z) {
  z = start;
  if (tau == 0) return none();
  switch (kind) {
    case Kind::flow:
      return held(flow.forward, t, tau, z, contacts, HeldFlow::Hold::bilateral);
    case Kind::composition:
      return by_composition(tau, z);
    case Kind::polynomial:
      return by_polynomial(tau, z);
    case Kind::field:
      break;
  }
  Spent spent;
  spent.energy = std::nan("");
  spent.outcome = law.field(tau, z);
  return spent;
}

// The energy of a part of no length is what -D3 L_d tends to.
Spent PartialMotion::none() {
  Spent spent;
  spent.energy = std::nan("");
  if (law.at == ImpactLaw::At::leg) spent.energy = system.hamiltonian(t, start.q, start.p, v, Lq, Lv);
  return spent;
}

// Three substeps whose leading errors add up to those of tau/h of a step (shadow.hpp).
Spent PartialMotion::by_composition(double tau, Z& z) {
  const double alpha = tau / flow.h, b = outer_fraction(alpha, flow.forward.order);
  Spent total;
  double now = t;
  for (const double fraction : {-b, alpha + 2 * b, -b}) {
    const Spent part = held(flow.forward, now, fraction * flow.h, z, contacts, HeldFlow::Hold::bilateral);
    total.action += part.action, total.work += part.work, total.outcome = part.outcome;
    total.energy = part.energy;  // of the last substep
    if (!part.outcome.ok()) return total;
    now += fraction * flow.h;
  }
  return total;
}

Spent PartialMotion::by_polynomial(double tau, Z& z) const {
  Spent spent;
  spent.energy = std::nan("");
  if (!has_nodes) return spent.outcome.status = Status::not_finite, spent;
  const auto w = interpolation_weights(first_node, static_cast<int>(nodes.size()), tau / flow.h);
  z.q.setZero(), z.p.setZero();
  for (std::size_t j = 0; j < nodes.size(); ++j)
    z.q += w.value[j] * nodes[j].q, z.p += w.value[j] * nodes[j].p;
  return spent;
}

}  // namespace carom
