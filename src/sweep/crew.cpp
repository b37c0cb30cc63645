#include "sweep/crew.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <chrono>
#include <exception>
#include <thread>

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;

// Enough members for this time at once, so that asking for them and handing them in costs nothing, and few
// enough that a sweep which is killed loses little.
constexpr std::chrono::milliseconds piece{20};

Batch run_span(MemberRunner& runner, Span span, std::size_t width) {
  Batch batch{span.first};
  batch.rows.resize(span.count * width);
  const auto outcomes = runner.run(span, batch.rows);
  for (std::size_t i = 0; i < span.count; ++i) {
    if (outcomes[i].status == MemberStatus::stopped) break;
    batch.status.push_back(outcomes[i].status);
    if (outcomes[i].status != MemberStatus::completed) batch.reasons[span.first + i] = outcomes[i].reason;
  }
  batch.rows.resize(batch.status.size() * width);
  return batch;
}

void work(const Members& members, WorkQueue& queue, const CrewOptions& options,
          const std::function<void(Batch)>& deliver) {
  MemberRunner runner(members, options.stop);
  const auto stopped = [&] { return options.stop && options.stop(); };
  std::size_t most = 1;
  while (!stopped()) {
    const auto begin = Clock::now();
    const Span span = queue.take(most, static_cast<std::size_t>(options.takers));
    if (span.count == 0) return;
    deliver(run_span(runner, span, members.row_width()));
    const auto spent = Clock::now() - begin;
    if (spent < piece / 2) most *= 2;
    if (spent > 2 * piece && most > 1) most /= 2;
    most = std::max(most, runner.side_by_side());
  }
}

}  // namespace

void run_crew(const Members& members, WorkQueue& queue, const CrewOptions& options,
              const std::function<void(Batch)>& deliver, const std::function<void()>& attend) {
  std::mutex one_at_a_time;
  const auto deliver_alone = [&](Batch batch) {
    const std::lock_guard lock(one_at_a_time);
    deliver(std::move(batch));
  };
  std::atomic<int> working = options.threads;
  const auto thread = [&] {
    struct Leaving {
      std::atomic<int>& count;
      ~Leaving() { --count; }
    } leaving{working};
    try {
      work(members, queue, options, deliver_alone);
    } catch (...) {
      queue.drop();  // the others need not go on
      throw;
    }
  };
  // This thread only attends, so it is one more than work.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(options.threads) + 1);
  tbb::task_arena arena(options.threads, 0);
  tbb::task_group tasks;
  for (int i = 0; i < options.threads; ++i) arena.enqueue(tasks.defer(thread));
  std::exception_ptr trouble;
  while (working > 0) {
    try {
      if (!trouble) attend();
    } catch (...) {
      trouble = std::current_exception();
      queue.drop();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  arena.execute([&] { tasks.wait(); });
  if (trouble) std::rethrow_exception(trouble);
  attend();
}

}  // namespace carom
