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

#include "carom/contact/envelope.hpp"

namespace carom {

class KktMatrix {
 public:
  // Fixes the pattern: n coordinates, the pairs that A couples, and the coordinates of each constraint.
  void arrange(int n, std::span<const std::array<int, 2>> pairs, const SparseRows& constraints) {
    const int m = constraints.size();
    coordinate.resize(n), row.resize(m), behind.assign(n + 1, 0), column.resize(n + m),
        multiplier.assign(n + m, 0);
    for (int k = 0; k < m; ++k) ++behind[last_of(constraints[k])];
    int next = 0;
    for (int i = 0; i < n; ++i) {
      coordinate[i] = next++;
      const int count = behind[i];
      behind[i] = next, next += count;
    }
    for (int k = 0; k < m; ++k) {
      row[k] = behind[last_of(constraints[k])]++;
      multiplier[row[k]] = 1;
    }
    for (int i = 0; i < n + m; ++i) column[i] = i;
    owner.assign(n + m, -1);
    for (int i = 0; i < n; ++i) owner[coordinate[i]] = i;
    for (const auto& [i, k] : pairs) {
      const int low = std::min(coordinate[i], coordinate[k]), high = std::max(coordinate[i], coordinate[k]);
      column[high] = std::min(column[high], low);
    }
    for (int k = 0; k < m; ++k)
      for (const int i : constraints[k].at) column[row[k]] = std::min(column[row[k]], coordinate[i]);
    matrix.shape(column);
    solution.resize(n + m);
  }

  void set_zero() { matrix.set_zero(); }
  void add(int i, int k, double x) { matrix.add(coordinate[i], coordinate[k], x); }
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
  void solve(Values& x, Eigen::Ref<Values> lambda) {
    for (Eigen::Index i = 0; i < x.size(); ++i) solution[coordinate[i]] = x[i];
    for (Eigen::Index k = 0; k < lambda.size(); ++k) solution[row[k]] = lambda[k];
    matrix.solve(solution);
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = solution[coordinate[i]];
    for (Eigen::Index k = 0; k < lambda.size(); ++k) lambda[k] = -solution[row[k]];
  }

  // The x of a right-hand side that is one sparse row over the coordinates: only the blocks that it touches
  // are solved (call find_blocks() first). Appends x as a row of `response`.
  void respond(const SparseRows::Row& a, SparseRows& response) {
    for (const int i : a.at) clear(blocks[coordinate[i]]);
    for (std::size_t k = 0; k < a.at.size(); ++k) solution[coordinate[a.at[k]]] += a.slopes[k];
    for (std::size_t k = 0; k < a.at.size(); ++k) {
      const auto block = blocks[coordinate[a.at[k]]];
      if (solved_before(a.at, k, block.begin)) continue;
      matrix.solve(solution, block.begin, block.end);
      for (int i = block.begin; i < block.end; ++i)
        if (owner[i] >= 0) response.push(owner[i], solution[i]);
    }
    response.end_row();
  }

 private:
  void clear(const Envelope::Block& block) {
    for (int i = block.begin; i < block.end; ++i) solution[i] = 0;
  }
  bool solved_before(std::span<const int> at, std::size_t end, int begin) const {
    for (std::size_t k = 0; k < end; ++k)
      if (blocks[coordinate[at[k]]].begin == begin) return true;
    return false;
  }
  static int last_of(const SparseRows::Row& constraint) {
    int last = 0;
    for (const int i : constraint.at) last = std::max(last, i);
    return last;
  }

  std::vector<int> coordinate, row;  // where coordinate i and constraint k stand
  std::vector<int> owner;            // the coordinate at a place, or -1
  std::vector<int> behind, column;
  std::vector<char> multiplier;
  Envelope matrix;
  std::vector<Envelope::Block> blocks;
  ChangingValues solution;
};

}  // namespace carom
