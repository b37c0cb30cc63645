#include "carom/numerics/kkt_matrix.hpp"

#include <algorithm>

namespace carom {

void KktMatrix::arrange(int n, std::span<const std::array<int, 2>> pairs, const SparseRows& constraints) {
  if (is_arranged(n, pairs, constraints)) return matrix.set_zero();
  coupled.assign(pairs.begin(), pairs.end()), bordered = constraints;
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

bool KktMatrix::is_arranged(int n, std::span<const std::array<int, 2>> pairs,
                            const SparseRows& constraints) const {
  return n == static_cast<int>(coordinate.size()) && std::ranges::equal(pairs, coupled) &&
         constraints.stands_as(bordered);
}

void KktMatrix::solve(Values& x, Eigen::Ref<Values> lambda) {
  for (Eigen::Index i = 0; i < x.size(); ++i) solution[coordinate[i]] = x[i];
  for (Eigen::Index k = 0; k < lambda.size(); ++k) solution[row[k]] = lambda[k];
  matrix.solve(solution);
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = solution[coordinate[i]];
  for (Eigen::Index k = 0; k < lambda.size(); ++k) lambda[k] = -solution[row[k]];
}

void KktMatrix::respond(const SparseRows::Row& a, SparseRows& response) {
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

void KktMatrix::clear(const Envelope::Block& block) {
  for (int i = block.begin; i < block.end; ++i) solution[i] = 0;
}

bool KktMatrix::solved_before(std::span<const int> at, std::size_t end, int begin) const {
  for (std::size_t k = 0; k < end; ++k)
    if (blocks[coordinate[at[k]]].begin == begin) return true;
  return false;
}

int KktMatrix::last_of(const SparseRows::Row& constraint) {
  int last = 0;
  for (const int i : constraint.at) last = std::max(last, i);
  return last;
}

}  // namespace carom
