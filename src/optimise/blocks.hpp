// A sparse non-linear program as a sum of blocks, each a small formula of a few of the unknowns:
//
//   f(x) = Σ cost_b(x_b),   g(x) = (rows_b(x_b))_b
//
// Blocks of one kind share their programs. Their slopes and bends are symbolic, so that exactly what is not
// zero everywhere has a place. Tested in tests/unit/blocks_test.cpp.
#pragma once

#include <memory>

#include "formula/program.hpp"
#include "formula/system_expressions.hpp"
#include "optimise/sparse_program.hpp"

namespace carom {

// The formulas of a kind, over symbols from `first` on: unknowns, then constants.
struct BlockFormulas {
  int first = 0, unknowns = 0, constants = 0;
  formula::Node cost = formula::none;
  Nodes rows;
};

class BlockKind {
 public:
  BlockKind(formula::Expressions& expressions, const BlockFormulas& formulas);

  // Inputs are those of the formulas; `weights` are of the cost and of the rows.
  void values(const double* in, double* cost_and_rows) const;
  void slopes(const double* in, double* out) const;
  void bends(const double* in, const double* weights, double* out) const;

  int unknowns, constants, rows;
  std::vector<int> cost_columns;                   // the first outputs of slopes()
  std::vector<SparseProgram::Place> row_columns;   // those behind
  std::vector<SparseProgram::Place> bend_columns;  // pairs of unknowns, the first not below the second

 private:
  const double* filled(const double* in, const double* weights, int inputs) const;

  int first;
  formula::Program value_program, slope_program, bend_program;
};

class BlockProgram final : public SparseProgram {
 public:
  // Unknowns and rows are added in any order, blocks after the unknowns that they are of.
  int add_unknown(std::string name, double guess, double lowest, double highest);
  // Rows are between `lows` and `highs`; a block without a name for its rows is dynamics.
  void add_block(std::shared_ptr<const BlockKind> kind, std::vector<int> unknowns,
                 std::vector<double> constants, const std::vector<double>& lows,
                 const std::vector<double>& highs, std::vector<std::string> row_names);

  bool cost(const double* x, double& f) const override;
  bool cost_slopes(const double* x, double* out) const override;
  bool rows(const double* x, double* out) const override;
  bool slopes(const double* x, double* out) const override;
  bool bends(const double* x, double weight, const double* row_weights, double* out) const override;

  struct Violation {
    std::string name;
    double by = 0;
  };
  // The row that is furthest from its bounds.
  Violation worst(const std::vector<double>& x) const;
  // The first row or cost that is not finite; "" where all are.
  std::string not_finite(const std::vector<double>& x) const;

  std::vector<std::string> names;  // of the unknowns

 private:
  struct Block {
    std::shared_ptr<const BlockKind> kind;
    std::vector<int> unknowns;
    std::vector<double> constants;
    int first_row;
    std::vector<std::string> row_names;
  };
  const double* gather(const Block& block, const double* x) const;
  template <class Each>
  void each_value(const double* x, const Each& each) const;

  std::vector<Block> blocks;
};

}  // namespace carom
