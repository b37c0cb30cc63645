#include "carom/numerics/envelope.hpp"

#include <algorithm>
#include <limits>

namespace carom {

void Envelope::shape(std::span<const int> first_columns) {
  first.assign(first_columns.begin(), first_columns.end());
  offset.resize(first.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    offset[i] = static_cast<std::ptrdiff_t>(length) - first[i];
    length += i - static_cast<std::size_t>(first[i]);
  }
  lower.assign(length, 0.0), upper.assign(length, 0.0), diagonal.assign(first.size(), 0.0);
}

void Envelope::set_zero() {
  std::fill(lower.begin(), lower.end(), 0.0), std::fill(upper.begin(), upper.end(), 0.0);
  std::fill(diagonal.begin(), diagonal.end(), 0.0);
}

bool Envelope::factor(std::span<const char> multiplier) {
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

void Envelope::solve(Eigen::Ref<Values> b, int begin, int end) const {
  const double *L = lower.data(), *U = upper.data();
  double* x = b.data();
  for (int i = begin; i < end; ++i) {
    double sum = x[i];
    for (int k = first[i]; k < i; ++k) sum -= L[offset[i] + k] * x[k];
    x[i] = sum;
  }
  for (int i = end - 1; i >= begin; --i) {
    const double quotient = x[i] / diagonal[i];
    x[i] = quotient;
    for (int k = first[i]; k < i; ++k) x[k] -= U[offset[i] + k] * quotient;
  }
}

void Envelope::find_blocks(std::vector<Block>& block) const {
  block.resize(first.size());
  int end = size(), reach = size();
  for (int i = size() - 1; i >= 0; --i) {
    reach = std::min(reach, first[i]);
    if (reach < i) continue;
    for (int k = i; k < end; ++k) block[k] = {i, end};
    end = i, reach = size();
  }
}

}  // namespace carom
