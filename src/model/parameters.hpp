// The numbers that a scenario gives to the parameters of a built-in system.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/system/system_struct.hpp"
#include "scenario/scenario.hpp"

namespace carom {

// Refuses names that are not known, and what is no number.
std::map<std::string, double> stated_parameters(const Scenario& scenario,
                                                const std::vector<std::string>& known);

// Refuses a value that is not finite or out of range.
void check_parameter(const Scenario& scenario, const std::string& name, double value, Range range);

}  // namespace carom
