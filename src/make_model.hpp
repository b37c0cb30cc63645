// How a system becomes a Model. Included by the files of src/systems/ only: behind it stand all flows, laws
// and steppers, half a minute of compile time.
#pragma once

#include "carom/contact/dense_mechanism.hpp"
#include "carom/dae/dense_dae.hpp"
#include "carom/dae/mechanical_dae.hpp"
#include "packed_runs.hpp"
#include "run/run_dae.hpp"
#include "run/run_mechanism.hpp"

namespace carom {
namespace detail {

// The system as the steppers for contact and joints take it.
template <System Sys>
ReadyMechanism ready_mechanism(const Sys& system, const Scenario& scenario) {
  return {std::make_shared<DenseMechanism<Sys>>(system), own_state(system, checked_state(system, scenario)),
          parameters_of(system, scenario)};
}

// And as a DAE: with friction, or where the scenario asks for its stepper. What the start leaves out is the
// system's default.
template <System Sys>
ReadyDae mechanical_dae(const Sys& system, const Scenario& scenario) {
  Scenario full = scenario;
  const auto start = stated_start(system, scenario);
  const int n = coordinate_count(system);
  const auto own = [n](const auto& x) { return std::vector<double>(x.begin(), x.begin() + n); };
  full.initial.q = own(start.q);
  if (start.v) full.initial.v = own(*start.v);
  if (start.p) full.initial.p = own(*start.p);
  auto dae = std::make_shared<DenseDae<MechanicalDae<Sys>>>(MechanicalDae<Sys>{system});
  return ready_dae(dae, full, parameters_of(system, scenario));
}

template <System Sys>
void check_any(const Sys& system, const Scenario& scenario) {
  check_system(system, scenario);
  const Method method = make_method(scenario);
  check_tolerance(system, scenario, method);
  if (method.stepper == "dae-euler") return check_dae(mechanical_dae(system, scenario), scenario, method);
  if (method.over_mechanisms()) check_mechanism(ready_mechanism(system, scenario), scenario, method);
}

template <System Sys>
RunResult run_any(const Sys& system, const Scenario& scenario, const Method& method, const RunHooks& hooks) {
  if (method.stepper == "dae-euler")
    return run_dae(mechanical_dae(system, scenario), scenario, method, hooks);
  if (method.over_mechanisms())
    return run_mechanism(ready_mechanism(system, scenario), scenario, method, hooks);
  return run_system(system, scenario, method, hooks);
}

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
  r.check = [](const Scenario& s) { detail::check_any(detail::configured<Sys>(s), s); };
  r.run = [](const Scenario& s, const Method& method, const RunHooks& hooks) {
    return detail::run_any(detail::configured<Sys>(s), s, method, hooks);
  };
  r.run_together = [](const Scenario& s, const Method& method, const RunHooks& hooks,
                      const MemberFeed& feed) {
    return detail::run_packed(detail::configured<Sys>(s), s, method, hooks, feed, widest_lanes());
  };
  return r;
}

}  // namespace carom
