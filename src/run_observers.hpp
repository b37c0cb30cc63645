// What looks on while a run goes: rows, impacts and changes of contacts into the records, the shadow energy,
// the clock, and the formula that ends a run. Each can give and take the numbers that a resumed run needs
// (`numbers`). Included by make_model.hpp only.
#pragma once

#include <chrono>
#include <cmath>

#include "carom/carom.hpp"
#include "model.hpp"
#include "records/contact_changes.hpp"
#include "records/impacts.hpp"
#include "until.hpp"

namespace carom::detail {

// Times every sixteenth step, so that the clock does not show up in what it measures; and ends a run where a
// formula has no value: an energy or a gap that is not a number makes no step fail.
template <System Sys, class Stepper>
struct TimedStepper {
  static constexpr int stride = 16;
  const Sys& system;
  Stepper& stepper;
  std::chrono::steady_clock::duration sampled{};
  std::int64_t calls = 0;

  // By value or by reference, as the stepper does.
  decltype(auto) step(double t, const State<double, Sys::dim>& z) {
    if constexpr (OwnDerivatives<Sys>) {
      auto r = timed_step(t, z);
      if (!r.failure) r.failure = missing_value(r.step.z);
      return r;
    } else {
      return timed_step(t, z);
    }
  }
  decltype(auto) timed_step(double t, const State<double, Sys::dim>& z) {
    if (calls++ % stride != 0) return stepper.step(t, z);
    const auto begin = std::chrono::steady_clock::now();
    decltype(auto) r = stepper.step(t, z);
    sampled += std::chrono::steady_clock::now() - begin;
    return r;
  }
  std::optional<Failure> missing_value(const State<double, Sys::dim>& z) const {
    const double H = hamiltonian(system, z);
    if (!std::isfinite(H)) return Failure{"the energy is not finite after it", H, ""};
    const auto gaps = system.gaps(z.q);
    for (int i = 0; i < gaps.size(); ++i)
      if (!std::isfinite(gaps[i]))
        return Failure{"a gap is not finite after it", gaps[i], gap_name(system, i)};
    return std::nullopt;
  }
  double seconds() const {
    return std::chrono::duration<double>(sampled).count() *
           std::min<double>(stride, static_cast<double>(calls));
  }
};

// The shadow energy where the system has one: forces leave none.
template <System Sys>
class ShadowWatch {
 public:
  // `steady`: the steps are all of one flow, as it is.
  ShadowWatch(const Sys& system, const SteadyFlow& flow, int order, bool steady)
      : window(system, flow, order / 2), exists(steady && !is_forced(system)) {
    check.energy.name = "shadow energy", check.order = order;
  }
  double look(const GridPoint<Sys::dim>& point) {
    if (!exists) return std::nan("");
    const auto value = window.at(point.n, point.t, point.z);
    check.energy.add(value.energy, point.n == 0);
    check.uncertainty = std::fmax(check.uncertainty, value.uncertainty);
    return value.energy;
  }
  std::optional<ShadowCheck> result() const { return exists ? std::optional(check) : std::nullopt; }
  void numbers(auto&& f) { window.numbers(f), check.energy.numbers(f), f(check.uncertainty); }

 private:
  ShadowWindow<Sys> window;
  bool exists;
  ShadowCheck check;
};

// A system whose constraints are held by multipliers that can be told at any point (a DAE).
template <class Sys>
concept HasMultipliers = requires(const Sys& system, const State<double, Sys::dim>& z) {
  system.multipliers(0.0, z);
};

// Records every so many grid points, and the last one.
template <System Sys>
class Recorder {
  static constexpr int N = Sys::dim;

 public:
  Recorder(const Sys& sys, const Ledger<Sys>& l, ShadowWatch<Sys>& s, RunRecords* out,
           const Scenario& scenario)
      : system(sys), ledger(l), shadow(s), records(out), every(scenario.output.every) {}

