#include "run/unit_watch.hpp"

namespace carom {
namespace {

constexpr int most_coordinates = 16, stride = 4;  // what errs does so for long

double share(const EnergySeen& seen) {
  const double error = std::fmax(seen.change, seen.remainder);
  return error > seen.rounding && seen.scale > 0 ? error / seen.scale : 0;
}

}  // namespace

UnitWatch::Unit::Unit(const DenseSystem& whole, std::vector<int> members, double t, const RunState& start)
    : part(whole, std::move(members), start.q, t),
      watch(part.size()),
      z{RunVector(part.size()), RunVector(part.size())},
      v(part.size()),
      Lq(part.size()),
      Lv(part.size()) {}

UnitWatch::UnitWatch(const System* system, double t, const RunState& start) {
  if (!system || !system->dense() || system->size() > most_coordinates || system->forced() || system->timed())
    return;
  auto members = units_of(*system);
  if (members.size() < 2) return;
  const auto& dense = static_cast<const DenseSystem&>(*system);
  for (auto& unit : members) units.push_back(std::make_unique<Unit>(dense, std::move(unit), t, start));
}

void UnitWatch::see(const GridPoint& point) {
  if (units.empty() || point.n % stride != 0) return;
  for (const auto& unit : units) {
    unit->part.pick(point.z.q, unit->z.q), unit->part.pick(point.z.p, unit->z.p);
    unit->account.H = unit->part.hamiltonian(point.t, unit->z.q, unit->z.p, unit->v, unit->Lq, unit->Lv);
    unit->account.energy.add(unit->account.H, point.n == 0);
    unit->watch.see(unit->z.p, unit->v, unit->account);
  }
}

EnergySeen UnitWatch::worst(EnergySeen whole, const Accounts& ledger) const {
  if (std::abs(ledger.loss) + std::abs(ledger.friction) + std::abs(ledger.work) > whole.rounding)
    return whole;
  for (const auto& unit : units) {
    EnergySeen seen = unit->watch.seen();
    seen.rounding = std::fmax(seen.rounding, unit->part.blur());
    if (share(seen) > share(whole)) whole = seen;
  }
  return whole;
}

void UnitWatch::numbers(KeptNumbers& f) {
  for (const auto& unit : units) f(unit->account.H), unit->account.energy.numbers(f), unit->watch.numbers(f);
}

}  // namespace carom
