#include "run/observers.hpp"

#include <algorithm>

#include "records/contact_changes.hpp"
#include "records/impacts.hpp"

namespace carom {
namespace {

constexpr int most_named = 12;  // contacts of one impact

std::size_t longest_contact_name(const WatchedSystem& system) {
  std::size_t r = 0;
  for (int i = 0; i < system.contact_count(); ++i) r = std::max(r, system.contact_name(i).size());
  return r;
}

void append(std::vector<double>& row, const RunVector& x) { row.insert(row.end(), x.begin(), x.end()); }

}  // namespace

double ShadowWatch::look(const SeenPoint& point) {
  if (!shadow) return std::nan("");
  const ShadowValue value = shadow->at(point.n, point.t, point.z);
  check.energy.add(value.energy, point.n == 0);
  check.uncertainty = std::fmax(check.uncertainty, value.uncertainty);
  return value.energy;
}

void ShadowWatch::numbers(KeptNumbers& f) {
  if (shadow) shadow->numbers(f);
  check.energy.numbers(f), f(check.uncertainty);
}

Layout Recorder::layout(std::size_t momenta) const {
  const auto width = static_cast<std::size_t>(n), gaps = static_cast<std::size_t>(system.contact_count());
  Layout r;
  r.columns = {{"t"},
               {"q", width, false},
               {"p", width, false},
               {"H"},
               {"shadow_energy"},
               {"discrete_energy"},
               {"work"},
               {"loss"},
               {"momenta", momenta, false},
               {"gaps", gaps, false}};
  if (system.has_friction()) r.columns.push_back({"friction"});
  if (const auto count = system.multiplier_count())
    r.columns.push_back({"multipliers", static_cast<std::size_t>(*count), false});
  return r;
}

void Recorder::record(const SeenPoint& point) {
  if (!records || point.n == recorded) return;
  recorded = point.n;
  row.clear();
  row.push_back(point.t);
  append(row, point.z.q), append(row, point.z.p);
  row.insert(row.end(), {ledger.H, shadow.look(point), energy, ledger.work, ledger.loss});
  for (const Constancy& momentum : ledger.momenta) row.push_back(momentum.final);
  append(row, point.look.gaps);
  if (system.has_friction()) row.push_back(ledger.friction);
  if (system.multiplier_count()) append(row, system.multipliers(point.t, point.z));
  records->row(row);
}

Layout ImpactRecorder::layout() const {
  const auto named =
      static_cast<std::size_t>(std::min(system.contact_count(), most_named)) + 1;  // and how many more
  return impact_layout(static_cast<std::size_t>(system.size()), named * (longest_contact_name(system) + 14));
}

void ImpactRecorder::see(std::int64_t n, std::span<const Impact> impacts) {
  for (const auto& impact : impacts) {
    last = impact.t;
    if (records) record(n, impact);
  }
}

void ImpactRecorder::record(std::int64_t step, const Impact& impact) {
  names.clear(), row.clear();
  int named = 0;
  for (const int i : impact.contacts) {
    if (named == most_named) break;
    if (named++ > 0) names += " + ";
    names += system.contact_name(i);
  }
  if (impact.contacts.size() > most_named)
    names += " + " + std::to_string(impact.contacts.size() - most_named) + " more";
  row.insert(row.end(), {impact.t, static_cast<double>(step)});
  for (const RunVector* x : {&impact.q, &impact.p_before, &impact.p_after}) append(row, *x);
  row.insert(row.end(), {impact.impulse, impact.rate_before, impact.rate_after});
  records->impact(row, names);
}

Layout ChangeRecorder::layout() const {
  return change_layout(std::max<std::size_t>(1, longest_contact_name(system)));
}

void ChangeRecorder::see(std::int64_t n, std::span<const ContactChange> changes) {
  for (const ContactChange& change : changes) {
    lasting.at(static_cast<std::size_t>(change.contact)) = change.begins ? 1 : 0;
    ++(change.begins ? begun : released);
    rest = change.begins ? change.settled : std::nan("");
    if (!records) continue;
    const double row[] = {change.t, static_cast<double>(n), change.begins ? 1.0 : 0.0, change.settled};
    records->change(row, system.contact_name(change.contact));
  }
}

void ChangeRecorder::numbers(KeptNumbers& f) {
  f(begun), f(released), f(rest);
  for (std::int64_t& flag : lasting) f(flag);
}

LastingContacts ChangeRecorder::result() const {
  LastingContacts r{begun, released, {}, std::nullopt};
  for (std::size_t i = 0; i < lasting.size(); ++i)
    if (lasting[i] != 0) r.at_end.push_back(system.contact_name(static_cast<int>(i)));
  if (!r.at_end.empty() && !std::isnan(rest)) r.rest = rest;
  return r;
}

bool UntilWatch::changes_sign(const SeenPoint& point) {
  const RunVector& v = system.velocity(point.z, point.look);
  const auto n = static_cast<std::size_t>(v.size());
  const double value = (*until)({point.z.q.data(), n}, {v.data(), n}, point.t);
  const bool changed = (value < 0 && before > 0) || (value > 0 && before < 0) || (value == 0 && point.n > 0);
  if (value != 0) before = value;
  return changed;
}

bool Pulse::beats(std::int64_t n) {
  if (n % 64 != 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last < std::chrono::milliseconds(100)) return false;
  last = now;
  return true;
}

bool Pulse::stop(std::int64_t n, std::int64_t hits) const {
  if (hooks.progress && impacts) hooks.progress(hits, *impacts, "impacts");
  if (hooks.progress && !impacts) hooks.progress(n, steps, "steps");
  return hooks.stop && hooks.stop();
}

}  // namespace carom
