// The start that a scenario states, checked: every complaint names the scenario's key. Of mechanisms and of
// DAEs here; of systems of the core in checked_start.hpp, with the same words.
// Tested in tests/cli/errors_test.py and tests/cli/dae_test.py.
#pragma once

#include <map>
#include <memory>

#include "carom/contact/mechanism.hpp"
#include "carom/dae/dae.hpp"
#include "scenario.hpp"

namespace carom {

// As many numbers as there are of `what`, all finite; nothing where the scenario states none.
std::optional<Values> stated_numbers(const Scenario& scenario, const char* key,
                                     const std::optional<std::vector<double>>& numbers, int count,
                                     const char* what = "coordinate");

// A mechanism with its checked start and the parameters that a scenario's formulas may name.
struct ReadyMechanism {
  std::shared_ptr<const Mechanism> mechanism;
  State<double, Eigen::Dynamic> start;
  std::map<std::string, double> parameters;
};

// What the scenario states, or else the default; within the gaps, and on the joints to rounding.
State<double, Eigen::Dynamic> mechanism_start(const Mechanism& mechanism, const Scenario& scenario,
                                              State<double, Eigen::Dynamic> otherwise);

// A DAE with its checked start, q = y and p = p(y, z), and the parameters.
struct ReadyDae {
  std::shared_ptr<const Dae> dae;
  State<double, Eigen::Dynamic> start;
  std::map<std::string, double> parameters;
};

// Where its multipliers are looked for (initial.psi).
std::optional<Values> stated_psi(const Scenario& scenario);

// The start that the scenario states (initial.q is y, initial.v is z, initial.p is p(y, z)), on the manifold
// and with multipliers that are unique.
ReadyDae ready_dae(std::shared_ptr<const Dae> dae, const Scenario& scenario,
                   std::map<std::string, double> parameters);

}  // namespace carom
