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

// What coordinates are compared in: only those that motion couples, in units of the mass, √(M_00 / M_kk) as
// powers of two.
struct StageUnits {
  using Factors = std::array<double, most_staged_coordinates>;
  bool one = true;  // all are of one unit
  std::array<int, most_staged_coordinates> unit{};
  Factors v, f;  // times these, velocities and forces are in the same unit; each is 1 over the other

  // For each coordinate the largest of its unit, in its own measure: `largest[k]` of sizes size(k), by v or
  // f.
  template <class Size>
  [[gnu::always_inline]] void find_largest(int n, const Factors& by, const Factors& back, const Size& size,
                                           Factors& largest) const {
    if (one) {
      double most = 0;
      for (int k = 0; k < n; ++k) most = size(k) * by[k] > most ? size(k) * by[k] : most;
      for (int k = 0; k < n; ++k) largest[k] = most * back[k];
      return;
    }
    Factors most;
    for (int k = 0; k < n; ++k) most[k] = 0;
    for (int k = 0; k < n; ++k)
      most[unit[k]] = size(k) * by[k] > most[unit[k]] ? size(k) * by[k] : most[unit[k]];
    for (int k = 0; k < n; ++k) largest[k] = most[unit[k]] * back[k];
  }
};

// A step to be solved for, from (q, p).
struct StageProblem {
  double t, h;
  const double *q, *p;
  double tolerance;  // of the slopes of each coordinate, relative to the largest of them
  const StageUnits* units;
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
