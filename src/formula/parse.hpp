// Reads a formula as a user writes it: "0.5*m*(x'^2 + y'^2) - m*g*y". Tested in
// tests/unit/formula_parse_test.cpp.
//
//   sum     = term { ("+" | "-") term }
//   term    = signed { ("*" | "/") signed }
//   signed  = ("-" | "+") signed | power
//   power   = primary [ "^" signed ]               so that -x^2 = -(x^2) and 2^3^2 = 2^9
//   primary = number | name | name "'" | function "(" sum { "," sum } ")" | "(" sum ")"
//           | "if" "(" comparison "," sum "," sum ")"
//   comparison = sum ( "<" | ">" | "<=" | ">=" ) sum
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "formula/expression.hpp"

namespace carom::formula {

// Every name that a formula may use, velocities with their prime: "x", "x'", "m", "t".
using Symbols = std::map<std::string, Node, std::less<>>;

// Throws a FormulaError at the column where the formula stops making sense.
Node parse(Expressions& expressions, std::string_view text, const Symbols& symbols);

// A comparison, as a function that is positive where it holds. Whether it holds where both sides are equal is
// not kept.
Node parse_comparison(Expressions& expressions, std::string_view text, const Symbols& symbols);

// The functions and pi: no coordinate or parameter may take these names.
bool is_reserved(std::string_view name);

// What may name a coordinate, a parameter or a definition: letters, digits and underscores, not led by a
// digit. Letters are those of ASCII and every character beyond, other than ones that look like an operator.
bool is_identifier(std::string_view name);

}  // namespace carom::formula
