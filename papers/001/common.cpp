#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "measure.hpp"

namespace carom::papers::p001 {

std::vector<double> levels(const std::vector<double>& t, const std::vector<double>& energy,
                           const std::vector<double>& impacts) {
  std::vector<double> r, flight;
  std::size_t next = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (; next < impacts.size() && t[i] >= impacts[next]; ++next, flight.clear())
      r.push_back(median(flight));
    flight.push_back(energy[i]);
  }
  r.push_back(median(flight));
  return r;
}

double l2_error(double h, const std::vector<double>& q1, const std::vector<double>& q2,
                const Columns& reference) {
  const auto &r1 = reference["q1"], &r2 = reference["q2"];
  const std::size_t rows = std::min(q1.size(), r1.size());
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i)
    sum += (q1[i] - r1[i]) * (q1[i] - r1[i]) + (q2[i] - r2[i]) * (q2[i] - r2[i]);
  return std::sqrt(h * sum);
}

double l2_error(double h, const Recorded& run, const Recorded& reference) {
  return l2_error(h, run.trajectory["q1"], run.trajectory["q2"], reference.trajectory);
}

std::string setting(std::string_view key, double value) { return fmt::format("{}={}", key, value); }

}  // namespace carom::papers::p001
