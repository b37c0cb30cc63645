#include "mechanism_built_in.hpp"

#include <fmt/format.h>

#include <cmath>

#include "parameters.hpp"
#include "run/run_mechanism.hpp"
#include "scenario_text.hpp"
#include "suggest.hpp"

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

MechanismParameters read_parameters(const MechanismBuiltIn& system, const Scenario& s) {
  MechanismParameters r;
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

struct Made {
  ReadyMechanism ready;
  DrawSpec draw;
};

Made make(const MechanismBuiltIn& system, const Scenario& s) {
  const MechanismParameters parameters = read_parameters(system, s);
  BuiltMechanism built = system.build(parameters, s);
  const auto start = mechanism_start(*built.mechanism, s, {built.q, built.p});
  return {{built.mechanism, start, parameters.numbers}, built.draw};
}

void check_stepper(const MechanismBuiltIn& system, const Scenario& s, const Method& method) {
  if (method.stepper == "dae-euler")
    s.reject("method.stepper", "\"dae-euler\"",
             fmt::format("{} may have any number of bodies; dae-euler takes systems in formulas and the "
                         "built-in ones of fixed size",
                         system.name));
  if (method.stepper == "event-driven")
    s.reject("method.stepper",
             s.method.stepper ? "\"event-driven\"" : "left out, which means \"event-driven\"",
             fmt::format("{} is made of contacts that last, or of any number of bodies; take \"contact\"",
                         system.name));
  refuse_multipliers(s, method);
}

}  // namespace

Model mechanism_built_in(const MechanismBuiltIn& system) {
  const auto describe = [system](const Scenario& s) {
    const Made made = make(system, s);
    const Mechanism& m = *made.ready.mechanism;
    Model r;
    r.name = system.name, r.summary = system.summary, r.parameters = system.parameters, r.draw = made.draw;
    r.stepper = "contact";
    r.dim = m.size();
    for (int i = 0; i < m.size(); ++i) r.coordinates.push_back(m.coordinate_name(i));
    for (int i = 0; i < m.contact_count(); ++i) r.contacts.push_back(m.contact_name(i));
    r.start_q.assign(made.ready.start.q.begin(), made.ready.start.q.end());
    r.start_p.assign(made.ready.start.p.begin(), made.ready.start.p.end());
    return r;
  };
  Scenario defaults;
  defaults.system.name = system.name;
  Model r = describe(defaults);
  r.check = [system](const Scenario& s) {
    const Method method = make_method(s);
    check_stepper(system, s, method);
    check_mechanism(make(system, s).ready, s, method);
  };
  r.run = [system](const Scenario& s, const Method& method, const RunHooks& hooks) {
    check_stepper(system, s, method);
    return run_mechanism(make(system, s).ready, s, method, hooks);
  };
  r.specialise = [describe, check = r.check, run = r.run](const Scenario& s) {
    Model own = describe(s);
    own.check = check, own.run = run;
    return own;
  };
  return r;
}

}  // namespace carom
