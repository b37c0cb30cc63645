#include "scenario/until.hpp"

namespace carom {

std::optional<Until> make_until(const Scenario& scenario, const std::vector<std::string>& coordinates,
                                const std::map<std::string, double>& parameters) {
  if (!scenario.time.until) return std::nullopt;
  FormulaNames names(scenario, coordinates, parameters);
  add_quantities(scenario, names);
  const formula::Node node = names.parse("time.until", *scenario.time.until);
  return Until(StateFormulas(names, {&node, 1}));
}

}  // namespace carom
