// [time] until = "formula": a run stops at the first grid point after the formula has changed sign.
#pragma once

#include <optional>

#include "scenario/quantities.hpp"

namespace carom {

class Until {
 public:
  explicit Until(StateFormulas f) : formula(std::move(f)) {}
  double operator()(std::span<const double> q, std::span<const double> v, double t) {
    return formula(q, v, t).front();
  }

 private:
  StateFormulas formula;
};

// Nothing where the scenario has no such formula. Throws ScenarioError for a bad one.
std::optional<Until> make_until(const Scenario& scenario, const std::vector<std::string>& coordinates,
                                const std::map<std::string, double>& parameters);

}  // namespace carom
