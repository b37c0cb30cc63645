// The Model of a system in formulas, made from the scenario that states it.
#pragma once

#include "model/model.hpp"

namespace carom {

Model formula_model(const Scenario& scenario);  // throws ScenarioError for a bad formula

}  // namespace carom
