#include "measure.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace carom::papers {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Band band(const std::vector<double>& values) {
  Band r{nan, nan};
  for (const double x : values)
    if (std::isfinite(x)) r = {std::fmin(r.low, x), std::fmax(r.high, x)};
  return r;
}

double median(std::vector<double> values) {
  if (values.empty()) return nan;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double largest(const std::vector<double>& values) {
  double r = 0;
  for (const double x : values) {
    if (std::isnan(x)) return nan;
    r = std::fmax(r, std::abs(x));
  }
  return r;
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double x0 = mean(x), y0 = mean(y);
  double xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) xy += (x[i] - x0) * (y[i] - y0), xx += (x[i] - x0) * (x[i] - x0);
  return xy / xx;
}

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> log_x, log_y;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] > 0 && y[i] > 0 && std::isfinite(y[i]))
      log_x.push_back(std::log(x[i])), log_y.push_back(std::log(y[i]));
  return log_x.size() < 2 ? nan : slope(log_x, log_y);
}

std::vector<double> geometric(double from, double ratio, int count) {
  std::vector<double> r;
  for (int i = 0; i < count; ++i) r.push_back(from * std::pow(ratio, i));
  return r;
}

std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> r;
  for (int i = 0; i < count; ++i) r.push_back(from + (to - from) * i / (count - 1));
  return r;
}

}  // namespace carom::papers
