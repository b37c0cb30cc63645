// CPU time of this process, all its threads: on a machine that others use, too, the only clock that tells
// anything.
#pragma once

#include <ctime>

namespace carom::bench {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace carom::bench
