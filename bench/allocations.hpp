// Allocations beside the time: all that this program asks memory of, by operator new or by malloc, which
// Eigen uses. bench/CMakeLists.txt lets the linker send malloc and its like here.
#pragma once

#include <benchmark/benchmark.h>

namespace carom::bench {

long allocations();  // of this thread, so far

// From its beginning to report(); the benchmark's own are none in between.
class AllocationCounter {
 public:
  void report(benchmark::State& state, double steps_per_iteration = 1) const {
    state.counters["allocations"] =
        benchmark::Counter(static_cast<double>(allocations() - before) / steps_per_iteration,
                           benchmark::Counter::kAvgIterations);
  }

 private:
  long before = allocations();
};

}  // namespace carom::bench
