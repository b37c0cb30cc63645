// A system that a scenario states in formulas: [system] name = "expression".
//
//   scenario -> define_system() -> SystemFormulas (programs) -> FormulaSystem -> the core, as any system
//
// The Lagrangian is differentiated symbolically once; a step evaluates programs only.
// Tested in tests/unit/formula_system_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "carom/system/mechanics.hpp"
#include "carom/system/nilpotent_lagrangian.hpp"
#include "formula/program.hpp"
#include "formula/system_expressions.hpp"

namespace carom {

// What the core asks of a system, compiled. Inputs of every program: q, v, t; and psi of friction.
struct SystemFormulas {
  int dim = 0;
  std::vector<std::string> coordinates, gap_names, joint_names, momentum_names;
  bool forced = false, timed = false, quadratic = false, constant_mass = false;
  formula::Program lagrangian;          // L
  formula::Program slopes, mixed, all;  // L, Lq, Lv; and Lqv, Lvv; and Lqq, the last two unless sparse()
  formula::Program fibre;               // Lv, Lvv
  formula::Program potential;           // V, Vq where the mass is constant
  formula::Program gaps, joints, force, friction, momenta;
  formula::Program gap_jet, joint_jet;  // values, slopes row by row, and by t where timed
  formula::Program drift;               // Lt, Ltv where timed
  formula::Program force_slopes;        // ∂f/∂q, ∂f/∂v
  formula::Program conditions;          // of all contacts, where any has one
  formula::Program branches;         // of gaps with kinks; those and their slopes have them as further inputs
  std::vector<double> restitutions;  // of the contacts
  std::vector<int> branch_contacts;
  Eigen::MatrixXd mass;               // where it is constant
  std::vector<double> gap_constants;  // numbers that gaps add up
  std::vector<int> units;             // of the coordinates: what no formula couples
  std::vector<int> units_in_motion;   // the same without gaps

  // Above the sizes that kernels are compiled for, only those second derivatives and slopes are computed that
  // are not zero everywhere.
  bool sparse() const { return dim > 16; }
  struct Coupling {
    int i, k;
    int qv, vq, vv, qq;  // where Lqv(i, k), Lqv(k, i), Lvv(i, k) and Lqq(i, k) are among the outputs, or -1
  };
  std::vector<Coupling> couplings;
  formula::Program curvature;
  struct Rows {
    std::vector<int> begin, column;  // row i has the slopes from begin[i] to begin[i + 1]
    formula::Program slopes;         // behind them, by t where timed
  };
  Rows gap_rows, joint_rows;
  // Of contacts that rub: T, and w behind it; what the slip changes by along v; slides.
  Rows slip_rows;
  formula::Program slip_bends, slides;
  int slips_each = 1;
  std::vector<double> mu;
  std::vector<char> mu_is_split;  // from that of sliding
  formula::Program sliding_mu;    // of all contacts at a speed, and its slope
  std::vector<char> has_slide;

  std::vector<formula::Program*> programs() {
    return {&lagrangian,
            &slopes,
            &mixed,
            &all,
            &fibre,
            &potential,
            &gaps,
            &joints,
            &force,
            &friction,
            &momenta,
            &gap_jet,
            &joint_jet,
            &force_slopes,
            &drift,
            &conditions,
            &branches,
            &curvature,
            &gap_rows.slopes,
            &joint_rows.slopes,
            &slip_rows.slopes,
            &slip_bends,
            &slides};
  }
};

// Throws ScenarioError for whatever does not fit, pointing at the formula's column.
std::shared_ptr<const SystemFormulas> define_system(const Scenario& scenario);

std::shared_ptr<const NilpotentLagrangian> lagrangian_of(std::shared_ptr<const SystemFormulas> formulas);

}  // namespace carom
