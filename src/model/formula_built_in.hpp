// Built-in systems that are stated in formulas: small ones, since every system in C++ costs half a minute of
// compile time.
//
//   [system] name = "pogo-stick" -> in_formulas() -> the scenario with formulas -> formula_model(),
//   dae_model()
//
// Tested in tests/unit/formula_built_in_test.cpp.
#pragma once

#include "model/model.hpp"

namespace carom {

struct FormulaBuiltIn {
  std::string name, summary;
  std::vector<ParameterInfo> parameters;  // ranges: "> 0", ">= 0" or "any"
  Formulas below = {};                    // parameter = what it must stay below
  std::vector<std::string> coordinates;
  std::string lagrangian = {};  // none: a DAE
  Formulas gaps = {}, joints = {}, momenta = {};
  std::vector<std::string> friction = {};
  std::vector<std::string> z = {}, v = {}, f = {}, r = {};  // of a DAE
  std::vector<std::string> start_q, start_v;                // formulas of the parameters
  std::optional<std::vector<double>> psi = {};              // near the multipliers that are meant
  DrawSpec draw = {};
  std::string stepper = {};  // the default, where it is not event-driven
};

// The scenario with all that the system leaves unsaid in it: formulas, every parameter, a start. Its
// complaints point where those of the given one do. Throws ScenarioError for parameters that do not fit.
Scenario in_formulas(const FormulaBuiltIn& system, const Scenario& scenario);

Model formula_built_in(const FormulaBuiltIn& system);

}  // namespace carom
