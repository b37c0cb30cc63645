// What looks on while a run goes: rows, impacts and changes of contacts into the records, the shadow energy,
// and the formula that ends a run. Each can give and take the numbers that a resumed run needs (`numbers`).
#pragma once

#include <chrono>
#include <cmath>

#include "carom/run/ledger.hpp"
#include "model/model.hpp"
#include "run/watched.hpp"
#include "scenario/until.hpp"

namespace carom {

// A grid point, and what was seen there.
struct SeenPoint {
  std::int64_t n;
  double t;
  const RunState& z;
  const Look& look;
};

// The shadow energy where there is one: forces leave none.
class ShadowWatch {
 public:
  ShadowWatch(WatchedShadow* s, int order) : shadow(s) {
    check.energy.name = "shadow energy", check.order = order;
  }
  double look(const SeenPoint& point);
  void follow(std::int64_t n, double t, const RunState& z) {
    if (shadow) shadow->follow(n, t, z);
  }
  // A last, shorter step conserves another one.
  void close() { closed = true; }
  std::optional<ShadowCheck> result() const { return shadow ? std::optional(check) : std::nullopt; }
  void numbers(KeptNumbers& f);

 private:
  WatchedShadow* shadow;
  ShadowCheck check;
  bool closed = false;
};

// Quantities of the user's own, looked at in every grid point.
class QuantityWatch {
 public:
  QuantityWatch(WatchedSystem& s, Quantities own);
  bool empty() const { return ranges.empty(); }
  void see(const SeenPoint& point);
  // Good until the next call.
  std::span<const double> at(const SeenPoint& point);
  void numbers(KeptNumbers& f);
  const std::vector<std::string>& names() const { return quantities.names; }
  void tell(RunResult& r) const;  // with a warning for those that had no value somewhere

 private:
  WatchedSystem& system;
  Quantities quantities;
  std::vector<QuantityRange> ranges;
  std::vector<double> lost;  // when one had no value for the first time; NaN: it always had one
};

// What a row has beside what every run has.
struct RowExtras {
  QuantityWatch& quantities;
  const std::vector<std::int64_t>* lasting;  // 1 for a contact that lasts; none: the stepper knows no such
};

// Records every so many grid points, and the last one.
class Recorder {
 public:
  Recorder(WatchedSystem& s, const Accounts& a, ShadowWatch& w, RowExtras e, RunRecords* out,
           std::int64_t every_so_many)
      : system(s), ledger(a), shadow(w), extras(e), records(out), every(every_so_many), n(s.size()) {}

  Layout layout(const std::vector<Look::Momentum>& momenta) const;
  bool wants(std::int64_t point) const { return records && point % every == 0; }
  void see(const SeenPoint& point, double discrete_energy) {
    energy = discrete_energy;
    if (wants(point.n)) record(point);
  }
  // Called once more at the end of a run, for the point it ended at.
  void record(const SeenPoint& point);
  void numbers(KeptNumbers& f) { f(recorded), f(energy); }

 private:
  WatchedSystem& system;
  const Accounts& ledger;
  ShadowWatch& shadow;
  RowExtras extras;
  RunRecords* records;
  std::int64_t every, recorded = -1;
  int n;
  double energy = 0;  // discrete, of the step seen last
  std::vector<double> row;
  RunVector force;
};

// Turns impacts into rows.
class ImpactRecorder {
 public:
  ImpactRecorder(const WatchedSystem& s, RunRecords* out) : system(s), records(out) {}

  Layout layout() const;
  void see(std::int64_t n, std::span<const Impact> impacts);
  void numbers(KeptNumbers& f) { f(last); }
  double last = std::nan("");

 private:
  void record(std::int64_t step, const Impact& impact);

  const WatchedSystem& system;
  RunRecords* records;
  std::vector<double> row;
  std::string names;
};

// Turns the beginnings and releases of contacts into rows, and keeps what lasts.
class ChangeRecorder {
 public:
  ChangeRecorder(const WatchedSystem& s, RunRecords* out)
      : system(s), records(out), lasting(static_cast<std::size_t>(s.contact_count()), 0) {}

  Layout layout() const;
  void see(std::int64_t n, std::span<const ContactChange> changes);
  void numbers(KeptNumbers& f);
  LastingContacts result() const;
  const std::vector<std::int64_t>& which_last() const { return lasting; }

 private:
  const WatchedSystem& system;
  RunRecords* records;
  std::vector<std::int64_t> lasting;  // 1 for a contact that lasts
  std::int64_t begun = 0, released = 0;
  double rest = std::nan("");  // when the last change was over, if that was a beginning
};

// Stops a run when a formula changes sign.
class UntilWatch {
 public:
  UntilWatch(WatchedSystem& s, std::optional<Until> u) : system(s), until(std::move(u)) {}
  bool operator()(const SeenPoint& point) { return until && changes_sign(point); }
  // Whether the formula has no value here.
  bool is_lost(const SeenPoint& point) { return until && std::isnan(value(point)); }
  void numbers(KeptNumbers& f) { f(before); }
  // Another formula than before, from here on.
  void begin(const SeenPoint& point) {
    before = 0;
    if (until) changes_sign(point);
  }

 private:
  double value(const SeenPoint& point);
  bool changes_sign(const SeenPoint& point);

  WatchedSystem& system;
  std::optional<Until> until;
  double before = 0;  // the last value that was not zero
};

// Tells the caller about ten times a second. A run that ends after so many impacts is as far as
// these.
class Pulse {
 public:
  Pulse(const RunHooks& h, std::int64_t all_steps, std::optional<int> all_impacts)
      : hooks(h), steps(all_steps), impacts(all_impacts) {}
  // Whether it is time to look up.
  bool beats(std::int64_t n);
  void tell(std::int64_t n, std::int64_t hits) const;

 private:
  const RunHooks& hooks;
  std::int64_t steps;
  std::optional<int> impacts;
  std::int64_t next_look = 0,
               stride = 1;  // in steps: at the clock, so often that long steps do not keep it waiting
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now(), looked = last;
};

}  // namespace carom
