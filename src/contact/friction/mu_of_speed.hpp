// The mu of what slides, and its slope: also behind the place where the slip is zero, where substeps that go
// back may come. There it goes on as its formula does, or, where that has no value, as the odd part of it.
#pragma once

#include <cmath>

#include "carom/system/system.hpp"

namespace carom {

inline double mu_of_speed(const System& system, int contact, double speed) {
  const double mu = system.sliding_mu(contact, speed);
  if (speed >= 0 || std::isfinite(mu)) return mu;
  return 2 * system.sliding_mu(contact, 0) - system.sliding_mu(contact, -speed);
}

// For Newton's method: none where it is infinite.
inline double mu_slope_of_speed(const System& system, int contact, double speed) {
  const double slope = system.sliding_mu_slope(contact, speed);
  if (std::isfinite(slope)) return slope;
  const double mirrored = system.sliding_mu_slope(contact, -speed);
  return speed < 0 && std::isfinite(mirrored) ? mirrored : 0;
}

}  // namespace carom
