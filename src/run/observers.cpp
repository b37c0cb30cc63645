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

// A column with a number for each of `count` things, by their names.
Column column_of_named(const char* name, int count, auto&& name_of) {
  Column r{name, static_cast<std::size_t>(count), false};
  for (int i = 0; i < count; ++i) r.parts.push_back(name_of(i));
  return r;
}

std::span<const double> span_of(const RunVector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

}  // namespace

double ShadowWatch::look(const SeenPoint& point) {
  if (!shadow || closed) return std::nan("");
  const ShadowValue value = shadow->at(point.n, point.t, point.z);
  check.energy.add(value.energy, point.n == 0);
  check.uncertainty = std::fmax(check.uncertainty, value.uncertainty);
  return value.energy;
}

void ShadowWatch::numbers(KeptNumbers& f) {
  if (shadow) shadow->numbers(f);
  check.energy.numbers(f), f(check.uncertainty);
}

QuantityWatch::QuantityWatch(WatchedSystem& s, Quantities own) : system(s), quantities(std::move(own)) {
  for (const std::string& name : quantities.names) ranges.push_back({name});
  lost.assign(ranges.size(), std::nan(""));
}

std::span<const double> QuantityWatch::at(const SeenPoint& point) {
  if (empty()) return {};
  return quantities.formulas(span_of(point.z.q), span_of(system.formula_velocity(point.z, point.look)),
                             point.t);
}

void QuantityWatch::see(const SeenPoint& point) {
  const auto values = at(point);
  for (std::size_t k = 0; k < values.size(); ++k) {
    QuantityRange& range = ranges[k];
    if (point.n == 0) range.initial = values[k];
    range.final = values[k];
    range.min = std::fmin(range.min, values[k]), range.max = std::fmax(range.max, values[k]);
    if (!std::isfinite(values[k]) && std::isnan(lost[k])) lost[k] = point.t;
  }
}

void QuantityWatch::numbers(KeptNumbers& f) {
  for (QuantityRange& range : ranges) f(range.initial), f(range.final), f(range.min), f(range.max);
  for (double& t : lost) f(t);
}

void QuantityWatch::tell(RunResult& r) const {
  r.quantities = ranges;
  for (std::size_t k = 0; k < ranges.size(); ++k)
    if (!std::isnan(lost[k]))
      r.warnings.push_back("the quantity \"" + ranges[k].name +
                           "\" has no finite value at t = " + detail::to_text(lost[k]));
}

Layout Recorder::layout(const std::vector<Look::Momentum>& momenta) const {
  const auto coordinates = [this](int i) { return system.coordinate_name(i); };
  const auto contacts = [this](int i) { return system.contact_name(i); };
  const auto tangents = [this](int k) {
    const int each = system.slips_each();
    return each == 1 ? system.contact_name(k)
                     : system.contact_name(k / each) + " " + std::to_string(k % each + 1);
  };
  Layout r;
  r.columns = {{"t"},
               column_of_named("q", n, coordinates),
               column_of_named("v", n, coordinates),
               column_of_named("p", n, coordinates),
               {"H"},
               {"shadow_energy"},
               {"discrete_energy"},
               {"work"},
               {"loss"},
               column_of_named("momenta", static_cast<int>(momenta.size()),
                               [&](int i) { return momenta[static_cast<std::size_t>(i)].name; }),
               column_of_named("gaps", system.contact_count(), contacts)};
  if (extras.lasting) r.columns.push_back(column_of_named("forces", system.contact_count(), contacts));
  if (extras.lasting && system.rubs_at_contacts())
    for (const char* name : {"friction_forces", "slips"})
      r.columns.push_back(column_of_named(name, system.slips_each() * system.contact_count(), tangents));
  if (system.has_friction()) r.columns.push_back({"friction"});
  if (const auto count = system.multiplier_count())
    r.columns.push_back(
        column_of_named("multipliers", *count, [this](int i) { return system.multiplier_name(i); }));
  const auto& own = extras.quantities.names();
  if (!own.empty()) r.columns.push_back({"quantities", own.size(), false, own});
  return r;
}

void Recorder::record(const SeenPoint& point) {
  if (!records || point.n == recorded) return;
  recorded = point.n;
  row.clear();
  row.push_back(point.t);
  append(row, point.z.q), append(row, system.velocity(point.z, point.look)), append(row, point.z.p);
  row.insert(row.end(), {ledger.H, shadow.look(point), energy, ledger.work, ledger.loss});
  for (const Constancy& momentum : ledger.momenta) row.push_back(momentum.final);
  append(row, point.look.gaps);
  const RunVector& multipliers = system.multipliers(point.t, point.z);
  if (extras.lasting) {
    system.contact_forces(point.t, point.z, *extras.lasting, point.n == 0, force);
    append(row, force);
    if (system.rubs_at_contacts()) append(row, system.friction_forces()), append(row, system.slips());
  }
  if (system.has_friction()) row.push_back(ledger.friction);
  append(row, multipliers);
  const auto own = extras.quantities.at(point);
  row.insert(row.end(), own.begin(), own.end());
  records->row(row);
}

Layout ImpactRecorder::layout() const {
  const auto named =
      static_cast<std::size_t>(std::min(system.contact_count(), most_named)) + 1;  // and how many more
  std::vector<std::string> coordinates;
  for (int i = 0; i < system.size(); ++i) coordinates.push_back(system.coordinate_name(i));
  return impact_layout(coordinates.size(), named * (longest_contact_name(system) + 14), coordinates);
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
    if (change.mode == ContactChange::none) {
      lasting.at(static_cast<std::size_t>(change.contact)) = change.begins ? 1 : 0;
      ++(change.begins ? begun : released);
      rest = change.begins ? change.settled : std::nan("");
    }
    if (!records) continue;
    const double event = change.begins ? 1.0 + static_cast<int>(change.mode) : 0.0;
    const double row[] = {change.t, static_cast<double>(n), event, change.settled};
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

double UntilWatch::value(const SeenPoint& point) {
  return (*until)(span_of(point.z.q), span_of(system.formula_velocity(point.z, point.look)), point.t);
}

bool UntilWatch::changes_sign(const SeenPoint& point) {
  const double now = value(point);
  const bool changed = (now < 0 && before > 0) || (now > 0 && before < 0) || (now == 0 && point.n > 0);
  if (now != 0) before = now;
  return changed;
}

bool Pulse::beats(std::int64_t n) {
  if (n < next_look) return false;
  const auto now = std::chrono::steady_clock::now();
  stride = now - looked < std::chrono::milliseconds(1) ? std::min<std::int64_t>(2 * stride, 64) : 1;
  looked = now, next_look = n + stride;
  if (now - last < std::chrono::milliseconds(100)) return false;
  last = now;
  return true;
}

void Pulse::tell(std::int64_t n, std::int64_t hits) const {
  if (hooks.progress && impacts) hooks.progress(hits, *impacts, "impacts");
  if (hooks.progress && !impacts) hooks.progress(n, steps, "steps");
}

}  // namespace carom
