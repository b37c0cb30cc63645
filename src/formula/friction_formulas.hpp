// What friction must be, in a mechanical system and in a DAE: as many formulas as coordinates, free of time,
// and nothing where no constraint presses.
// Tested in tests/unit/friction_formulas_test.cpp.
#pragma once

#include "formula/formula_names.hpp"

namespace carom {

// Both throw ScenarioError.
void check_friction_size(const Scenario& scenario, const FormulaNames& names);
void check_friction(const Scenario& scenario, const FormulaNames& names, const std::string& key,
                    const std::string& text, formula::Node node);

}  // namespace carom
