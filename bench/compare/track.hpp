// The states of a run, kept while it is timed and looked at afterwards: an energy in every step would cost as
// much as some steps do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace carom::bench {

class Track {
 public:
  explicit Track(std::size_t width_of_state) : width(width_of_state) {}

  void begin(std::int64_t steps) {
    numbers.clear(), numbers.reserve(width * static_cast<std::size_t>(steps + 1));
  }
  void add(double x) { numbers.push_back(x); }

  std::int64_t steps() const { return static_cast<std::int64_t>(numbers.size() / width) - 1; }
  const double* state(std::int64_t n) const { return numbers.data() + static_cast<std::size_t>(n) * width; }

  // Largest |H - H(0)| / |H(0)|; infinite where a state is not finite.
  template <class Energy>
  double energy_error(const Energy& energy) const {
    const double H0 = energy(state(0));
    double worst = 0;
    for (std::int64_t n = 1; n <= steps(); ++n) {
      const double error = std::abs(energy(state(n)) / H0 - 1);
      if (!std::isfinite(error)) return HUGE_VAL;
      worst = std::max(worst, error);
    }
    return worst;
  }

 private:
  std::size_t width;
  std::vector<double> numbers;
};

}  // namespace carom::bench
