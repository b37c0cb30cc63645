// From a scenario to a system with its parameters and a checked start; every complaint names the scenario's
// key. Included by make_model.hpp only.
#pragma once

#include <cmath>
#include <map>

#include "carom/carom.hpp"
#include "formula_names.hpp"
#include "model.hpp"
#include "parameters.hpp"
#include "run/erased.hpp"
#include "run/run.hpp"
#include "run/start.hpp"
#include "scenario_text.hpp"

namespace carom::detail {

// The system with the scenario's parameters.
template <System Sys>
Sys configured(const Scenario& scenario) {
  Sys system;
  std::vector<std::string> known;
  system.parameters([&known](const char* name, double&, Range) { known.push_back(name); });
  const auto stated = stated_parameters(scenario, known);
  system.parameters([&stated](const char* name, double& member, Range) {
    if (const auto own = stated.find(name); own != stated.end()) member = own->second;
  });
  return system;
}

// The scenario's start: what it leaves out is the system's default, at rest where q alone is given.
template <System Sys>
Start<Sys::dim> stated_start(const Sys& system, const Scenario& scenario) {
  const auto stated = [&](const char* key, const auto& numbers) {
    const auto x = stated_numbers(scenario, key, numbers, coordinate_count(system));
    return x ? std::optional(sized<Sys::dim>(*x)) : std::nullopt;
  };
  const auto q = stated("initial.q", scenario.initial.q), v = stated("initial.v", scenario.initial.v),
             p = stated("initial.p", scenario.initial.p);
  Start<Sys::dim> start;
  if constexpr (requires { system.start(); })
    start = system.start();
  else if (!q)
    scenario.reject("initial.q", "", "must be given: a system in formulas has no default start");
  if (q) start = {*q, Coordinates<Sys>::Zero(), std::nullopt};
  if (v) start.v = v, start.p.reset();
  if (p) start.p = p, start.v.reset();
  return start;
}

// validated_state(), with its complaints pointed at the scenario's keys.
template <System Sys>
State<double, Sys::dim> checked_state(const Sys& system, const Scenario& scenario) {
  const auto start = stated_start(system, scenario);
  try {
    return validated_state(system, start, scenario.initial.project.value_or(false));
  } catch (const InvalidInput& e) {
    if (e.field == "initial") scenario.reject("initial", "", e.value + ": " + e.why);
    const bool parameter = e.field.starts_with("parameters.");
    const std::string mass = scenario.system.is_expression() ? "system.lagrangian" : "system.parameters";
    scenario.reject(parameter ? "system." + e.field : e.field == "mass" ? mass : e.field, e.value, e.why);
  }
}

// Forces and momenta of formulas are looked at before a run, too.
template <System Sys>
void check_forces(const Sys& system, const Scenario& scenario, const State<double, Sys::dim>& z) {
  if constexpr (HasForce<Sys>)
    if (is_forced(system)) {
      const auto f = system.force(scenario.time.start, z.q, velocity(system, z.q, z.p).x);
      if (!f.allFinite())
        scenario.reject("system.force", to_text(f.head(coordinate_count(system))),
                        "must be finite at the start");
    }
  if constexpr (HasMomenta<Sys>)
    system.momenta(z.q, z.p, [&](const char* name, double value) {
      if (!std::isfinite(value))
        scenario.reject("system.momenta." + key_part(name), to_text(value), "must be finite at the start");
    });
}

template <System Sys>
std::map<std::string, double> parameters_of(Sys system, const Scenario& scenario) {
  std::map<std::string, double> r;
  if constexpr (requires { system.parameters([](const char*, double&, Range) {}); })
    system.parameters([&r](const char* name, double& value, Range) { r[name] = value; });
  else
    r = number_parameters(scenario);
  return r;
}

template <System Sys>
std::vector<std::string> coordinate_names(const Sys& system) {
  std::vector<std::string> r;
  for (int i = 0; i < coordinate_count(system); ++i) r.push_back(coordinate_name(system, i));
  return r;
}

// As runs take it: without the coordinates that only the type has.
template <System Sys>
State<double, Eigen::Dynamic> own_state(const Sys& system, const State<double, Sys::dim>& z) {
  const int n = coordinate_count(system);
  return {z.q.head(n), z.p.head(n)};
}

// All that can be checked before a run.
template <System Sys>
void check_system(const Sys& system, const Scenario& scenario) {
  refuse_multipliers(scenario, make_method(scenario));
  if (scenario.initial.project.value_or(false) && joint_count(system) == 0)
    scenario.reject("initial.project", "true", "needs joints, and this system has none");
  const auto z = checked_state(system, scenario);
  check_forces(system, scenario, z);
  Watched<Sys> watched(system);
  checked_until(watched, scenario, own_state(system, z), parameters_of(system, scenario));
}

}  // namespace carom::detail
