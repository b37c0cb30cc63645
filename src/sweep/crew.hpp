// The threads of one process: each takes members from the queue and hands in what became of them.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "sweep/store.hpp"
#include "sweep/work_queue.hpp"

namespace carom {

struct CrewOptions {
  int threads = 1;
  int takers = 1;                   // threads of all processes that take from this queue
  std::function<bool()> stop = {};  // asked by each thread, now and then
};

// Runs until the queue is closed and empty. `deliver` is called by one thread at a time; `attend` by the
// calling thread, about a thousand times a second while the others work. Rethrows what a thread threw.
void run_crew(const Members& members, WorkQueue& queue, const CrewOptions& options,
              const std::function<void(Batch)>& deliver, const std::function<void()>& attend);

}  // namespace carom
