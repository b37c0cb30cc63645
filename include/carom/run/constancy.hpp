// What a quantity that should be constant did over a run, and its slope over time, in constant memory.
// Tested in tests/unit/ledger_test.cpp.
#pragma once

#include <cmath>
#include <string>

namespace carom {

// Least-squares slope of y over t, gathered point by point about running means, so that it does not cancel.
class Slope {
 public:
  void add(double t, double y) {
    ++count;
    const double dt = t - mean_t;
    mean_t += dt / count;
    mean_y += (y - mean_y) / count;
    sum_tt += dt * (t - mean_t);
    sum_ty += dt * (y - mean_y);
  }
  double value() const { return sum_tt > 0 ? sum_ty / sum_tt : 0; }
  void numbers(auto&& f) { f(count), f(mean_t), f(mean_y), f(sum_tt), f(sum_ty); }

 private:
  double count = 0, mean_t = 0, mean_y = 0, sum_tt = 0, sum_ty = 0;
};

// How a quantity that should be constant behaved.
struct Constancy {
  std::string name;
  double initial = 0, final = 0, max_abs_error = 0;

  void add(double value, bool first) {
    if (first) initial = value;
    final = value;
    const double error = std::abs(value - initial);
    if (error > max_abs_error || std::isnan(error)) max_abs_error = error;  // NaN wins
  }
  void numbers(auto&& f) { f(initial), f(final), f(max_abs_error); }
};

}  // namespace carom
