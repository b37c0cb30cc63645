// Built-in systems whose size is a parameter: systems made for a scenario (LocalSystem).
// Tested in tests/cli/local_systems_test.py.
#pragma once

#include "carom/system/system.hpp"
#include "model/model.hpp"

namespace carom {

// The parameters of a scenario, defaults filled in.
struct LocalParameters {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> words;
  double operator[](const std::string& name) const { return numbers.at(name); }
  int whole(const std::string& name) const { return static_cast<int>(numbers.at(name)); }
};

struct BuiltSystem {
  std::shared_ptr<const System> system;
  Values q, p;  // the default start; put onto the joints before it is used
  DrawSpec draw;
};

struct LocalBuiltIn {
  std::string name, summary;
  std::vector<ParameterInfo> parameters;  // ranges "> 0", ">= 0", "any" or "1, 2, ..."
  // Throws ScenarioError for parameters that do not fit each other.
  std::function<BuiltSystem(const LocalParameters&, const Scenario&)> build;
};

Model local_built_in(const LocalBuiltIn& system);

}  // namespace carom
