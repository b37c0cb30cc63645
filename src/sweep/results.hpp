// What a finished sweep leaves: sweep.npz and summary.json.
#pragma once

#include <filesystem>
#include <string>

#include "sweep/store.hpp"

namespace carom {

// The arrays, by name:
//   each key of the grid     its values along its axis; of a key that has words, their numbers 0, 1, ...
//   each drawn key           its values, one a draw
//   status                   0 completed, 2 refused, 3 failed, over the grid and the draws
//   each field               over the grid and the draws
//   t, quantiles             of series: the times and the levels
//   each series              its quantiles over the draws, over grid, times and levels; without draws over
//   all members
// Equal results make equal files.
void write_sweep_npz(const std::filesystem::path& path, const Members& members, const Store& store);

struct SweepCost {
  double wall_seconds = 0;  // of this process, since it started or was resumed
  std::size_t members = 0;  // done in that time
  int threads = 1, ranks = 1;
};

// `command` is the one that was given.
std::string sweep_summary(const Members& members, const Store& store, const SweepCost& cost,
                          const std::string& command);

}  // namespace carom
