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
  std::vector<double> t, q, p;  // q and p: rows x dim
  std::vector<double> H, discrete_energy, work;
  std::vector<double> momentum, gap;  // rows x momenta, rows x gaps

  std::size_t rows() const { return t.size(); }
};

struct RunResult {
  std::string status;  // completed, stopped or failed
  std::string reason;  // one line, for the last two
  std::string system, method;
  int order = 0;       // of the flow
  Grid grid;
  std::int64_t steps = 0;  // taken
  Trajectory trajectory;
  Constancy energy;
  double drift_per_time = 0;
  std::vector<Constancy> momenta;
  std::optional<double> smallest_gap;
  double work = 0;
  double wall_seconds = 0, stepping_seconds = 0;
  std::int64_t newton_iterations = 0;
};

// What the caller wants to hear while a run goes on.
struct RunHooks {
  std::function<void(std::int64_t done, std::int64_t all)> progress = {};  // about ten times a second
  std::function<bool()> stop = {};                                         // asked now and then
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
  std::vector<std::string> contacts;
  std::vector<double> start_q, start_p;
  // Both check the scenario's parameters and start, and throw ScenarioError for what does not fit.
  std::function<void(const Scenario&)> check;
  std::function<RunResult(const Scenario&, const Method&, const RunHooks&)> run;
};

const std::vector<Model>& built_in_models();
const Model& find_model(const Scenario& scenario);  // throws ScenarioError for an unknown name

}  // namespace carom
