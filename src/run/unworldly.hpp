// What makes no step fail, and is none all the same: a state or an energy beyond all bounds, which no units
// explain. Such a step is beyond the stability of its flow.
#pragma once

#include <cmath>
#include <optional>

#include "carom/run/ledger.hpp"
#include "carom/run/stepper.hpp"

namespace carom {

inline constexpr const char* beyond_all_bounds =
    "the state or its energy is beyond 1e100 after it: the motion leaves all bounds, or time.step is too "
    "large for it";

inline std::optional<Failure> unworldly_state(const Phase& z) {
  for (int i = 0; i < z.q.size(); ++i)
    if (!(std::abs(z.q[i]) + std::abs(z.p[i]) < largest_number))
      return Failure{beyond_all_bounds, std::fmax(std::abs(z.q[i]), std::abs(z.p[i])), ""};
  return std::nullopt;
}

inline std::optional<Failure> unworldly_energy(double H) {
  if (!std::isfinite(H)) return Failure{"the energy is not finite after it", H, ""};
  if (std::abs(H) >= largest_number) return Failure{beyond_all_bounds, H, ""};
  return std::nullopt;
}

}  // namespace carom
