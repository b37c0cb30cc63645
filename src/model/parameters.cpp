#include "model/parameters.hpp"

#include <algorithm>

#include "carom/system/validate.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

std::string spell(const ParameterValue& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word ? '"' + *word + '"' : detail::to_text(std::get<double>(value));
}

}  // namespace

std::map<std::string, double> stated_parameters(const Scenario& scenario,
                                                const std::vector<std::string>& known) {
  std::map<std::string, double> r;
  for (const auto& [name, value] : scenario.system.parameters) {
    const std::string key = "system.parameters." + detail::key_part(name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      scenario.reject(
          key, spell(value),
          "the system \"" + scenario.system.name + "\" has no such parameter" + suggestion(name, known));
    const double* number = std::get_if<double>(&value);
    if (!number) scenario.reject(key, spell(value), "must be a number");
    r[name] = *number;
  }
  return r;
}

void check_parameter(const Scenario& scenario, const std::string& name, double value, Range range) {
  try {
    validate_parameter(name, value, range);
  } catch (const InvalidInput& e) {
    scenario.reject("system." + e.field, e.value, e.why);
  }
}

}  // namespace carom
