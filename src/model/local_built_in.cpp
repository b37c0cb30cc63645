#include "model/local_built_in.hpp"

#include <fmt/format.h>

#include <cmath>

#include "carom/system/validate.hpp"
#include "model/mechanical_model.hpp"
#include "model/parameters.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

constexpr double most_bodies = 10'000;

[[noreturn]] void refuse(const Scenario& s, const std::string& name, const std::string& value,
                         const std::string& why) {
  s.reject("system.parameters." + name, value, why);
}

void check_range(const Scenario& s, const ParameterInfo& p, double value) {
  const std::string text = detail::to_text(value);
  if (!std::isfinite(value)) refuse(s, p.name, text, "must be finite");
  if (p.range == "> 0" && !(value > 0)) refuse(s, p.name, text, "must be greater than 0");
  if (p.range == ">= 0" && !(value >= 0)) refuse(s, p.name, text, "must not be negative");
  if (p.range == "1, 2, ..." && !(value >= 1 && value <= most_bodies && value == std::floor(value)))
    refuse(s, p.name, text, fmt::format("must be a whole number from 1 to {}", most_bodies));
}

LocalParameters read_parameters(const LocalBuiltIn& system, const Scenario& s) {
  LocalParameters r;
  Scenario numbers = s;  // words are read here, numbers as for every built-in system
  std::vector<std::string> known;
  for (const auto& p : system.parameters) {
    known.push_back(p.name);
    if (p.word.empty()) continue;
    const auto stated = s.system.parameters.find(p.name);
    r.words[p.name] = p.word;
    if (stated == s.system.parameters.end()) continue;
    const auto* word = std::get_if<std::string>(&stated->second);
    if (!word || p.range.find('"' + *word + '"') == std::string::npos)
      refuse(s, p.name, word ? '"' + *word + '"' : detail::to_text(std::get<double>(stated->second)),
             "must be " + p.range);
    r.words[p.name] = *word;
    numbers.system.parameters.erase(p.name);
  }
  r.numbers = stated_parameters(numbers, known);
  for (const auto& p : system.parameters) {
    if (!p.word.empty()) continue;
    r.numbers.try_emplace(p.name, p.value);
    check_range(s, p, r.numbers[p.name]);
  }
  return r;
}

MadeSystem made_from(const LocalBuiltIn& system, const Scenario& s) {
  const LocalParameters parameters = read_parameters(system, s);
  const BuiltSystem built = system.build(parameters, s);
  return {built.system, parameters.numbers, Start<Eigen::Dynamic>{built.q, std::nullopt, built.p}};
}

void check_stepper(const LocalBuiltIn& system, const Scenario& s, const Method& method) {
  if (method.stepper == "event-driven")
    s.reject("method.stepper",
             s.method.stepper ? "\"event-driven\"" : "left out, which means \"event-driven\"",
             fmt::format("{} is made of contacts that last, or of any number of bodies; take \"contact\"",
                         system.name));
}

}  // namespace

Model local_built_in(const LocalBuiltIn& system) {
  const auto model_for = [system](const Scenario& s) {
    const auto make = [system](const Scenario& own) { return made_from(system, own); };
    Model r = mechanical_model(s, system.summary, system.parameters, make);
    r.draw = system.build(read_parameters(system, s), s).draw;
    r.stepper = "contact";
    r.check = [system, check = r.check](const Scenario& own) {
      check_stepper(system, own, make_method(own));
      check(own);
    };
    r.run = [system, run = r.run](const Scenario& own, const Method& method, const RunHooks& hooks) {
      check_stepper(system, own, method);
      return run(own, method, hooks);
    };
    return r;
  };
  Scenario defaults;
  defaults.system.name = system.name;
  Model r = model_for(defaults);
  r.specialise = model_for;
  return r;
}

}  // namespace carom
