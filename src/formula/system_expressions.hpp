// The formulas of a system as expressions, read, checked and differentiated: what is compiled to programs
// (formula_system.cpp).
#pragma once

#include <string>
#include <vector>

#include "formula/formula_names.hpp"
#include "formula/slip_expressions.hpp"

namespace carom {

using Nodes = std::vector<formula::Node>;

struct SystemExpressions {
  explicit SystemExpressions(const Scenario& scenario);  // throws ScenarioError

  FormulaNames names;
  formula::Node L = formula::none;
  Nodes Lq, Lv, Lqv, Lvv, Lqq;      // matrices row by row; Lqv(k, i) = ∂²L/∂q_k∂v_i
  bool quadratic = false;           // in v: Lvv is free of v
  bool split = false;               // L = ½ v'M(q) v - V(q): quadratic, and Lv vanishes at v = 0
  bool constant_mass = false;       // split, and M is constant
  formula::Node V = formula::none;  // where L splits
  Nodes Vq;
  Nodes gaps, joints, momenta, force;  // force is empty where there is none
  std::vector<double> restitutions;    // of the contacts; NaN: the method's
  SlipExpressions slips;
  Nodes conditions;                  // likewise, positive where they exist; empty where all always do
  Nodes branches;                    // of gaps that have kinks: which side of each (kinks.hpp)
  std::vector<int> branch_contacts;  // whose it is
  Nodes branched_gaps, branched_slopes, branched_drifts;   // with the branches as inputs behind the others
  Nodes gap_slopes, joint_slopes, force_by_q, force_by_v;  // row by row
  bool timed = false;                                      // L, a gap or a joint depends on t; then:
  Nodes gap_drifts, joint_drifts, drift;                   // ∂g/∂t, ∂f/∂t; Lt and Ltv
  Nodes friction;                                          // likewise; of the multipliers, too
  std::vector<std::string> gap_names, joint_names, momentum_names;
};

}  // namespace carom
