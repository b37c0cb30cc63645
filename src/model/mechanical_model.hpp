// Mechanical systems as models, however they are stated: made for a scenario, checked and run. Nothing here
// knows a system's type. Tested in tests/cli/errors_test.py and tests/cli/run_test.py.
#pragma once

#include <map>
#include <memory>

#include "carom/system/dense_system.hpp"
#include "model/model.hpp"
#include "run/start.hpp"

namespace carom {

// A system with the parameters of a scenario.
struct MadeSystem {
  std::shared_ptr<const System> system;
  std::map<std::string, double> parameters;  // what formulas of the scenario may name
  std::optional<Start<Eigen::Dynamic>>
      start;  // where the scenario states none, put onto the joints; none: it must
};

void check_mechanical(const MadeSystem& made, const Scenario& scenario);
ReadySystem ready_mechanical(const MadeSystem& made, const Scenario& scenario);
RunResult run_mechanical(const MadeSystem& made, const Scenario& scenario, const Method& method,
                         const RunHooks& hooks);

// Step by step; `held` as stepping.hpp says.
std::unique_ptr<Stepping> mechanical_stepping(const MadeSystem& made, const Scenario& scenario,
                                              const Method& method, std::shared_ptr<Values> held);

// Members of a sweep that differ in their starts only; answers whether it could be done
// (run/packed_runs.hpp).
bool run_mechanical_together(const MadeSystem& made, const Scenario& first, const Method& method,
                             const RunHooks& hooks, const MemberFeed& feed);

// The model of the scenario's system, by its name. `make` throws ScenarioError where parameters do not fit.
Model mechanical_model(const Scenario& scenario, std::string summary, std::vector<ParameterInfo> parameters,
                       std::function<MadeSystem(const Scenario&)> make);

}  // namespace carom
