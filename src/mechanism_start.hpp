// The start of a mechanism, checked: every complaint names the scenario's key.
#pragma once

#include "carom/contact/mechanism.hpp"
#include "carom/vector.hpp"
#include "scenario.hpp"

namespace carom {

// What the scenario states, or else the default; within the gaps, and on the joints to rounding. Throws
// ScenarioError.
State<double, Eigen::Dynamic> mechanism_start(const Mechanism& mechanism, const Scenario& scenario,
                                              State<double, Eigen::Dynamic> otherwise);

}  // namespace carom
