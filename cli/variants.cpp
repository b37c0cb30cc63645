#include "variants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "import/import.hpp"
#include "model/model.hpp"
#include "scenario/scenario_keys.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::cli {
namespace {

std::string kind_of(const std::string& method) {
  for (const auto& known : known_methods())
    if (known.name == method) return known.kind;
  return "";
}

// "flow=yoshida4,order=8" as overrides of single keys.
std::vector<std::string> assignments(const std::string& method) {
  std::vector<std::string> r;
  for (std::size_t at = 0; at <= method.size();) {
    const std::size_t comma = std::min(method.find(',', at), method.size());
    r.push_back("method." + method.substr(at, comma - at));
    at = comma + 1;
  }
  return r;
}

bool mentions(const std::string& keys, const std::string& key) {
  return ("," + keys).find("," + key + "=") != std::string::npos;
}

// What "flow=sva" or "stepper=direct,scheme=midpoint" replaces of the scenario's own method: its name; with a
// stepper, all that is not said.
void drop_replaced(Scenario& scenario, const std::string& keys) {
  if (mentions(keys, "stepper"))
    for (const auto& key : detail::scenario_keys()) {
      const bool stated = mentions(keys, key.name.substr(key.name.find('.') + 1));
      if (key.name.starts_with("method.") && !stated)
        std::visit([](auto* field) { *field = {}; }, key.field(scenario));
    }
  if (!mentions(keys, "name") && (mentions(keys, "flow") || mentions(keys, "impact")))
    scenario.method.name.reset();
}

void replace_method(Scenario& scenario, const std::string& method) {
  MethodSpec& m = scenario.method;
  const std::string kind = kind_of(method);
  scenario.source.places["method.name"] = "--method " + method;
  if (kind == "flow") {
    m.name.reset(), m.base.reset(), m.stages.reset(), m.gamma.reset();
    m.flow = method;
  } else if (kind == "impact law") {
    m.name.reset(), m.order.reset(), m.fraction.reset(), m.window.reset();
    m.stepper.reset(), m.reflection.reset(), m.energy.reset(), m.predictor.reset(), m.constraints.reset();
    m.scheme.reset(), m.beta.reset();
    m.impact = method;
  } else if (kind == "stepper") {
    m = {};
    m.stepper = method;
  } else {  // a short name, or a mistake that make_method() words
    m = {};
    m.name = method;
  }
}

}  // namespace

std::vector<Variant> variants_of(const std::string& path, const std::vector<std::string>& set,
                                 const std::vector<std::string>& methods, const std::vector<double>& steps) {
  std::vector<Variant> r;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, methods.size()); ++i)
    for (std::size_t k = 0; k < std::max<std::size_t>(1, steps.size()); ++k) {
      std::vector<std::string> overrides = set;
      const bool keys = !methods.empty() && methods[i].find('=') != std::string::npos;
      if (keys)
        for (const auto& assignment : assignments(methods[i])) overrides.push_back(assignment);
      if (!steps.empty()) overrides.push_back(fmt::format("time.step={}", steps[k]));
      Variant v{"", read_scenario_or_robot(path, overrides)};
      if (!methods.empty() && !keys) replace_method(v.scenario, methods[i]);
      if (keys) drop_replaced(v.scenario, methods[i]);
      drop_keys_of_other_steppers(v.scenario);
      choose_stepper(v.scenario, find_model(v.scenario));
      v.label = methods.empty() ? make_method(v.scenario).label : methods[i];
      if (steps.size() > 1) v.label += fmt::format(", h = {}", steps[k]);
      r.push_back(std::move(v));
    }
  return r;
}

}  // namespace carom::cli
