// Formulas as text for other languages. Tested in tests/unit/formula_print_test.cpp.
#pragma once

#include <span>
#include <string>

#include "formula/expression.hpp"

namespace carom::formula {

// Statements of C++ that compute the outputs, for a function templated on a scalar S: parts that are used
// more than once, or grow long, become "const auto r1 = ...;", then every output is assigned: "out[0] = ...;"
// where its name is "out[0]", "const S L = ...;" where it is "const S L". Functions are not qualified: the
// text belongs into namespace carom, which has them for doubles and dual numbers. Numbers read back exactly.
std::string to_cpp(const Expressions& expressions, std::span<const Node> outputs,
                   std::span<const std::string> input_names, std::span<const std::string> output_names);

// One expression, "2*Math.sin(q[0])" for an input named "q[0]". Common parts are written wherever they occur:
// throws a FormulaError where that is longer than a million bytes.
std::string to_javascript(const Expressions& expressions, Node node,
                          std::span<const std::string> input_names);

}  // namespace carom::formula
