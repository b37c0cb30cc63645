// The observed order of a method: the slope of log(error) against log(h), with errors near rounding left out.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "carom/numerics/vector.hpp"

namespace carom::test {

template <int N>
double distance(const State<double, N>& x, const State<double, N>& y) {
  return std::max((x.q - y.q).template lpNorm<Eigen::Infinity>(),
                  (x.p - y.p).template lpNorm<Eigen::Infinity>());
}

struct ErrorAt {
  double h, error;
};

struct ObservedOrder {
  double slope = NAN;
  int points = 0;
  std::string table;  // for the message of a failing test
};

inline ObservedOrder observed_order(const std::vector<ErrorAt>& errors, double rounding) {
  ObservedOrder r;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [h, error] : errors) {
    const bool counts = error > rounding;
    r.table += "  h = " + std::to_string(h) + "  log10(error) = " + std::to_string(std::log10(error)) +
               (counts ? "\n" : "  (rounding, left out)\n");
    if (!counts) continue;
    const double x = std::log(h), y = std::log(error);
    ++r.points, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  if (r.points >= 3) r.slope = (r.points * sxy - sx * sy) / (r.points * sxx - sx * sx);
  return r;
}

}  // namespace carom::test
