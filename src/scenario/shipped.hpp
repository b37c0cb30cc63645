// Where the shipped scenarios and sweeps are: beside the sources, or beside an installed program, or where a
// package that brings them says.
#pragma once

#include <string>
#include <vector>

namespace carom {

void ship_scenarios_in(const std::string& folder);  // before any other is called
std::vector<std::string> shipped_scenarios();       // their names, sorted
std::vector<std::string> shipped_sweeps();
std::vector<std::string> shipped_problems();  // of optimal control

// A path as it is, or the path of the shipped scenario, sweep or problem of that name. Throw ScenarioError
// where there is neither.
std::string locate_scenario(const std::string& path_or_name);
std::string locate_sweep(const std::string& path_or_name);
std::string locate_problem(const std::string& path_or_name);

}  // namespace carom
