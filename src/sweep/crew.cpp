#include "sweep/crew.hpp"

#include <chrono>
#include <exception>
#include <thread>
#include <vector>

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
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(options.threads));
  const auto thread = [&](std::exception_ptr& trouble) {
    struct Leaving {
      std::atomic<int>& count;
      ~Leaving() { --count; }
    } leaving{working};
    try {
      work(members, queue, options, deliver_alone);
    } catch (...) {
      queue.drop();  // the others need not go on
      trouble = std::current_exception();
    }
  };
  std::exception_ptr trouble;
  std::vector<std::jthread>
      threads;  // of this sweep alone, so that a process that forks later has none to miss
  for (std::exception_ptr& own : thrown) try {
      threads.emplace_back(thread, std::ref(own));
    } catch (const std::system_error&) {  // no more of them are to be had: the others do it, if there are any
      --working;
      if (threads.empty() && &own == &thrown.back()) trouble = std::current_exception();
    }
  while (working > 0) {
    try {
      if (!trouble) attend();
    } catch (...) {
      trouble = std::current_exception();
      queue.drop();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  threads.clear();  // waits for them
  for (const std::exception_ptr& own : thrown)
    if (own && !trouble) trouble = own;
  if (trouble) std::rethrow_exception(trouble);
  attend();
}

}  // namespace carom
