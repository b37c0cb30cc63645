// All stages of a Gauss step, iterated together in structure-of-arrays form: coordinates are rows, stages run
// along the lanes of packs, two at a time on every machine and four where it has AVX2. The same bits either
// way: lanes never mix, and sums over stages are taken one stage after the other.
//
//   Q_i = q0 + h Σ a_ij V_j,  P_i = p0 + h Σ a_ij F_j,  V_i = v(Q_i, P_i),  F_i = ∂L/∂q(Q_i, V_i) + force
//
// Sweeps end when the change that the next one would make is below the tolerance; the length h may be an
// unknown, corrected after every sweep (a step that ends on a wall). Tested in
// tests/laws/collocation_test.cpp.
#pragma once

#include "carom/flow/outcome.hpp"
#include "stage_table.hpp"

namespace carom {

inline constexpr int most_staged_coordinates = 16;
// Slopes are not known better, relative to the largest of all coordinates. No tolerance is below it.
inline constexpr double rounding_of_slopes = 4e-16;

// The slopes of a step: a row of stages for each of n coordinates.
struct StageSlopes {
  int n;
  StageTable::Row *V, *F;
};

// A step to be solved for, from (q, p).
struct StageProblem {
  double t, h;
  const double *q, *p;
  double tolerance;  // of the slopes of each coordinate, relative to the largest of them
};

// Makes the length of a step an unknown: corrects it after every sweep, and answers by how much of itself.
struct LengthRule {
  virtual double correct(double& h) const = 0;

 protected:
  ~LengthRule() = default;
};

// The slopes of a step, carried on to the next of equal length.
void carry_stages(const StageTable& table, const StageSlopes& last, const StageSlopes& next, int lanes);

// Solves p for its slopes, from those in `values`; with a rule, for its length too.
Outcome iterate_stages(const System& system, const StageTable& table, StageProblem& p,
                       const StageSlopes& values, int lanes, const LengthRule* rule = nullptr);

}  // namespace carom
