// One scenario with other methods and steps: what compare and converge run.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace carom::cli {

struct Variant {
  std::string label;
  Scenario scenario;
};

// Every method with every step; none of either means the scenario's own. A flow replaces the scenario's flow,
// an impact law its law, a short name both; "key=value,..." sets single keys.
std::vector<Variant> variants_of(const std::string& path, const std::vector<std::string>& set,
                                 const std::vector<std::string>& methods, const std::vector<double>& steps);

}  // namespace carom::cli
