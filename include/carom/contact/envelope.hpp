// LU factors of a sparse matrix kept in its envelope: row i, and column i above the diagonal, from its first
// entry to the diagonal. Elimination without pivoting fills nothing outside, so a chain of bodies costs time
// in proportion to its length.
//
// A row may be marked as a multiplier's: where its pivot vanishes against the terms it is the difference of,
// the constraint depends on those before it and its multiplier is zero. Tested in
// tests/unit/envelope_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "carom/contact/sparse_rows.hpp"

namespace carom {

class Envelope {
 public:
  // first[i] <= i is the first column of row i that may hold an entry; the pattern is symmetric.
  void shape(std::span<const int> first_columns) {
    first.assign(first_columns.begin(), first_columns.end());
    offset.resize(first.size());
    std::size_t length = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      offset[i] = static_cast<std::ptrdiff_t>(length) - first[i];
      length += i - static_cast<std::size_t>(first[i]);
    }
    lower.assign(length, 0.0), upper.assign(length, 0.0), diagonal.assign(first.size(), 0.0);
  }
  void set_zero() {
    std::fill(lower.begin(), lower.end(), 0.0), std::fill(upper.begin(), upper.end(), 0.0);
    std::fill(diagonal.begin(), diagonal.end(), 0.0);
  }
  int size() const { return static_cast<int>(first.size()); }
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
  bool factor(std::span<const char> multiplier) {
    double *L = lower.data(), *U = upper.data();  // entry k of row i is at offset[i] + k
    for (int i = 0; i < size(); ++i) {
      const std::ptrdiff_t row = offset[i];
      for (int j = first[i]; j < i; ++j) {
        const std::ptrdiff_t above = offset[j];
        double l = L[row + j], u = U[row + j];
        for (int k = std::max(first[i], first[j]); k < j; ++k)
          l -= L[row + k] * U[above + k], u -= L[above + k] * U[row + k];
        L[row + j] = l / diagonal[j], U[row + j] = u;
      }
      double pivot = diagonal[i], terms = std::abs(pivot);
      for (int k = first[i]; k < i; ++k) {
        const double term = L[row + k] * U[row + k];
        pivot -= term, terms += std::abs(term);
      }
      if (!std::isfinite(pivot)) return false;
      if (!(std::abs(pivot) > dependent * terms)) {
        if (!multiplier[i]) return false;
        pivot = std::numeric_limits<double>::infinity();  // divides to a multiplier of zero
      }
      diagonal[i] = pivot;
    }
    return true;
  }

  bool dropped(int i) const { return std::isinf(diagonal[i]); }

  // Solves for rows begin .. end-1, which must not be coupled to others: all rows, or one block().
  void solve(Eigen::Ref<Values> b, int begin, int end) const {
    for (int i = begin; i < end; ++i) {
      for (int k = first[i]; k < i; ++k) b[i] -= lower[offset[i] + k] * b[k];
    }
    for (int i = end - 1; i >= begin; --i) {
      b[i] /= diagonal[i];
      for (int k = first[i]; k < i; ++k) b[k] -= upper[offset[i] + k] * b[i];
    }
  }
  void solve(Eigen::Ref<Values> b) const { solve(b, 0, size()); }

  // Where the block of coupled rows around each row begins and ends.
  struct Block {
    int begin, end;
  };
  void find_blocks(std::vector<Block>& block) const {
    block.resize(first.size());
    int end = size(), reach = size();
    for (int i = size() - 1; i >= 0; --i) {
      reach = std::min(reach, first[i]);
      if (reach < i) continue;
      for (int k = i; k < end; ++k) block[k] = {i, end};
      end = i, reach = size();
    }
  }

 private:
  static constexpr double dependent = 1e-12;
  std::vector<int> first;
  std::vector<std::ptrdiff_t> offset;  // of row i, minus first[i]
  std::vector<double> lower, upper, diagonal;
};

}  // namespace carom
