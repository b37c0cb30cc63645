// The matrix of a constrained equation: a block A over the coordinates, bordered by gradients of constraints,
//
//   [ A   B ] [ x ]   [ a ]
//   [ C'  0 ] [-λ ] = [ b ]
//
// in an envelope. Coordinates stay in their order and every constraint stands behind the last coordinate that
// it touches: so bodies that do not touch do not couple, and a chain of bodies has a narrow band.
// Tested in tests/unit/envelope_test.cpp.
#pragma once

#include <array>

#include "carom/numerics/envelope.hpp"

namespace carom {

class KktMatrix {
 public:
  // Fixes the pattern: n coordinates, the pairs that A couples, and the coordinates of each constraint. From
  // step to step it is mostly the same, and only set to zero.
  void arrange(int n, std::span<const std::array<int, 2>> pairs, const SparseRows& constraints);

  void set_zero() { matrix.set_zero(); }
  void add(int i, int k, double x) { matrix.add(coordinate[i], coordinate[k], x); }
  double on_diagonal(int i) const { return matrix.on_diagonal(coordinate[i]); }  // of A, before factor()
  void add_column(int k, const SparseRows::Row& B) {
    for (std::size_t i = 0; i < B.at.size(); ++i) matrix.add(coordinate[B.at[i]], row[k], B.slopes[i]);
  }
  void add_row(int k, const SparseRows::Row& C) {
    for (std::size_t i = 0; i < C.at.size(); ++i) matrix.add(row[k], coordinate[C.at[i]], C.slopes[i]);
  }
  // Adds slope λ_k to the left of equation k: alone it reads λ_k = b_k, a constraint that does not act.
  void release(int k, double slope = 1) { matrix.add(row[k], row[k], -slope); }

  bool factor() { return matrix.factor(multiplier); }
  bool dropped(int k) const { return matrix.dropped(row[k]); }

  void find_blocks() { matrix.find_blocks(blocks); }

  // Right-hand side in, solution out: x over the coordinates, λ over the constraints.
  void solve(Values& x, Eigen::Ref<Values> lambda);

  // The x of a right-hand side that is one sparse row over the coordinates: only the blocks that it touches
  // are solved (call find_blocks() first). Appends x as a row of `response`.
  void respond(const SparseRows::Row& a, SparseRows& response);

 private:
  bool is_arranged(int n, std::span<const std::array<int, 2>> pairs, const SparseRows& constraints) const;
  void clear(const Envelope::Block& block);
  bool solved_before(std::span<const int> at, std::size_t end, int begin) const;
  static int last_of(const SparseRows::Row& constraint);

  std::vector<std::array<int, 2>> coupled;  // what was arranged last
  SparseRows bordered;
  std::vector<int> coordinate, row;  // where coordinate i and constraint k stand
  std::vector<int> owner;            // the coordinate at a place, or -1
  std::vector<int> behind, column;
  std::vector<char> multiplier;
  Envelope matrix;
  std::vector<Envelope::Block> blocks;
  ChangingValues solution;
};

}  // namespace carom
