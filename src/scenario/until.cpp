#include "scenario/until.hpp"

#include <algorithm>

#include "formula/formula_names.hpp"

namespace carom {

double Until::operator()(std::span<const double> q, std::span<const double> v, double t) {
  std::copy(q.begin(), q.end(), in.begin());
  std::copy(v.begin(), v.end(), in.begin() + static_cast<std::ptrdiff_t>(q.size()));
  in.back() = t;
  double value = 0;
  program(std::span<const double>(in), std::span<double>(&value, 1));
  return value;
}

std::optional<Until> make_until(const Scenario& scenario, const std::vector<std::string>& coordinates,
                                const std::map<std::string, double>& parameters) {
  if (!scenario.time.until) return std::nullopt;
  FormulaNames names(scenario, coordinates, parameters);
  const std::vector<formula::Node> node = {names.parse("time.until", *scenario.time.until)};
  return Until(formula::compile(names.expressions, node, names.inputs()),
               static_cast<std::size_t>(names.inputs()));
}

}  // namespace carom
