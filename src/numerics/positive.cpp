#include "carom/numerics/positive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace carom {

bool factor_positive(double* m, int* first, int n) {
  bool positive = true;
  for (int i = 0; i < n; ++i) {
    double* row = m + i * n;
    first[i] = static_cast<int>(std::find_if(row, row + i, [](double x) { return x != 0; }) - row);
    for (int j = first[i]; j < i; ++j) {
      const double* other = m + j * n;
      for (int k = std::max(first[i], first[j]); k < j; ++k)
        row[j] = row[j] - row[k] * other[k] * m[k * n + k];
      row[j] = row[j] / other[j];
    }
    for (int k = first[i]; k < i; ++k) row[i] = row[i] - row[k] * row[k] * m[k * n + k];
    positive = positive && row[i] > 0 && row[i] < HUGE_VAL && 1 / row[i] < HUGE_VAL;
  }
  return positive;
}

void solve_factored(const double* m, const int* first, double* b, int n) {
  for (int i = 1; i < n; ++i)
    for (int j = first[i]; j < i; ++j) b[i] = b[i] - b[j] * m[i * n + j];
  for (int i = 0; i < n; ++i) b[i] = b[i] * (1.0 / m[i * n + i]);
  for (int i = n - 2; i >= 0; --i)
    for (int j = i + 1; j < n; ++j)
      if (first[j] <= i) b[i] = b[i] - b[j] * m[j * n + i];
}

bool solve_positive_in_place(double* m, double* b, int n) {
  std::array<int, 16> few;
  thread_local std::vector<int> many;
  const auto count = static_cast<std::size_t>(n);
  if (count > few.size() && many.size() < count) many.resize(count);
  int* first = count > few.size() ? many.data() : few.data();
  const bool positive = factor_positive(m, first, n);
  solve_factored(m, first, b, n);
  return positive;
}

}  // namespace carom
