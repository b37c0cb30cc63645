// One run of a mechanism by the steppers for contact and joints: gvi, direct, and smooth motion along joints.
// Compiled once for all systems (run_mechanism.cpp).
#pragma once

#include "model.hpp"
#include "run/start.hpp"

namespace carom {

RunResult run_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method,
                        const RunHooks& hooks);

// Whether the method and the end of the run fit the mechanism; throws ScenarioError.
void check_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method);

}  // namespace carom
