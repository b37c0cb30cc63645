// One run: a system, a stepper and the observers of observers.hpp, from the checked start or a checkpoint
// through simulate() to a RunResult. Neither the type of the system nor that of the stepper is known here.
// Tested through the program in tests/cli/, and in tests/laws/packed_runs_test.cpp.
#pragma once

#include <map>
#include <memory>

#include "carom/run/simulate.hpp"
#include "run/energy_watch.hpp"
#include "run/flat_gaps.hpp"
#include "run/observers.hpp"
#include "run/unit_watch.hpp"

namespace carom {

// Times every sixteenth step, so that the clock does not show up in what it measures.
class StepClock {
 public:
  auto time(auto&& step) {
    if (calls++ % stride != 0) return step();
    const auto begin = std::chrono::steady_clock::now();
    auto r = step();
    sampled += std::chrono::steady_clock::now() - begin;
    return r;
  }
  double seconds() const;
  std::int64_t calls = 0;

 private:
  static constexpr int stride = 16;
  std::chrono::steady_clock::duration sampled{};
};

// The formulas of a scenario that a run looks at.
struct RunFormulas {
  Quantities quantities = {};
  std::optional<Until> until = {};
};

// What a run is made of.
struct RunParts {
  WatchedSystem& system;
  Stepper& stepper;
  WatchedShadow* shadow;  // may be missing
  const Scenario& scenario;
  const Method& method;
  const RunHooks& hooks;
  Grid grid;
  RunState start;
  RunFormulas formulas = {};
  // The same stepper for steps of another length: of what is left to time.end after the last whole step.
  std::function<std::unique_ptr<Stepper>(double h)> make = {};
};

class Run {
 public:
  using End = Ended;

  explicit Run(RunParts parts);

  void operator()(RunResult& r);

  // The parts of a run whose steps are taken elsewhere where nothing happens in them (packed_runs.hpp): the
  // first `steps` of it, one step more, and its end.
  End start(std::int64_t steps);
  void take_step(End& now);
  void end(End& ended, RunResult& r);
  Accounts& accounts_under_way() { return ledger; }

  // What simulate() calls: a step, looked at.
  const Stepped& step(double t, const RunState& z);

 private:
  using Point = GridPoint;

  End resume(const Checkpoint& from);
  void begin_records();
  void numbers(KeptNumbers& f);
  void keep(std::int64_t n, const RunState& z, bool stopping);
  void take_short_step(End& now);
  bool may_step(double t, const RunState& z);
  std::optional<Failure> unworldly(const SeenPoint& point);
  void observe(const Point& point);
  bool stop(const Point& point);
  bool stands_still(const Point& point);
  void gather(const End& ended, RunResult& r);
  auto stopping() {
    return [this](const Point& point) { return stop(point); };
  }
  auto observing() {
    return [this](const Point& point) { observe(point); };
  }

  RunParts parts;
  const RunHooks& hooks;
  bool ends_at_rest;
  StepClock clock;
  Look look;  // at the point reached last
  Accounts ledger;
  ShadowWatch shadow;
  QuantityWatch quantities;
  ImpactRecorder impacts;
  ChangeRecorder changes;
  Recorder recorder;
  EnergyWatch energies;
  UnitWatch units;
  RunState last;
  UntilWatch until;
  Pulse pulse;
  FlatGaps flat;
  Stepped undefined;             // where a formula has no value, or a gap no slope
  const char* enough = nullptr;  // what ended the run in good order
  std::int64_t next = 0;         // the point that a step leads to
};

// What is known before the first step.
RunResult empty_result(const Scenario& scenario, const Method& method);

// The formula that ends the run and the quantities, where the scenario has some, looked at once.
RunFormulas checked_formulas(WatchedSystem& system, const Scenario& scenario, const RunState& start,
                             const std::map<std::string, double>& parameters);

// A shadow energy that does not stand still, or depends on its order, is not known; a law that keeps it keeps
// little.
void warn_of_unknown_energy(RunResult& r, double unknown, int order);
// Where bounces too short for the step had a large `share` of the energy that moved.
void warn_of_unfollowed(RunResult& r, double share);

}  // namespace carom
