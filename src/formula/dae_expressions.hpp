// The formulas of a DAE as expressions, read and checked; what is compiled to programs (dae_formulas.cpp).
#pragma once

#include "formula/system_expressions.hpp"

namespace carom {

struct DaeExpressions {
  explicit DaeExpressions(const Scenario& scenario);  // throws ScenarioError

  FormulaNames names;
  Nodes v, f, p, r;   // one for each coordinate
  Nodes friction;     // likewise, or empty
  Nodes constraints;  // joints, then gaps
  std::vector<std::string> joint_names, gap_names;
  formula::Node energy = formula::none;
};

}  // namespace carom
