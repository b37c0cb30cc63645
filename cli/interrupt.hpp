// Ctrl-C and SIGTERM as a wish to stop, which commands look at between steps; what was computed is kept.
#pragma once

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "commands.hpp"
#include "files/child_process.hpp"

namespace carom::cli {

inline std::atomic<bool> interrupt = false;

// From the start of the program on: where there is nothing to keep, a signal ends it at once, with the code
// of one that was stopped.
inline void end_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { _exit(interrupted); });
}

// While steps are taken. A write beyond the limit of a file's size is an error like any other.
class SignalScope {
 public:
  SignalScope() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupt = true; });
    std::signal(SIGXFSZ, SIG_IGN);
    end_children_on(&interrupt);
  }
  ~SignalScope() { end_on_signals(); }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;
};

}  // namespace carom::cli
