#include "carom/contact/impact_energy.hpp"

namespace carom {

double least_restitution(const System& system, double usual) {
  double least = 1;
  for (int i = 0; i < system.contact_count(); ++i) {
    const double own = system.restitution(i);
    least = std::fmin(least, std::isnan(own) ? usual : own);
  }
  return least;
}

ImpactEnergy::ImpactEnergy(const System& m, HeldFlow& h, const SteadyFlow& f, const ImpactLaw& l,
                           double restitution)
    : least(least_restitution(m, restitution)),
      system(m),
      held(h),
      flow(f),
      law(l),
      keeps_anchor(law.anchored && least == 1 && !m.forced() && !m.timed()),
      lossy(least < 1),
      reach(lossy ? 0.25 * (1 - least) : 0.5),
      motion(m, h, f, l),
      search(m, motion, f.h),
      v(m.size()) {
  for (int i = 0; i < m.contact_count(); ++i) all_contacts.push_back(i);
}

void ImpactEnergy::begin(double t, const Z& z, const std::vector<int>& lasting) {
  if (!keeps_anchor) return;
  E = law.by_shadow() ? shadow_energy(t, z, lasting) : law.before(t, z);
  if (!std::isfinite(*E)) E.reset();
}

void ImpactEnergy::start(double t, const Z& z, const std::vector<int>& lasting) {
  node_time = t, node = z, node_lasting = lasting;
  at_node.reset();
  work = loss = 0;
}

double ImpactEnergy::scale(const Impact& impact, const Leave& leave) {
  loss += impact.loss;
  if (law.keeps_H() || system.timed())
    return 1;  // what moves with time leaves no energy but that of the impact
  // A force changes the energy along a leg, of which -D3 L_d is a mean: known to h² only, whatever the flow.
  // Along the windows of a median it is known to h.
  if (system.forced() && law.at != ImpactLaw::At::impact && !law.by_shadow()) return 1;
  if (law.by_shadow() && !E && impact.lasting != node_lasting) return 1;
  const double target = target_of(impact);
  system.velocity(impact.t, impact.leaving.q, impact.leaving.p, v);
  const double slope = impact.J.dot(v);
  const double small = law.by_shadow() ? 0 : 1e-9 * std::abs(impact.leaving.p.dot(v));
  if (!(std::abs(slope) > small)) return 1;  // too small to see
  const double s = root_near_one(target, slope, impact, leave);
  ++impacts;
  if (law.by_shadow()) uncertainty += (held.unknown - uncertainty) / static_cast<double>(impacts);
  return s;
}

double ImpactEnergy::target_of(const Impact& impact) {
  switch (law.at) {
    case ImpactLaw::At::impact:
      trial.q = impact.leaving.q, trial.p = impact.p_before;
      return law.before(impact.t, trial) - impact.loss;
    case ImpactLaw::At::leg:
      return impact.leg.energy - impact.loss;
    case ImpactLaw::At::node:
      break;
  }
  if (E) return *E;
  if (!at_node)
    at_node = law.by_shadow() ? shadow_energy(node_time, node, node_lasting) : law.before(node_time, node);
  return *at_node - loss;
}

// Of a trial departure.
double ImpactEnergy::energy_after(const Impact& impact) {
  if (law.at == ImpactLaw::At::impact) return ++solves, law.after(impact.t, trial);
  return law.at == ImpactLaw::At::leg ? energy_of_leg(impact) : energy_at_node(impact);
}

// Where another impact comes first, it ends the leg: 002, (78).
double ImpactEnergy::energy_of_leg(const Impact& impact) {
  ++solves;
  motion.begin(impact.t, trial, impact.lasting, law.part);
  Spent spent = motion(impact.rest, end);
  if (spent.outcome.ok()) system.gaps(impact.t + impact.rest, end.q, gaps);
  if (!spent.outcome.ok() || (gaps.size() > 0 && gaps.minCoeff() < 0)) {
    const auto& next = search.first(impact.rest, all_contacts, {}, EventSearch::usual_samples,
                                    [](double, const Z&) { return true; });
    if (next.kind == EventSearch::Kind::impact && next.at.tau > 0) spent = next.at.spent;
  }
  return spent.energy;
}

double ImpactEnergy::energy_at_node(const Impact& impact) {
  for (const auto kind : {law.part, ImpactLaw::Part::flow}) {
    motion.begin(impact.t, trial, impact.lasting, kind);
    const Spent spent = motion(impact.rest, end);
    if (!spent.outcome.ok()) continue;
    const double t = impact.t + impact.rest;
    if (!law.by_shadow()) ++solves;
    return (law.by_shadow() ? shadow_energy(t, end, impact.lasting) : law.after(t, end)) -
           (E ? 0 : work + spent.work);
  }
  return std::nan("");
}

double ImpactEnergy::shadow_energy(double t, const Z& z, const std::vector<int>& lasting) {
  ++solves;
  return held.shadow_energy(flow, t, z, law.order / 2, lasting);
}

// The secant method from 1; without a root near it, 1, counted. With losses, near means that it does not give
// back more than it takes, and the last bounces before rest are too slow for a comparison of energies.
double ImpactEnergy::root_near_one(double target, double slope, const Impact& impact, const Leave& leave) {
  const auto excess = [&](double s) {
    trial.q = impact.leaving.q;
    leave(s, trial.p);
    return energy_after(impact) - target;
  };
  double s = 1, f = excess(1);
  const double size = std::abs(target) + std::abs(slope),
               noise = law.by_shadow() ? held.rounding + blur : law.noise * size;
  strongest = std::fmax(strongest, std::abs(slope));
  if (std::fmax(noise, blur) > 1e-7 * std::abs(slope))
    return drowned += !lossy || std::abs(slope) > 1e-3 * strongest, 1;
  const double unclear = law.by_shadow() ? 16 * noise : std::fmax(16 * blur, 1e-12 * size);
  for (int i = 0; i < 30; ++i) {
    if (std::abs(f) <= noise) return ++found, s;
    const double change = -f / slope;
    if (!std::isfinite(change) || std::abs(s + change - 1) > reach) break;
    if (std::abs(change) <= 1e-16) return ++found, s;
    const double f_before = f;
    s += change, f = excess(s);
    if (std::abs(f) >= std::abs(f_before) && std::abs(f) <= unclear) return ++found, s;
    slope = (f - f_before) / change;
  }
  fallbacks += !lossy;
  return 1;
}

}  // namespace carom
