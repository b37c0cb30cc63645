// Lyapunov exponents of a run, all of them: D <- S D step by step through impacts, made orthonormal again by
// D = Q R, whose diagonal says how much each direction grew. Their errors are those of the means of blocks of
// equal length.
//
//   λ_i = 1/T Σ log R_ii          a law's anchor moves along with the directions, as a further row of D
//
// Tested in tests/cli/orbit_test.py.
#pragma once

#include <Eigen/QR>

#include "carom/derivative/run_slopes.hpp"

namespace carom {

struct Spectrum {
  Values exponents, errors;   // the largest first; one standard error each
  Values pairs, pair_errors;  // λ_i + λ_(2n+1-i), i = 1..n, which vanish where the map is symplectic
  double time = 0;
  std::int64_t impacts = 0;
};

class Exponents {
 public:
  // Directions are made orthonormal after `every` steps, and after each with an impact; `skipped` steps are
  // left to the transient.
  Exponents(const RunMethod& method, Grid grid, int every, std::int64_t skipped);

  // As an observer of simulate(); after a failure it looks at nothing more.
  void operator()(const GridPoint& point);

  Spectrum spectrum() const;
  std::optional<Failure> failure;
  double slowest() const { return slopes.step.slowest; }

 private:
  static constexpr std::int64_t most_blocks = 64;

  void begin(const GridPoint& point);
  void carry(const Slopes& S);
  void renew();

  RunSlopes slopes;
  bool by_shadow;
  Grid grid;
  int every, waiting = 0;
  std::int64_t skipped, block_length, impacts = 0, impacts_of_block = 0;  // whole blocks count
  Phase last;
  Eigen::MatrixXd D, next;
  SlopeRow anchor;
  Values sum;
  std::vector<Values> blocks;
};

}  // namespace carom
