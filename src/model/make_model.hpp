// How a system written in C++ becomes a Model. Included by the files of src/systems/ only, each of which
// compiles the adapter for its own system and nothing else.
#pragma once

#include "carom/system/autodiff_system.hpp"
#include "carom/system/validate.hpp"
#include "model/mechanical_model.hpp"
#include "model/parameters.hpp"

namespace carom {
namespace detail {

inline const char* spell(Range range) {
  return range == Range::positive ? "> 0" : range == Range::not_negative ? ">= 0" : "any";
}

// The system with the scenario's parameters.
template <SystemStruct Sys>
MadeSystem made_from(const Scenario& scenario) {
  Sys system;
  MadeSystem r;
  std::vector<std::string> known;
  system.parameters([&known](const char* name, double&, Range) { known.push_back(name); });
  const auto stated = stated_parameters(scenario, known);
  system.parameters([&](const char* name, double& member, Range range) {
    if (const auto own = stated.find(name); own != stated.end()) member = own->second;
    check_parameter(scenario, name, member, range);
    r.parameters[name] = member;
  });
  r.start = system.start();
  r.system = make_system(system);
  return r;
}

}  // namespace detail

template <SystemStruct Sys>
Model make_model(std::string name, std::string summary) {
  std::vector<ParameterInfo> parameters;
  Sys().parameters([&parameters](const char* own, double& value, Range range) {
    parameters.push_back({own, value, detail::spell(range)});
  });
  Scenario defaults;
  defaults.system.name = std::move(name);
  return mechanical_model(defaults, std::move(summary), std::move(parameters), detail::made_from<Sys>);
}

}  // namespace carom
