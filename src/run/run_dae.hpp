// One run of an overdetermined DAE: a start on its manifold, and the stepper "dae-euler". Compiled once for
// all of them (run_dae.cpp).
// Tested in tests/cli/dae_test.py.
#pragma once

#include <map>
#include <memory>

#include "carom/dae/dae.hpp"
#include "model.hpp"

namespace carom {

// A DAE with its checked start, q = y and p = p(y, z), and the parameters that a scenario's formulas may
// name.
struct ReadyDae {
  std::shared_ptr<const Dae> dae;
  State<double, Eigen::Dynamic> start;
  std::map<std::string, double> parameters;
};

// Where its multipliers are looked for (initial.psi).
std::optional<Values> stated_psi(const Scenario& scenario);

// The start that the scenario states (initial.q is y, initial.v is z, initial.p is p(y, z)), on the manifold
// and with multipliers that are unique; throws ScenarioError where it is not.
ReadyDae ready_dae(std::shared_ptr<const Dae> dae, const Scenario& scenario,
                   std::map<std::string, double> parameters);

RunResult run_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method,
                  const RunHooks& hooks);

// Whether the method and the end of the run fit the DAE; throws ScenarioError.
void check_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method);

}  // namespace carom
