// The start that a scenario states, checked: every complaint names the scenario's key. Of DAEs here; of
// mechanical systems in mechanical_model.cpp.
// Tested in tests/cli/errors_test.py and tests/cli/dae_test.py.
#pragma once

#include <map>
#include <memory>

#include "carom/dae/dae.hpp"
#include "carom/system/system.hpp"
#include "scenario/scenario.hpp"

namespace carom {

// As many numbers as there are of `what`, all finite; nothing where the scenario states none.
std::optional<Values> stated_numbers(const Scenario& scenario, const char* key,
                                     const std::optional<std::vector<double>>& numbers, int count,
                                     const char* what = "coordinate");

// A system with its checked start and the parameters that a scenario's formulas may name.
struct ReadySystem {
  std::shared_ptr<const System> system;
  Phase start;
  std::map<std::string, double> parameters;
};

// A DAE with its checked start, q = y and p = p(y, z), and the parameters.
struct ReadyDae {
  std::shared_ptr<const Dae> dae;
  Phase start;
  std::map<std::string, double> parameters;
};

// Where its multipliers are looked for (initial.psi).
std::optional<Values> stated_psi(const Scenario& scenario);

// The start that the scenario states (initial.q is y, initial.v is z, initial.p is p(y, z)), on the manifold
// and with multipliers that are unique.
ReadyDae ready_dae(std::shared_ptr<const Dae> dae, const Scenario& scenario,
                   std::map<std::string, double> parameters);

}  // namespace carom
