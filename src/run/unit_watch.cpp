#include "run/unit_watch.hpp"

#include <algorithm>

namespace carom {
namespace {

constexpr int most_coordinates = 16, stride = 4;  // what errs does so for long

}  // namespace

UnitWatch::Unit::Unit(const DenseSystem& whole, std::vector<int> members, double t, const RunState& start)
    : part(whole, std::move(members), start.q, t),
      watch(part.size()),
      z{RunVector(part.size()), RunVector(part.size())},
      v(part.size()),
      Lq(part.size()),
      Lv(part.size()) {}

UnitWatch::UnitWatch(const System* whole, double t, const RunState& start, bool losses) : by_losses(losses) {
  if (!whole || !whole->dense() || whole->size() > most_coordinates || whole->timed()) return;
  system = static_cast<const DenseSystem*>(whole);
  auto members = units_of(*system);
  if (members.size() < 2 || system->rubs()) return;
  for (auto& unit : members) units.push_back(std::make_unique<Unit>(*system, std::move(unit), t, start));
  force.resize(system->size()), velocity.resize(system->size());
  unite_driven(t, start);
  if (units.size() < 2) units.clear();
}

// Forces act where they do not vanish at some places, times and velocities.
void UnitWatch::unite_driven(double t, const RunState& start) {
  const int n = system->size();
  RunVector q = start.q, v(n);
  for (int probe = 0; probe < 3; ++probe) {
    for (int i = 0; i < n; ++i)
      v[i] = std::sin(1.0 + probe + 7 * i), q[i] += probe * 1e-3 * std::cos(2.0 + 5 * i);
    for (const auto& unit : units)
      unit->driven = unit->driven || is_driven(*unit, t + probe * std::sqrt(2), q, v);
    find_rubbed(t, q);
  }
  std::vector<int> all;
  for (const auto& unit : units)
    if (unit->driven) all.insert(all.end(), unit->part.members().begin(), unit->part.members().end());
  if (std::erase_if(units, [](const auto& unit) { return unit->driven; }) == 0) return;
  std::sort(all.begin(), all.end());
  units.push_back(std::make_unique<Unit>(*system, std::move(all), t, start));
  units.back()->driven = true;
}

// Friction acts on what a gap and its slip see.
void UnitWatch::find_rubbed(double t, const RunVector& q) {
  SparseRows rows;
  for (int i = 0; i < system->contact_count(); ++i) {
    if (!(system->mu(i) > 0)) continue;
    rows.clear();
    system->gap_slopes(t, q, {&i, 1}, rows), system->slip_slopes(t, q, {&i, 1}, rows);
    for (const auto& unit : units)
      for (int k = 0; k < rows.size() && !unit->driven; ++k) unit->driven = sees(rows[k], *unit);
  }
}

bool UnitWatch::sees(const SparseRows::Row& row, const Unit& unit) {
  const auto& members = unit.part.members();
  for (std::size_t e = 0; e < row.at.size(); ++e)
    if (row.slopes[e] != 0 && std::find(members.begin(), members.end(), row.at[e]) != members.end())
      return true;
  return false;
}

bool UnitWatch::is_driven(const Unit& unit, double t, const RunVector& q, const RunVector& v) {
  if (!system->forced()) return false;
  system->force(t, q, v, force);
  return std::any_of(unit.part.members().begin(), unit.part.members().end(),
                     [&](int i) { return force[i] != 0; });
}

void UnitWatch::see(const GridPoint& point, const Accounts& ledger) {
  if (units.empty()) return;
  for (const Impact& impact : point.impacts) add_losses(impact);
  if (point.n % stride != 0) return;
  for (const auto& unit : units) {
    unit->part.pick(point.z.q, unit->z.q), unit->part.pick(point.z.p, unit->z.p);
    unit->account.H = unit->part.hamiltonian(point.t, unit->z.q, unit->z.p, unit->v, unit->Lq, unit->Lv);
    unit->account.energy.add(unit->account.H, point.n == 0);
    if (unit->driven) unit->account.work = ledger.work, unit->account.friction = ledger.friction;
    unit->watch.see(unit->z.p, unit->v, unit->account);
    for (int i = 0; i < unit->part.size(); ++i)
      velocity[unit->part.members()[static_cast<std::size_t>(i)]] = unit->v[i];
  }
  for (const auto& unit : units)
    if (!unit->driven && is_driven(*unit, point.t, point.z.q, velocity)) unknown = 1;
}

double UnitWatch::Unit::taken(const Impact& impact) {
  part.pick(impact.q, z.q), part.pick(impact.p_before, z.p);
  const double before = part.hamiltonian(impact.t, z.q, z.p, v, Lq, Lv);
  part.pick(impact.p_after, z.p);
  return before - part.hamiltonian(impact.t, z.q, z.p, v, Lq, Lv);
}

// What the law says that it took, where it says so, is shared out as H has it.
void UnitWatch::add_losses(const Impact& impact) {
  double all = 0, sizes = 0;
  for (const auto& unit : units)
    unit->lost = unit->taken(impact), all += unit->lost, sizes += std::abs(unit->lost);
  const double more = std::isnan(impact.loss) || sizes == 0 ? 0 : (impact.loss - all) / sizes;
  for (const auto& unit : units) unit->account.loss += unit->lost + more * std::abs(unit->lost);
}

double UnitWatch::share(const EnergySeen& seen) const {
  const double error = by_losses ? seen.remainder : seen.change;
  return error > seen.rounding && seen.scale > 0 ? error / seen.scale : 0;
}

EnergySeen UnitWatch::worst(EnergySeen whole) const {
  if (unknown != 0) return whole;
  for (const auto& unit : units) {
    EnergySeen seen = unit->watch.seen();
    seen.rounding = std::fmax(seen.rounding, unit->part.blur());
    if (share(seen) > share(whole)) whole = seen;
  }
  return whole;
}

void UnitWatch::numbers(KeptNumbers& f) {
  f(unknown);
  for (const auto& unit : units) {
    f(unit->account.H), f(unit->account.loss);
    unit->account.energy.numbers(f), unit->watch.numbers(f);
  }
}

}  // namespace carom
