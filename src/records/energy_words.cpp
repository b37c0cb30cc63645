#include "records/energy_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace carom {

std::string energy_in_words(const RunResult& r) {
  if (std::isnan(r.energy.initial)) return "";
  std::string causes;
  const auto add = [&causes](double x, const char* how) {
    causes += fmt::format("{}{:.6g} {}", causes.empty() ? "" : ", ", x, how);
  };
  if (r.work != 0) add(r.work, "done by forces and drives");
  if (r.friction != 0) add(-r.friction, "taken by friction");
  if (r.lossy) add(r.loss, "lost at impacts");
  if (causes.empty())
    return fmt::format("largest error {:.2e}, drift {:.1e} per unit of time", r.energy.max_abs_error,
                       r.drift_per_time);
  return fmt::format("{}, error of the balance {:.2e}", causes, std::abs(r.remainder));
}

}  // namespace carom
