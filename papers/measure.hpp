// Numbers that verdicts are made of: slopes, quantiles, bands.
#pragma once

#include <cmath>
#include <vector>

namespace carom::papers {

struct Band {
  double low = 0, high = 0;
  double width() const { return high - low; }
};

Band band(const std::vector<double>& values);  // of the finite ones
double median(std::vector<double> values);
double mean(const std::vector<double>& values);
double largest(const std::vector<double>& values);  // in absolute value; NaN where one is NaN

// Slope of the straight line through (x, y) by least squares; and of log y over log x, points that are not
// positive left out.
double slope(const std::vector<double>& x, const std::vector<double>& y);
double log_slope(const std::vector<double>& x, const std::vector<double>& y);

// from, from * ratio, from * ratio^2, ...: count of them.
std::vector<double> geometric(double from, double ratio, int count);
// count values from `from` to `to`, both included.
std::vector<double> evenly(double from, double to, int count);

}  // namespace carom::papers
