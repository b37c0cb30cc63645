// Formulas as JavaScript, for the report. Tested in tests/unit/formula_print_test.cpp.
#pragma once

#include <span>
#include <string>

#include "formula/expression.hpp"

namespace carom::formula {

// One expression, "2*Math.sin(q[0])" for an input named "q[0]". Common parts are written wherever they occur:
// throws a FormulaError where that is longer than a million bytes.
std::string to_javascript(const Expressions& expressions, Node node,
                          std::span<const std::string> input_names);

}  // namespace carom::formula