  Layout layout(std::size_t momenta) const {
    const auto n = static_cast<std::size_t>(coordinate_count(system));
    Layout r;
    r.columns = {{"t"},
                 {"q", n, false},
                 {"p", n, false},
                 {"H"},
                 {"shadow_energy"},
                 {"discrete_energy"},
                 {"work"},
                 {"loss"},
                 {"momenta", momenta, false},
                 {"gaps", static_cast<std::size_t>(gap_count(system)), false}};
    if (has_friction(system)) r.columns.push_back({"friction"});
    if constexpr (HasMultipliers<Sys>)
      r.columns.push_back({"multipliers", static_cast<std::size_t>(system.multiplier_count()), false});
    return r;
  }

  void operator()(const GridPoint<N>& point) {
    energy = point.step ? point.step->energy : std::nan("");
    if (point.n % every == 0) record(point);
  }
  // Called once more at the end of a run, for the point it ended at.
  void record(const GridPoint<N>& point) {
    if (!records || point.n == recorded) return;
    recorded = point.n;
    row.clear();
    const int n = coordinate_count(system);
    row.push_back(point.t);
    row.insert(row.end(), point.z.q.begin(), point.z.q.begin() + n);
    row.insert(row.end(), point.z.p.begin(), point.z.p.begin() + n);
    row.insert(row.end(), {ledger.H, shadow.look(point), energy, ledger.work, ledger.loss});
    for (const auto& momentum : ledger.momenta) row.push_back(momentum.final);
    if constexpr (HasGaps<Sys>) {
      const auto gaps = system.gaps(point.z.q);
      row.insert(row.end(), gaps.begin(), gaps.end());
    }
    if (has_friction(system)) row.push_back(ledger.friction);
    if constexpr (HasMultipliers<Sys>) {
      const auto psi = system.multipliers(point.t, point.z);
      row.insert(row.end(), psi.begin(), psi.end());
    }
    records->row(row);
  }
  void numbers(auto&& f) { f(recorded), f(energy); }

 private:
  const Sys& system;
  const Ledger<Sys>& ledger;
  ShadowWatch<Sys>& shadow;
  RunRecords* records;
  std::int64_t every, recorded = -1;
  double energy = 0;  // discrete, of the step seen last
  std::vector<double> row;
};

// Turns impacts into rows.
template <System Sys>
class ImpactRecorder {
 public:
  ImpactRecorder(const Sys& sys, RunRecords* out) : system(sys), records(out) {}

  Layout layout() const {
    const int contacts = gap_count(system);
    std::size_t longest = 0;
    for (int i = 0; i < contacts; ++i) longest = std::max(longest, gap_name(system, i).size());
    const auto named = static_cast<std::size_t>(std::min(contacts, most_named)) + 1;  // and how many more
    return impact_layout(static_cast<std::size_t>(coordinate_count(system)), named * (longest + 14));
  }

  void operator()(const GridPoint<Sys::dim>& point) {
    for (const auto& impact : point.impacts) {
      last = impact.t;
      if (records) record(point.n, impact);
    }
  }
  void numbers(auto&& f) { f(last); }
  double last = std::nan("");

 private:
  static constexpr int most_named = 12;  // contacts of one impact

  void record(std::int64_t step, const Impact<Sys::dim>& impact) {
    names.clear(), row.clear();
    int named = 0;
    for (const int i : impact.contacts) {
      if (named == most_named) break;
      if (named++ > 0) names += " + ";
      names += gap_name(system, i);
    }
    if (impact.contacts.size() > most_named)
      names += " + " + std::to_string(impact.contacts.size() - most_named) + " more";
    const int n = coordinate_count(system);
    row.insert(row.end(), {impact.t, static_cast<double>(step)});
    for (const auto* vector : {&impact.q, &impact.p_before, &impact.p_after})
      row.insert(row.end(), vector->begin(), vector->begin() + n);
    row.insert(row.end(), {impact.impulse, impact.rate_before, impact.rate_after});
    records->impact(row, names);
  }

  const Sys& system;
  RunRecords* records;
  std::vector<double> row;
  std::string names;
};

// Turns the beginnings and releases of contacts into rows, and keeps what lasts.
template <System Sys>
class ChangeRecorder {
 public:
  ChangeRecorder(const Sys& sys, RunRecords* out)
      : system(sys), records(out), lasting(static_cast<std::size_t>(gap_count(sys)), 0) {}

