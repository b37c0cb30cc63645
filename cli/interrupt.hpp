// Ctrl-C and SIGTERM as a wish to stop, which commands look at between steps; what was computed is kept.
#pragma once

#include <atomic>
#include <csignal>

#include "files/child_process.hpp"

namespace carom::cli {

inline std::atomic<bool> interrupt = false;

// While steps are taken; before and after them, where there is nothing to keep, a signal ends the program at once.
// A write beyond the limit of a file's size is an error like any other.
class SignalScope {
 public:
  SignalScope() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupt = true; });
    std::signal(SIGXFSZ, SIG_IGN);
    end_children_on(&interrupt);
  }
  ~SignalScope() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;
};

}  // namespace carom::cli
