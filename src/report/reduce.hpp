// A run's records, reduced to what a page can show: a few thousand points over the whole run with the
// extremes between them, and the coordinates closely enough in time for an animation. One or two passes over
// the file, whatever its size. Tested in tests/unit/reduce_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "records/table.hpp"

namespace carom {

struct RunSeries {
  using Columns = std::vector<std::vector<double>>;  // one vector for each coordinate, momentum, gap
  std::vector<double> t;
  Columns q, p, momentum_error, gaps, gap_low, multipliers;
  std::vector<double> H_error, H_low, H_high;  // H - H(0) at the point, and its extremes until the next point
  std::vector<double> shadow_error, discrete_error, work, loss;
  std::vector<double> friction;  // empty where there is none
};

struct Motion {
  double start = 0, step = 0;  // between frames
  bool whole = true;           // covers the run, and not only its first part
  std::vector<double> states;  // frames x dim
};

// About `points` points.
RunSeries reduce(TableSource& source, std::size_t points);

// At most `frames` frames: all of the run if it can be shown smoothly by so many, else its first part.
Motion motion(TableSource& source, std::size_t frames);

}  // namespace carom
