// One run of an overdetermined DAE: a start on its manifold, and the stepper "dae-euler". Compiled once for
// all of them (run_dae.cpp).
// Tested in tests/cli/dae_test.py.
#pragma once

#include "model/model.hpp"
#include "run/start.hpp"

namespace carom {

RunResult run_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method,
                  const RunHooks& hooks);

// Whether the method and the end of the run fit the DAE; throws ScenarioError.
void check_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method);

}  // namespace carom
