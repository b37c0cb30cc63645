// Where formulas are not smooth. Tested in tests/unit/formula_kinks_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "formula/expression.hpp"

namespace carom::formula {

// Functions whose zeros are the places where a formula has a kink, a jump, or a jump in a higher derivative:
// the argument of abs and sign, the difference of the two sides of min, max and if, sin(pi x) of floor(x).
// Each once, whatever its sign; some of the zeros may be smooth places.
std::vector<Node> kinks_of(Expressions& expressions, Node of);

// A place where the value of a formula jumps: if, sign and floor do, unless what stands around them makes up
// for it, as in x*sign(x) or abs(mod(x, 2) - 1). It is looked for along some lines, each of which moves one
// input from -1e12 to 1e12 through all magnitudes; a jump that lies in none of their ways is not found.
struct Jump {
  int input;  // the one that was moved
  double at, before, after;
};
std::optional<Jump> find_jump(Expressions& expressions, Node of, int inputs);

}  // namespace carom::formula
