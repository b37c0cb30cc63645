// Built-in systems whose size is a parameter: mechanisms made for a scenario (LocalMechanism).
// Tested in tests/cli/mechanism_systems_test.py.
#pragma once

#include "carom/contact/mechanism.hpp"
#include "model.hpp"

namespace carom {

// The parameters of a scenario, defaults filled in.
struct MechanismParameters {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> words;
  double operator[](const std::string& name) const { return numbers.at(name); }
  int whole(const std::string& name) const { return static_cast<int>(numbers.at(name)); }
};

struct BuiltMechanism {
  std::shared_ptr<const Mechanism> mechanism;
  Values q, p;  // the default start; put onto the joints before it is used
  DrawSpec draw;
};

struct MechanismBuiltIn {
  std::string name, summary;
  std::vector<ParameterInfo> parameters;  // ranges "> 0", ">= 0", "any" or "1, 2, ..."
  // Throws ScenarioError for parameters that do not fit each other.
  std::function<BuiltMechanism(const MechanismParameters&, const Scenario&)> build;
};

Model mechanism_built_in(const MechanismBuiltIn& system);

}  // namespace carom
