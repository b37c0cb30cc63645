// The linear complementarity problem 0 <= y ⟂ W y + b >= 0 of a symmetric positive semidefinite sparse W: the
// impulses of several contacts at once. Block pivoting: all contacts of the wrong sign change sides together.
// Where that does not end, as it may where W is singular, they enter one by one, and y moves to each solution
// only as far as no impulse turns negative (Lawson & Hanson); one that depends on those before it takes the
// place of one of them. ½ y'W y + b·y falls with every step, so no set returns. Tested in
// tests/unit/nonnegative_test.cpp.
#pragma once

#include "carom/numerics/envelope.hpp"

namespace carom {

class NonnegativeSolver {
 public:
  // The pattern of W: first[i] <= i is the first column of row i. Fill it by add(), row >= column.
  void shape(std::span<const int> first_columns);
  void add(int row, int column, double w) { values[starts[row] + column] += w; }

  // Where the search begins: with y > 0 where b < 0, or everywhere, as where all contacts press on each
  // other.
  enum class Guess { where_b_asks, all };

  // False where there is no solution, or none is found. y holds the solution; `noise` is how wrong b may be.
  bool solve(const ChangingValues& b, ChangingValues& y, double noise = 0, Guess guess = Guess::where_b_asks);

 private:
  bool is_wrong(int k, const ChangingValues& y) const;
  bool solve_one_by_one(const ChangingValues& b, ChangingValues& y);
  bool one_depends() const;
  bool enter(int k, const ChangingValues& b, ChangingValues& y);
  bool exchange(int k, const ChangingValues& b, ChangingValues& y);
  double entry(int i, int k) const {
    if (i < k) std::swap(i, k);
    return k < first[i] ? 0 : values[starts[i] + k];
  }

  bool leave(const ChangingValues& y);
  bool factor_positive_part();
  bool solve_positive_part(const ChangingValues& b, ChangingValues& y);
  void measure(const ChangingValues& b, const ChangingValues& y);

  Envelope W;
  std::vector<int> first;
  std::vector<std::ptrdiff_t> starts;
  std::vector<double> values;  // the lower half of W, row by row
  std::vector<char> positive, swap, barred, all;
  ChangingValues slack, x, d;
  double tolerance = 0, least_tolerance = 0;
};

}  // namespace carom