  Layout layout() const {
    std::size_t longest = 1;
    for (int i = 0; i < gap_count(system); ++i) longest = std::max(longest, gap_name(system, i).size());
    return change_layout(longest);
  }

  void operator()(const GridPoint<Sys::dim>& point) {
    for (const ContactChange& change : point.changes) {
      lasting.at(static_cast<std::size_t>(change.contact)) = change.begins ? 1 : 0;
      ++(change.begins ? begun : released);
      rest = change.begins ? change.settled : std::nan("");
      if (!records) continue;
      const double row[] = {change.t, static_cast<double>(point.n), change.begins ? 1.0 : 0.0,
                            change.settled};
      records->change(row, gap_name(system, change.contact));
    }
  }
  void numbers(auto&& f) {
    f(begun), f(released), f(rest);
    for (std::int64_t& flag : lasting) f(flag);
  }
  LastingContacts result() const {
    LastingContacts r{begun, released, {}, std::nullopt};
    for (std::size_t i = 0; i < lasting.size(); ++i)
      if (lasting[i] != 0) r.at_end.push_back(gap_name(system, static_cast<int>(i)));
    if (!r.at_end.empty() && !std::isnan(rest)) r.rest = rest;
    return r;
  }

 private:
  const Sys& system;
  RunRecords* records;
  std::vector<std::int64_t> lasting;  // 1 for a contact that lasts
  std::int64_t begun = 0, released = 0;
  double rest = std::nan("");  // when the last change was over, if that was a beginning
};

// Stops a run when a formula changes sign.
template <System Sys>
class UntilWatch {
 public:
  UntilWatch(const Sys& sys, std::optional<Until> u) : system(sys), until(std::move(u)) {}
  bool operator()(const GridPoint<Sys::dim>& point) {
    if (!until) return false;
    const int n = coordinate_count(system);
    const auto v = velocity(system, point.z.q, point.z.p);
    const double value = (*until)({point.z.q.data(), std::size_t(n)}, {v.x.data(), std::size_t(n)}, point.t);
    const bool changed =
        (value < 0 && before > 0) || (value > 0 && before < 0) || (value == 0 && point.n > 0);
    if (value != 0) before = value;
    return changed;
  }
  void numbers(auto&& f) { f(before); }

 private:
  const Sys& system;
  std::optional<Until> until;
  double before = 0;  // the last value that was not zero
};

// Asks and tells the caller about ten times a second. A run that ends after so many impacts is as far as
// these.
class Pulse {
 public:
  Pulse(const RunHooks& h, std::int64_t all_steps, std::optional<int> all_impacts)
      : hooks(h), steps(all_steps), impacts(all_impacts) {}
  // Whether it is time to look up.
  bool beats(std::int64_t n) {
    if (n % 64 != 0) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return false;
    last = now;
    return true;
  }
  bool stop(std::int64_t n, std::int64_t hits) const {
    if (hooks.progress && impacts) hooks.progress(hits, *impacts, "impacts");
    if (hooks.progress && !impacts) hooks.progress(n, steps, "steps");
    return hooks.stop && hooks.stop();
  }

 private:
  const RunHooks& hooks;
  std::int64_t steps;
  std::optional<int> impacts;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

// All numbers of a run under way, in one list: given to a checkpoint, or taken from one.
class NumberWriter {
 public:
  void operator()(double x) { list.push_back(x); }
  void operator()(std::int64_t x) { list.push_back(static_cast<double>(x)); }
  std::vector<double> list;
};
class NumberReader {
 public:
  explicit NumberReader(const std::vector<double>& numbers) : list(numbers) {}
  void operator()(double& x) { x = next(); }
  void operator()(std::int64_t& x) { x = static_cast<std::int64_t>(next()); }
  bool used_up() const { return at == list.size(); }

 private:
  double next() {
    if (at == list.size()) throw RecordError("checkpoint", "does not fit this scenario");
    return list[at++];
  }
  const std::vector<double>& list;
  std::size_t at = 0;
};

}  // namespace carom::detail
