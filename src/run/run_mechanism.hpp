// One run of a mechanism by the steppers for contact and joints: gvi, direct, and smooth motion along joints.
// Compiled once for all systems (run_mechanism.cpp).
#pragma once

#include <map>
#include <memory>

#include "carom/contact/mechanism.hpp"
#include "model.hpp"

namespace carom {

// A mechanism with its checked start and the parameters that a scenario's formulas may name.
struct ReadyMechanism {
  std::shared_ptr<const Mechanism> mechanism;
  State<double, Eigen::Dynamic> start;
  std::map<std::string, double> parameters;
};

RunResult run_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method,
                        const RunHooks& hooks);

// Whether the method and the end of the run fit the mechanism; throws ScenarioError.
void check_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method);

}  // namespace carom
