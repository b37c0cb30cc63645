// A sparse non-linear program, and what solves one: Ipopt, in a module that is opened when somebody asks for
// it (files/modules.hpp), so that the program itself needs no Fortran.
//
//   minimise f(x)   subject to   low <= x <= high,   row_low <= g(x) <= row_high
//
// Its linear solver, MUMPS, is not safe in several threads: the module solves one program at a time.
// Tested in tests/cli/optimise_test.py.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace carom {

class SparseProgram {
 public:
  struct Place {
    int row, column;
  };
  virtual ~SparseProgram() = default;

  // Each answers whether all that it gave is finite. Slopes are of g, in the order of `slope_places`; bends
  // are of weight f + Σ row_weights g, in that of `bend_places`, the lower triangle. Places may repeat: then
  // they add up.
  virtual bool cost(const double* x, double& f) const = 0;
  virtual bool cost_slopes(const double* x, double* out) const = 0;
  virtual bool rows(const double* x, double* out) const = 0;
  virtual bool slopes(const double* x, double* out) const = 0;
  virtual bool bends(const double* x, double weight, const double* row_weights, double* out) const = 0;

  std::vector<double> start, low, high;   // unknowns
  std::vector<double> row_low, row_high;  // rows of g
  std::vector<Place> slope_places, bend_places;
};

struct SolverOptions {
  double tolerance = 1e-11;
  int most_iterations = 1000;
  std::function<bool()> stop = {};  // asked after each iteration
};

// How it ended: solved where the conditions of an optimum hold to the tolerance, or to rounding where that is
// more.
enum class SolverEnd {
  solved,
  infeasible,
  too_many_iterations,
  not_finite,
  stopped,
  too_few_unknowns,
  failed
};

struct SparseSolution {
  SolverEnd end = SolverEnd::failed;
  std::vector<double> x;  // what was reached, however it ended
  std::vector<double> row_weights;
  double cost = 0;
  int iterations = 0;
};

using SolveProgram = void (*)(const SparseProgram&, const SolverOptions&, SparseSolution&);

}  // namespace carom
