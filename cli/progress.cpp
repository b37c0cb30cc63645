#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace carom::cli {

Progress::Progress(bool wanted) : active(wanted && isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (drawn) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(std::int64_t done, std::int64_t all, const char* unit) {
  if (!active || all <= 0) return;
  constexpr int width = 30;
  const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double left = fraction > 0 ? seconds / fraction - seconds : 0;
  const int full = static_cast<int>(fraction * width);
  fmt::print(stderr, "\r\x1b[K[{}{}] {:3.0f} %  {:.2g} {}/s  {:.0f} s left", std::string(full, '#'),
             std::string(width - full, '.'), 100 * fraction, static_cast<double>(done) / seconds, unit, left);
  std::fflush(stderr);
  drawn = true;
}

}  // namespace carom::cli
