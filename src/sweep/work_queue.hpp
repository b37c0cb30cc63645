// Members that are still to be done, handed out in pieces to whoever asks.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

namespace carom {

struct Span {
  std::size_t first = 0, count = 0;
};

class WorkQueue {
 public:
  void push(Span span) {
    if (span.count == 0) return;
    const std::lock_guard lock(mutex_);
    spans_.push_back(span), left_ += span.count;
    changed_.notify_all();
  }
  // Nothing more will come.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // Nothing more will come, and what is there is not done.
  void drop() {
    const std::lock_guard lock(mutex_);
    spans_.clear(), left_ = 0, closed_ = true;
    changed_.notify_all();
  }
  // Up to `most` members in a row, and no more than a fair part of what is left, where `takers` take. Waits
  // for them; none means that there are no more.
  Span take(std::size_t most, std::size_t takers) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return left_ > 0 || closed_; });
    if (left_ == 0) return {};
    Span& front = spans_.front();
    const Span taken{front.first,
                     std::clamp<std::size_t>(left_ / (2 * takers), 1, std::min(most, front.count))};
    front.first += taken.count, front.count -= taken.count, left_ -= taken.count;
    if (front.count == 0) spans_.pop_front();
    return taken;
  }
  std::size_t left() const {
    const std::lock_guard lock(mutex_);
    return left_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Span> spans_;
  std::size_t left_ = 0;
  bool closed_ = false;
};

}  // namespace carom
