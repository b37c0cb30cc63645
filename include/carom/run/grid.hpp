// The times of a run: t0 + n h, never a running sum.
#pragma once

#include <cstdint>

namespace carom {

struct Grid {
  double start = 0;
  double step = 0.01;
  std::int64_t steps = 0;

  double time(std::int64_t n) const { return start + static_cast<double>(n) * step; }
};

}  // namespace carom
