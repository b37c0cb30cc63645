// A built-in system with its type erased: what a scenario can choose by name, and how to run it.
//
// Each system is instantiated in its own file under src/systems/, so that the heavy templates compile once.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "carom/ledger.hpp"
#include "method.hpp"
#include "scenario.hpp"

namespace carom {

// The columns of a run, as they go into trajectory.npz. Rows are recorded grid points.
struct Trajectory {
  std::size_t dim = 0, momenta = 0, gaps = 0;
  std::vector<std::string> coordinates;  // their names
  std::vector<double> t, q, p;           // q and p: rows x dim
  std::vector<double> H, discrete_energy, work;
  std::vector<double> momentum, gap;  // rows x momenta, rows x gaps

  std::size_t rows() const { return t.size(); }
};

// One impact, as a row of impacts.csv.
struct ImpactRow {
  double t;
  std::int64_t step;    // the step in which it happened, counted from 1
  std::string contact;  // several that closed together are joined by " + "
  std::vector<double> q, p_before, p_after;
  double impulse, rate_before, rate_after;
};

// The shadow energy at up to a thousand nodes, spread over the run.
struct ShadowCheck {
  Constancy energy;
  int order = 0;
  double order_gap = 0;  // largest difference to the shadow energy of two orders less: how well it is known
};

struct RunResult {
  std::string status;  // completed, stopped or failed
  std::string reason;  // one line, for the last two
  std::vector<std::string> warnings;
  std::string system, method;
  int order = 0;  // of the flow
  Grid grid;
  std::int64_t steps = 0;  // taken
  Trajectory trajectory;
  Constancy energy;
  double drift_per_time = 0;
  std::vector<Constancy> momenta;
  std::optional<double> smallest_gap;
  std::vector<ImpactRow> impacts;
  std::optional<ShadowCheck> shadow;
  double work = 0;
  std::int64_t impact_solves = 0, fallbacks = 0;
  double wall_seconds = 0, stepping_seconds = 0;
  std::int64_t newton_iterations = 0;
};

// What the caller wants to hear while a run goes on.
struct RunHooks {
  // About ten times a second; `unit` is what is counted, steps or impacts.
  std::function<void(std::int64_t done, std::int64_t all, const char* unit)> progress = {};
  std::function<bool()> stop = {};  // asked now and then
};

struct ParameterInfo {
  std::string name;
  double value;  // the default
  std::string range;
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
};

const std::vector<Model>& built_in_models();
const Model& find_model(const Scenario& scenario);  // throws ScenarioError for an unknown name

}  // namespace carom
