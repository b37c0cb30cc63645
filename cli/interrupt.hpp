// Ctrl-C and SIGTERM as a wish to stop, which commands look at between steps; what was computed is kept.
#pragma once

#include <atomic>
#include <csignal>

namespace carom::cli {

inline std::atomic<bool> interrupt = false;

// A write beyond the limit of a file's size is an error like any other.
inline void listen_for_signals() {
  std::signal(SIGINT, [](int) { interrupt = true; });
  std::signal(SIGTERM, [](int) { interrupt = true; });
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace carom::cli
