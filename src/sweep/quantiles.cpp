#include "sweep/quantiles.hpp"

#include <algorithm>
#include <cmath>

namespace carom {

Quantiles quantiles_of(std::vector<double>& numbers) {
  std::erase_if(numbers, [](double x) { return std::isnan(x); });
  std::sort(numbers.begin(), numbers.end());
  Quantiles r;
  r.fill(std::nan(""));
  if (numbers.empty()) return r;
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double at = quantile_levels[k] * static_cast<double>(numbers.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const double a = numbers[below], b = numbers[std::min(below + 1, numbers.size() - 1)];
    const double part = at - static_cast<double>(below);
    r[k] = part < 0.5 ? a + (b - a) * part : b - (b - a) * (1 - part);
  }
  return r;
}

}  // namespace carom
