// How a system becomes a Model. Included by the files of src/systems/ only: behind it stand all flows, laws
// and steppers, half a minute of compile time.
#pragma once

#include "run_system.hpp"

namespace carom {
namespace detail {

inline const char* spell(Range range) {
  return range == Range::positive ? "> 0" : range == Range::not_negative ? ">= 0" : "any";
}

}  // namespace detail

template <System Sys>
Model make_model(std::string name, std::string summary) {
  Sys system;
  Model r;
  r.name = std::move(name), r.summary = std::move(summary), r.dim = Sys::dim;
  system.parameters([&r](const char* own, double& value, Range range) {
    r.parameters.push_back({own, value, detail::spell(range)});
  });
  r.coordinates = detail::coordinate_names(system);
  r.contacts.assign(Sys::gap_names.begin(), Sys::gap_names.end());
  const auto z = validated_state(system, system.start());
  r.start_q.assign(z.q.begin(), z.q.end()), r.start_p.assign(z.p.begin(), z.p.end());
  r.check = [](const Scenario& s) { detail::check_system(detail::configured<Sys>(s), s); };
  r.run = [](const Scenario& s, const Method& method, const RunHooks& hooks) {
    return detail::run_system(detail::configured<Sys>(s), s, method, hooks);
  };
  return r;
}

}  // namespace carom
