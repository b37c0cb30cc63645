// Where formulas are not smooth. Tested in tests/unit/formula_kinks_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "formula/expression.hpp"

namespace carom::formula {

// A formula whose kinks are no longer chosen by what its parts are, but by further inputs: each branch is
// smooth, and goes on behind its kink. An input is -1 or 1, the side of 0 on which `of` is: the argument of
// abs and sign, the difference of the two sides of min, max and if. Or it is the whole number below `of`, the
// argument of floor.
struct Branch {
  Node of;
  bool whole;
  bool operator==(const Branch&) const = default;
};
// The formula in which branch k is input first + k; those that are new are appended to `branches`.
Node branched(Expressions& expressions, Node of, int first, std::vector<Branch>& branches);
// That input where nobody chooses it.
Node choice_of(Expressions& expressions, const Branch& branch);

// A place where the value of a formula jumps: if, sign and floor do, unless what stands around them makes up
// for it, as in x*sign(x) or abs(mod(x, 2) - 1). It is looked for along some lines, each of which moves one
// input from -1e12 to 1e12 through all magnitudes; a jump that lies in none of their ways is not found.
struct Jump {
  int input;  // the one that was moved
  double at, before, after;
};
std::optional<Jump> find_jump(Expressions& expressions, Node of, int inputs);

}  // namespace carom::formula
