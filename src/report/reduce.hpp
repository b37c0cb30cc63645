// A run's records, reduced to what a page can show: a few thousand points over the whole run with the
// extremes between them, and the coordinates closely enough in time for an animation. One or two passes over
// the file, whatever its size. Tested in tests/unit/reduce_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "records/table.hpp"

namespace carom {

// One quantity over a run: at the points, and its extremes from each of them to the next.
struct Trace {
  std::vector<double> y, low, high;
};

struct RunSeries {
  using Traces = std::vector<Trace>;  // one for each coordinate, momentum, gap
  std::vector<double> t;
  bool thinned = false;                         // there are rows between the points
  Trace H_error, shadow_error, discrete_error;  // changes since the start
  Trace work, loss, friction;                   // the last is empty where there is none
  Trace remainder;                              // of H - H(0), without these
  Traces q, v, p, momentum_error, gaps, multipliers;
  Traces forces;      // of contacts that last; none where the stepper knows no such
  Traces quantities;  // the user's own, in the order of their names
};

struct Motion {
  double start = 0, step = 0;  // between frames
  bool whole = true;           // covers the run, and not only its first part
  std::vector<double> states;  // frames x dim
};

// About `points` points; of the quantities of these names, too.
RunSeries reduce(TableSource& source, std::size_t points, const std::vector<std::string>& quantities = {});

// At most `frames` frames: all of the run if it can be shown smoothly by so many, else its first part.
Motion motion(TableSource& source, std::size_t frames);

}  // namespace carom
