// From the [method] table of a scenario to the flow that steps it. What is not built yet is refused by name.
#pragma once

#include <string>
#include <vector>

#include "carom/flows.hpp"
#include "scenario.hpp"

namespace carom {

struct Method {
  std::string label;    // "yoshida4 on sva", "gauss with 4 stages"
  std::string stepper;  // "smooth"
  Flow flow;
};

// Throws ScenarioError with the place, key and value of what does not fit.
Method make_method(const Scenario& scenario);

struct MethodInfo {
  std::string name, kind, summary;  // kind: flow, or what it will be
  bool built;
};
const std::vector<MethodInfo>& known_methods();

}  // namespace carom
