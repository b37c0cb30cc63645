// The progress line: on a terminal only, on standard error, gone when the run is.
#pragma once

#include <chrono>
#include <cstdint>

namespace carom::cli {

class Progress {
 public:
  explicit Progress(bool wanted);  // shows nothing where standard error is not a terminal
  ~Progress();
  void show(std::int64_t done, std::int64_t all, const char* unit);

 private:
  bool active;
  bool drawn = false;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

}  // namespace carom::cli
