// The formulas of a system as expressions, read, checked and differentiated: what is compiled to programs
// (formula_system.cpp).
#pragma once

#include <string>
#include <vector>

#include "formula/formula_names.hpp"

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
  Nodes gap_slopes, joint_slopes, force_by_q, force_by_v;  // row by row
  bool timed = false;                                      // L, a gap or a joint depends on t; then:
  Nodes gap_drifts, joint_drifts, drift;                   // ∂g/∂t, ∂f/∂t; Lt and Ltv
  Nodes friction;                      // likewise; of the multipliers, too
  std::vector<std::string> gap_names, joint_names, momentum_names;
};

inline constexpr int most_formula_coordinates = 16;
inline constexpr int most_formula_gaps = 32;
inline constexpr int most_formula_joints = 16;

}  // namespace carom
