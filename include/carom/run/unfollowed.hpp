// What is lost without being followed: bounces too short for the step. Of each contact the energy that they
// would have given back, beside the most that moves with it at an impact; a run whose share is large says so.
// Tested in tests/truth/bounces_test.py.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "carom/run/stepper.hpp"

namespace carom {

class Unfollowed {
 public:
  static constexpr double large = 0.01;

  explicit Unfollowed(int contacts) : lost(static_cast<std::size_t>(contacts), 0.0), most(lost.size(), 0.0) {}

  void sees(int contact, double moving) {
    double& m = most[static_cast<std::size_t>(contact)];
    m = std::fmax(m, moving);
  }
  void loses(int contact, double energy) { lost[static_cast<std::size_t>(contact)] += energy; }

  double share() const {
    double largest = 0;
    for (std::size_t i = 0; i < lost.size(); ++i)
      if (lost[i] > 0) largest = std::fmax(largest, lost[i] / most[i]);
    return largest;
  }

  void numbers(KeptNumbers& f) {
    for (std::size_t i = 0; i < lost.size(); ++i) f(lost[i]), f(most[i]);
  }

 private:
  std::vector<double> lost, most;
};

}  // namespace carom
