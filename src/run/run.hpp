// One run: a system, a stepper and the observers of observers.hpp, from the checked start or a checkpoint
// through simulate() to a RunResult. Neither the type of the system nor that of the stepper is known here.
// Tested through the program in tests/cli/, and in tests/laws/packed_runs_test.cpp.
#pragma once

#include <map>

#include "carom/run/simulate.hpp"
#include "run/observers.hpp"

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
  std::optional<Until> until = {};
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
  void end(const End& ended, RunResult& r);
  Accounts& accounts_under_way() { return ledger; }

  // What simulate() calls: a step, looked at.
  const Stepped& step(double t, const RunState& z);

 private:
  using Point = GridPoint;

  End resume(const Checkpoint& from);
  void begin_records();
  void numbers(KeptNumbers& f);
  void keep(std::int64_t n, const RunState& z, bool stopping);
  std::optional<Failure> missing_value() const;
  void observe(const Point& point);
  bool stop(const Point& point);
  bool stands_still(const Point& point);
  void gather(const End& ended, RunResult& r) const;
  auto stopping() {
    return [this](const Point& point) { return stop(point); };
  }
  auto observing() {
    return [this](const Point& point) { observe(point); };
  }

  RunParts parts;
  const RunHooks& hooks;
  bool checks_values, ends_at_rest;
  StepClock clock;
  Look look;  // at the point reached last
  Accounts ledger;
  ShadowWatch shadow;
  Recorder recorder;
  ImpactRecorder impacts;
  ChangeRecorder changes;
  RunState last;
  UntilWatch until;
  Pulse pulse;
  Stepped undefined;  // where a formula has no value
  const char* enough = nullptr;       // what ended the run in good order
  std::int64_t next = 0;              // the point that a step leads to
};

// What is known before the first step.
RunResult empty_result(const Scenario& scenario, const Method& method);

// The formula that ends the run, where the scenario has one, looked at once.
std::optional<Until> checked_until(WatchedSystem& system, const Scenario& scenario, const RunState& start,
                                   const std::map<std::string, double>& parameters);

// A shadow energy that does not stand still, or depends on its order, is not known; a law that keeps it keeps
// little.
void warn_of_unknown_energy(RunResult& r, double unknown, int order);

}  // namespace carom
