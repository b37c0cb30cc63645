// "No trend": the mean of H over the last sixth of a run differs from that over the second sixth by less than
// a tenth of the band within a sixth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace carom::test {

class Sixths {
 public:
  explicit Sixths(std::int64_t all) : steps(all) {
    std::fill(low, low + 6, 1e300);
    std::fill(high, high + 6, -1e300);
  }
  void add(std::int64_t n, double H) {
    const int k = static_cast<int>(std::min<std::int64_t>(5, 6 * n / steps));
    sum[k] += H, ++count[k];
    low[k] = std::min(low[k], H), high[k] = std::max(high[k], H);
  }
  double mean(int k) const { return sum[k] / count[k]; }
  double trend() const { return std::abs(mean(5) - mean(1)); }
  double band() const { return *std::max_element(high, high + 6) - *std::min_element(low, low + 6); }
  double band_within() const {
    double widest = 0;
    for (int k = 0; k < 6; ++k) widest = std::max(widest, high[k] - low[k]);
    return widest;
  }
  std::string table() const {
    std::string r = "\nmeans:";
    for (int k = 0; k < 6; ++k) r += " " + std::to_string(mean(k));
    return r + ", band within a sixth " + std::to_string(band_within());
  }

 private:
  std::int64_t steps;
  double sum[6] = {}, count[6] = {}, low[6], high[6];
};

}  // namespace carom::test
