#include "sweep/conduct.hpp"

#include <chrono>
#include <exception>
#include <thread>

#include "sweep/crew.hpp"
#include "sweep/wire.hpp"

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;
using detail::Request;

// How much work a rank has at hand: enough to wait for an answer, little enough to end with the others.
constexpr double seconds_at_hand = 0.1;

// Rank 0's side: answers the other ranks between everything else.
class Desk {
 public:
  Desk(Store& store, WorkQueue& queue, Team& team, int threads)
      : store_(store),
        queue_(queue),
        team_(team),
        takers_(static_cast<std::size_t>(team.size() * threads)),
        away_(team.size() - 1) {}

  std::size_t answer(bool keep = true) {  // how many members came in
    std::size_t members = 0;
    while (const auto message = team_.receive()) {
      const Request request = detail::request_from(message->bytes);
      for (const Batch& batch : request.done) {
        if (keep) store_.put(batch);
        members += batch.status.size();
      }
      if (request.leaving) --away_;
      if (request.wanted > 0)
        team_.send(message->from, (detail::WireWriter() << queue_.take(request.wanted, takers_)).bytes);
    }
    return members;
  }
  bool all_left() const { return away_ == 0; }

 private:
  Store& store_;
  WorkQueue& queue_;
  Team& team_;
  std::size_t takers_;
  int away_;
};

void push_missing(const Store& store, WorkQueue& queue, std::size_t& done) {
  Span missing;
  for (std::size_t i = 0; i < store.members(); ++i) {
    if (store.status(i)) {
      ++done;
      queue.push(missing);
      missing = {};
    } else if (missing.count++ == 0) {
      missing.first = i;
    }
  }
  queue.push(missing);
}

// The other ranks' side.
class Post {
 public:
  Post(WorkQueue& queue, Team& team, int threads)
      : queue_(queue), team_(team), threads_(static_cast<std::size_t>(threads)) {}

  void hand_in(Batch batch) {  // called by the threads
    const std::lock_guard lock(mutex_);
    done_ += batch.status.size();
    outbox_.push_back(std::move(batch));
  }
  void attend() {
    while (const auto message = team_.receive()) {
      const auto span = detail::WireReader(message->bytes).next<Span>();
      span.count > 0 ? queue_.push(span) : queue_.close();
      asked_ = false, closed_ = closed_ || span.count == 0;
    }
    const std::size_t enough = at_hand();
    if (!closed_ && !asked_ && queue_.left() < enough) {
      asked_ = true;
      tell({enough, false, take_outbox()});
    }
  }
  void leave() { tell({0, true, take_outbox()}); }

 private:
  std::size_t at_hand() {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const std::lock_guard lock(mutex_);
    return std::max(2 * threads_,
                    static_cast<std::size_t>(static_cast<double>(done_) / seconds * seconds_at_hand));
  }
  std::vector<Batch> take_outbox() {
    const std::lock_guard lock(mutex_);
    return std::exchange(outbox_, {});
  }
  void tell(const Request& request) { team_.send(0, detail::to_bytes(request)); }

  WorkQueue& queue_;
  Team& team_;
  std::size_t threads_;
  bool asked_ = false, closed_ = false;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::vector<Batch> outbox_;
  std::size_t done_ = 0;
};

}  // namespace

void conduct(const Members& members, Store& store, Team& team, const ConductOptions& options) {
  WorkQueue queue;
  std::size_t done = 0;
  push_missing(store, queue, done);
  queue.close();
  Desk desk(store, queue, team, options.threads);
  std::mutex mutex;  // the threads hand in beside the desk
  Clock::time_point shown = {};
  const auto attend = [&] {
    if (options.stop && options.stop()) queue.drop();
    const std::lock_guard lock(mutex);
    done += desk.answer();
    if (!options.progress || Clock::now() - shown < std::chrono::milliseconds(100)) return;
    shown = Clock::now();
    options.progress(done);
  };
  const auto deliver = [&](Batch batch) {
    const std::lock_guard lock(mutex);
    store.put(batch), done += batch.status.size();
  };
  std::exception_ptr trouble;
  try {
    run_crew(members, queue, {options.threads, options.threads * team.size(), options.stop}, deliver, attend);
  } catch (...) {
    trouble = std::current_exception();  // a full disk, say; the others are sent home first
    queue.drop();
  }
  while (!desk.all_left()) {
    trouble ? void(desk.answer(false)) : attend();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (trouble) std::rethrow_exception(trouble);
}

void assist(const Members& members, Team& team, const ConductOptions& options) {
  WorkQueue queue;
  Post post(queue, team, options.threads);
  const auto attend = [&] {
    if (options.stop && options.stop()) queue.drop();
    post.attend();
  };
  run_crew(
      members, queue, {options.threads, options.threads, options.stop},
      [&](Batch batch) { post.hand_in(std::move(batch)); }, attend);
  post.leave();
}

}  // namespace carom
