// A system as a scenario sees it: what it can choose by name or state in formulas, and how to run it. Each
// built-in system is made in a file of its own under src/systems/.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/run/constancy.hpp"
#include "carom/run/grid.hpp"
#include "records/checkpoint.hpp"
#include "records/live_table.hpp"
#include "scenario/method.hpp"
#include "scenario/scenario.hpp"

namespace carom {

class System;
class Stepping;
struct ReadySystem;

// Where the rows of a run go as they come: files, or nowhere.
class RunRecords {
 public:
  virtual ~RunRecords() = default;
  virtual void begin(const Layout& rows, const Layout& impacts, const Layout& changes) = 0;
  virtual void row(std::span<const double> numbers) = 0;
  virtual void impact(std::span<const double> numbers, std::string_view contact) = 0;
  virtual void change(std::span<const double> numbers, std::string_view contact) = 0;
  virtual bool wants_checkpoint(bool /*stopping*/) {
    return false;
  }  // asked ten times a second, and at a stop
  virtual void keep(Checkpoint) {}
};

// The shadow energy at the recorded grid points.
struct ShadowCheck {
  Constancy energy;
  int order = 0;
  double uncertainty = 0;  // largest difference to the shadow energy of two orders less: how well it is known
};

// Contacts that lasted.
struct LastingContacts {
  std::int64_t begun = 0, released = 0;
  std::vector<std::string> at_end;  // those that lasted when the run ended
  std::optional<double> rest;       // when the last change was over, if that was a beginning
};

// The energies that a recorded run exchanged, and what of H nothing explains (run/energy_watch.hpp).
struct EnergySeen {
  double scale = 0;
  double change = 0;     // largest |H - H(0) - work - friction|: the error where impacts take nothing
  double remainder = 0;  // largest |H - H(0) - work - friction + loss|: the error where they do
  double rounding = 0;   // what is nothing beside the numbers that H is made of
};

// A quantity of the user's own over all grid points.
struct QuantityRange {
  std::string name;
  double initial = 0, final = 0, min = HUGE_VAL, max = -HUGE_VAL;
};

struct RunResult {
  std::string status;    // completed, stopped or failed
  std::string reason;    // one line, for the last two
  std::string ended_by;  // of a completed run: end, impacts, until or rest
  std::vector<std::string> warnings;
  std::string system, method, method_in_words;
  std::string command;  // that was given, where it is known
  int order = 0;        // of the flow
  Grid grid;
  std::int64_t steps = 0;  // taken
  double t = 0;            // at the end
  std::vector<double> q, v, p;
  std::vector<std::string> coordinates;  // their names
  std::vector<QuantityRange> quantities;
  Constancy energy;
  double drift_per_time = 0;
  std::vector<Constancy> momenta;
  std::optional<double> smallest_gap, largest_joint;
  std::int64_t impacts = 0;
  double last_impact = std::numeric_limits<double>::quiet_NaN();
  LastingContacts contacts;
  std::optional<ShadowCheck> shadow;
  double work = 0, friction = 0, loss = 0, remainder = 0;  // the balance of energy (ledger.hpp)
  EnergySeen energies;
  std::int64_t impact_solves = 0, fallbacks = 0, newton_iterations = 0;
  double wall_seconds = 0, stepping_seconds = 0;  // since the start, or since the run was resumed
  std::int64_t timed_steps = 0;                   // taken in that time
  bool lossy = false;                             // restitution below 1
};

// What the caller wants to hear while a run goes on.
struct RunHooks {
  // About ten times a second; `unit` is what is counted, steps or impacts.
  std::function<void(std::int64_t done, std::int64_t all, const char* unit)> progress = {};
  std::function<bool()> stop = {};      // asked now and then
  RunRecords* records = nullptr;        // none: nothing is recorded
  const Checkpoint* resumed = nullptr;  // where to go on from
  // A force of the caller's own, asked for before each step and held during it; for systems in formulas.
  // Where it answers false, the run is stopped before that step.
  std::function<bool(double t, std::span<const double> q, std::span<const double> v, std::span<double> force)>
      force = {};
  std::function<bool(double t, std::span<const double> q, std::span<const double> v)> before_step =
      {};  // of a model's own
};

// Runs of a sweep that differ in their starts only.
struct MemberFeed {
  // The scenario of the next one, checked, or null; it need not stay as it is until the one after.
  std::function<const Scenario*()> next;
  std::function<void(std::size_t member, const RunResult&)> done;  // counted as `next` gave them
};

struct ParameterInfo {
  std::string name;
  double value;  // the default
  std::string range;
  std::string word = {};  // the default of one that is a word, with the words it may be as its range
};

struct Model {
  std::string name, summary;
  int dim;
  std::vector<ParameterInfo> parameters;
  std::vector<std::string> coordinates, contacts;
  std::vector<double> start_q, start_p;
  // Both check the scenario's parameters and start, and throw ScenarioError for what does not fit.
  std::function<void(const Scenario&)> check;
  std::function<RunResult(const Scenario&, const Method&, const RunHooks&)> run;
  // The same step by step (run/stepping.hpp), with a force of the caller's own if `steered`; missing for a
  // DAE.
  std::function<std::unique_ptr<Stepping>(const Scenario&, const Method&, bool steered)> by_hand = {};
  // All that the feed has, several at a time, with the results of run(); `first` is the scenario of any of
  // them. Answers whether that can be done, before it asks for one. May be missing.
  std::function<bool(const Scenario& first, const Method&, const RunHooks&, const MemberFeed&)> run_together =
      {};
  // The mechanical system itself, with the scenario's parameters; missing for a DAE.
  std::function<std::shared_ptr<const System>(const Scenario&)> system = {};
  // The same with its checked start; the parameters named may be varied by derivatives
  // (model/varied_system.hpp).
  std::function<ReadySystem(const Scenario&, const std::vector<std::string>& varied)> ready = {};
  DrawSpec draw = {};        // how the report draws it
  std::string stepper = {};  // what steps it where the scenario does not say; empty: event-driven
  // For a system whose size is a parameter: the model of the scenario's own.
  std::function<Model(const Scenario&)> specialise = {};
};

const std::vector<Model>& built_in_models();
void choose_stepper(Scenario& scenario, const Model& model);  // the model's, where the method is left open
void refuse_force(const Scenario& scenario);                  // of the caller's own
void refuse_held_force(const Scenario& scenario);             // of a run that was given one, now a record
// What only the stepper "dae-euler" takes: friction, and multipliers to start from.
void refuse_friction(const Scenario& scenario, const Method& method);
void refuse_multipliers(const Scenario& scenario, const Method& method);
Model find_model(const Scenario& scenario);  // throws ScenarioError for an unknown name or a bad formula

}  // namespace carom
