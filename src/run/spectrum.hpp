// The Lyapunov spectrum of a scenario's run. Tested in tests/cli/orbit_test.py.
#pragma once

#include "carom/derivative/exponents.hpp"
#include "run/sensitivity.hpp"

namespace carom {

struct SpectrumRun {
  std::string status, reason;  // completed, stopped or failed, and why not the first
  Spectrum spectrum;           // until then
  double slowest = HUGE_VAL;   // approach of an impact
};

class SpectrumSearch {
 public:
  // Directions are made orthonormal after `every` steps; `skip` is a time left to the transient. Throws
  // ScenarioError.
  SpectrumSearch(const Prepared& prepared, int every, double skip);

  SpectrumRun run(const std::function<bool()>& stop) const;

 private:
  Differentiable set;
  int every;
  std::int64_t skipped;
};

}  // namespace carom
