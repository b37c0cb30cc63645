// [time] until = "formula": a run stops at the first grid point after the formula has changed sign.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formula/program.hpp"
#include "scenario/scenario.hpp"

namespace carom {

class Until {
 public:
  Until(formula::Program p, std::size_t inputs) : program(std::move(p)), in(inputs) {}
  double operator()(std::span<const double> q, std::span<const double> v, double t);

 private:
  formula::Program program;
  std::vector<double> in;
};

// Nothing where the scenario has no such formula. Throws ScenarioError for a bad one.
std::optional<Until> make_until(const Scenario& scenario, const std::vector<std::string>& coordinates,
                                const std::map<std::string, double>& parameters);

}  // namespace carom
