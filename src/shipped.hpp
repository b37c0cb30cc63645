// Where the shipped scenarios are: beside the sources, or beside an installed program.
#pragma once

#include <string>
#include <vector>

namespace carom {

std::vector<std::string> shipped_scenarios();  // their names, sorted

// A path as it is, or the path of the shipped scenario of that name. Throws ScenarioError where there is
// neither.
std::string locate_scenario(const std::string& path_or_name);

}  // namespace carom
