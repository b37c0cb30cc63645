// LU factors of a sparse matrix kept in its envelope: row i, and column i above the diagonal, from its first
// entry to the diagonal. Elimination without pivoting fills nothing outside, so a chain of bodies costs time
// in proportion to its length.
//
// A row may be marked as a multiplier's: where its pivot vanishes against the terms it is the difference of,
// the constraint depends on those before it and its multiplier is zero. Tested in
// tests/unit/envelope_test.cpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/numerics/sparse_rows.hpp"

namespace carom {

class Envelope {
 public:
  // first[i] <= i is the first column of row i that may hold an entry; the pattern is symmetric.
  void shape(std::span<const int> first_columns);
  void set_zero();
  int size() const { return static_cast<int>(first.size()); }
  double on_diagonal(int row) const { return diagonal[row]; }
  void add(int row, int column, double x) {
    if (row == column)
      diagonal[row] += x;
    else if (row > column)
      lower[offset[row] + column] += x;
    else
      upper[offset[column] + row] += x;
  }

  // A = L U with unit lower L. `multiplier[i]` tells which rows may be dropped; false where another pivot
  // vanishes or is not finite.
  bool factor(std::span<const char> multiplier);

  bool dropped(int i) const { return std::isinf(diagonal[i]); }

  // Solves for rows begin .. end-1, which must not be coupled to others: all rows, or one block().
  void solve(Eigen::Ref<Values> b, int begin, int end) const;
  void solve(Eigen::Ref<Values> b) const { solve(b, 0, size()); }

  // Where the block of coupled rows around each row begins and ends.
  struct Block {
    int begin, end;
  };
  void find_blocks(std::vector<Block>& block) const;

 private:
  static constexpr double dependent = 1e-12;
  std::vector<int> first;
  std::vector<std::ptrdiff_t> offset;  // of row i, minus first[i]
  std::vector<double> lower, upper, diagonal;
};

}  // namespace carom
