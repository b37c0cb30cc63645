#include "carom/contact/unit_energies.hpp"

#include <algorithm>

namespace carom {
namespace {

// Parts of a system take steps by quadrature rules and Gauss's alike. Legs with forces and motions in time
// keep H, and a law of one's own has one energy.
bool has_units(const System& system, const ImpactLaw& law) {
  const bool asks = law.by_shadow() || law.of_part || (law.at == ImpactLaw::At::leg && !system.forced());
  return asks && system.dense() && system.size() <= 16 && !system.timed() && units_of(system).size() > 1;
}

}  // namespace

UnitEnergies::UnitEnergies(const System& m, HeldFlow& held, const SteadyFlow& f, const ImpactLaw& l, double e)
    : system(m), flow(f), law(l), restitution(e), apart(has_units(m, l)), whole(m, held, f, l, e) {
  if (apart) reference.assign(static_cast<std::size_t>(m.size()) + 1, 0.0);
}

void UnitEnergies::make_units(double t, const Values& q) {
  const auto& dense = static_cast<const DenseSystem&>(system);
  for (auto& members : units_of(system)) {
    auto unit = std::make_unique<Unit>(dense, std::move(members), q, t, flow, law, restitution);
    unit->energy.blur = unit->part.blur();
    if (unit->part.contact_count() > 0) units.push_back(std::move(unit));
  }
  std::copy(q.begin(), q.end(), reference.begin());
  reference.back() = t;
}

void UnitEnergies::begin(double t, const Z& z, const std::vector<int>& lasting) {
  if (!apart) return whole.begin(t, z, lasting);
  make_units(t, z.q);
  for (const auto& unit : units) {
    unit->part.pick(z.q, own.q), unit->part.pick(z.p, own.p),
        unit->part.pick_contacts(lasting, unit->lasting);
    unit->energy.begin(t, own, unit->lasting);
  }
}

void UnitEnergies::start(double t, const Z& z, const std::vector<int>& lasting) {
  whole.start(t, z, lasting);
  for (const auto& unit : units) {
    unit->part.pick(z.q, own.q), unit->part.pick(z.p, own.p),
        unit->part.pick_contacts(lasting, unit->lasting);
    unit->energy.start(t, own, unit->lasting);
  }
}

// Forces do work on each unit for itself.
void UnitEnergies::add_leg(double t, const Z& z, const std::vector<int>& lasting, PartialMotion::Kind kind,
                           double tau, double work) {
  whole.work += work;
  if (!apart) return;
  leg.t = t, leg.z = z, leg.lasting = lasting, leg.kind = kind, leg.tau = tau;
  if (!system.forced()) return;
  for (const auto& unit : units) unit->energy.work += along_leg(*unit).work;
}

void UnitEnergies::scale(const ImpactEnergy::Impact& impact, const Push& push, Values& p) {
  if (!apart) {
    const struct {
      const ImpactEnergy::Impact& impact;
      const Push& push;
      Values& impulse;
    } all{impact, push, J};
    const double s = whole.scale(impact, [&all](double size, Values& to) {
      all.impulse = size * all.impact.J;
      all.push(all.impulse, to);
    });
    if (s != 1) J = s * impact.J, push(J, p);
    return;
  }
  J = impact.J;
  bool stretched = false;
  for (const auto& unit : units) {
    unit->part.pick(impact.J, unit->J);
    if (unit->J.isZero(0)) continue;
    const double s = scale_unit(*unit, impact, push);
    stretched = stretched || s != 1;
    put(*unit, s);
  }
  if (stretched) push(J, p);
}

// s J of the unit, in its places.
void UnitEnergies::put(const Unit& unit, double s) {
  const auto& members = unit.part.members();
  for (std::size_t i = 0; i < members.size(); ++i) J[members[i]] = s * unit.J[static_cast<int>(i)];
}

double UnitEnergies::scale_unit(Unit& unit, const ImpactEnergy::Impact& impact, const Push& push) {
  const PartOfSystem& part = unit.part;
  part.pick(impact.p_before, unit.p_before), part.pick(impact.leaving.q, unit.leaving.q);
  part.pick(impact.leaving.p, unit.leaving.p), part.pick_contacts(impact.lasting, unit.lasting);
  const double loss = part.hamiltonian(impact.t, unit.leaving.q, unit.p_before) -
                      part.hamiltonian(impact.t, unit.leaving.q, unit.leaving.p);
  const Spent of_leg = law.at == ImpactLaw::At::leg ? along_leg(unit) : Spent{};
  struct {
    UnitEnergies& all;
    Unit& unit;
    const Push& push;
  } one{*this, unit, push};
  return unit.energy.scale(
      {impact.t, impact.rest, unit.p_before, unit.J, unit.leaving, unit.lasting, of_leg, loss},
      [&one](double size, Values& to) {
        one.all.put(one.unit, size);
        one.push(one.all.J, one.all.p_all);
        one.unit.part.pick(one.all.p_all, to);
      });
}

// What the part of the step that was added last is for the unit alone.
Spent UnitEnergies::along_leg(Unit& unit) {
  unit.part.pick(leg.z.q, own.q), unit.part.pick(leg.z.p, own.p),
      unit.part.pick_contacts(leg.lasting, unit.leg_lasting);
  unit.motion.begin(leg.t, own, unit.leg_lasting, leg.kind);
  return unit.motion(leg.tau, unit.leg_end);
}

void UnitEnergies::forget() {
  whole.forget();
  for (const auto& unit : units) unit->energy.forget();
}
void UnitEnergies::keep_counts() {
  counts = whole.counts();
  for (const auto& unit : units) unit->counts = unit->energy.counts();
}
void UnitEnergies::recount() {
  whole.recount(counts);
  for (const auto& unit : units) unit->energy.recount(unit->counts);
}

void UnitEnergies::numbers(KeptNumbers& f) {
  whole.numbers(f);
  std::int64_t made = !units.empty();
  f(made);
  if (!apart) return;
  for (double& x : reference) f(x);
  if (made && units.empty()) {
    const Values q = Eigen::Map<const Values>(reference.data(), system.size());
    make_units(reference.back(), q);
  }
  for (const auto& unit : units) unit->energy.numbers(f);
}

std::int64_t UnitEnergies::sum(std::int64_t ImpactEnergy::*count) const {
  std::int64_t total = whole.*count;
  for (const auto& unit : units) total += unit->energy.*count;
  return total;
}

double UnitEnergies::uncertainty() const {
  double most = whole.uncertainty;
  for (const auto& unit : units) most = std::fmax(most, unit->energy.uncertainty);
  return most;
}

}  // namespace carom
