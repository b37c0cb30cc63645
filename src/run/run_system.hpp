// One run of a system of the core: which stepper its method asks for, handed to a Run (run.hpp) with its type
// erased. Included by make_model.hpp only.
#pragma once

#include "checked_start.hpp"
#include "make_law.hpp"
#include "run/erased.hpp"
#include "run/run.hpp"

namespace carom::detail {

// The shadow energy is watched where rows are recorded, the system conserves one, and the steps are all of
// one flow, as it is.
template <System Sys>
std::unique_ptr<ErasedShadow<Sys>> make_shadow(const Sys& system, const SteadyFlow& flow,
                                               const Method& method, const RunHooks& hooks) {
  if (!hooks.records || method.tolerance > 0 || is_forced(system)) return nullptr;
  return std::make_unique<ErasedShadow<Sys>>(system, flow,
                                             (method.impact == "shadow" ? method.order : 8) / 2);
}

// A stepper of the flow need not take the steps that the shadow energy has taken ahead of it.
template <System Sys, class S>
void run_with(S& stepper, const Sys& system, const SteadyFlow& flow, const Scenario& scenario,
              const Method& method, const RunHooks& hooks, RunResult& r) {
  Watched<Sys> watched(system);
  ErasedStepper<S, Sys::dim> erased(stepper, coordinate_count(system));
  const auto shadow = make_shadow(system, flow, method, hooks);
  if constexpr (requires { stepper.ahead; })
    if (shadow) stepper.ahead = &shadow->window;
  const RunState start = own_state(system, checked_state(system, scenario));
  auto until = checked_until(watched, scenario, start, parameters_of(system, scenario));
  Run({watched, erased, shadow.get(), scenario, method, hooks, r.grid, start, std::move(until)})(r);
}

inline void warn_of_coarse_step(RunResult& r, bool conservative) {
  if (!r.shadow || r.impacts == 0) return;
  const double moved = conservative ? r.shadow->energy.max_abs_error : 0;
  warn_of_unknown_energy(r, std::fmax(moved, r.shadow->uncertainty), r.shadow->order);
}

// Gauss collocation that keeps H at impacts has a fast stepper of its own, where the system allows it.
template <System Sys>
bool takes_collocation(const Sys& system, const Method& method) {
  const bool law = method.impact.empty() || method.impact == "continuous-energy" || gap_count(system) == 0;
  return method.flow.name == "gauss" && law && collocation_fits(system);
}

// Only that one chooses its steps.
template <System Sys>
void check_tolerance(const Sys& system, const Scenario& scenario, const Method& method) {
  if (method.tolerance > 0 && !takes_collocation(system, method))
    scenario.reject("method.tolerance", to_text(method.tolerance),
                    joint_count(system) > 0
                        ? "Gauss collocation does not keep joints"
                        : "needs a system whose L is quadratic in the velocities, or one without contacts");
}

template <System Sys>
void run_collocation(const Sys& system, const SteadyFlow& flow, const Scenario& scenario,
                     const Method& method, const RunHooks& hooks, RunResult& r) {
  CollocationOptions options{.stages = method.flow.order / 2, .restitution = method.restitution};
  options.tolerance = method.tolerance, options.measures = hooks.records != nullptr;
  options.stops_at_contacts = method.impact.empty();
  CollocationStepper<Sys> stepper(system, r.grid.step, options);
  run_with(stepper, system, flow, scenario, method, hooks, r);
  r.lossy = method.restitution < 1;
  if (r.fallbacks > 0 && method.tolerance == 0)
    r.warnings.push_back(std::to_string(r.fallbacks) +
                         " steps were taken in halves, because the iteration of their stages did not "
                         "converge: a smaller time.step, or a method.tolerance, is faster");
}

// The flow alone, where there is nothing to hit or no law for it.
template <System Sys>
bool is_smooth(const Sys& system, const Method& method) {
  return method.impact.empty() || gap_count(system) == 0;
}

template <System Sys>
RunResult empty_result(const Sys& system, const Scenario& scenario, const Method& method) {
  RunResult r = carom::empty_result(scenario, method);
  if (is_smooth(system, method))
    r.method = method.label.substr(0, method.label.find(", "));  // a law would have nothing to do
  return r;
}

template <System Sys>
EventDrivenStepper<Sys> make_stepper(const Sys& system, const SteadyFlow& flow, const Method& method) {
  return {system, flow, make_law(system, flow, method), {.restitution = method.restitution}};
}

// What is to be said after the last step.
inline void tell_of_impacts(bool forced, const Method& method, RunResult& r) {
  r.lossy = method.restitution < 1;
  if (r.fallbacks > 0)
    r.warnings.push_back(
        std::to_string(r.fallbacks) + " of " + std::to_string(r.impacts) +
        " impacts fell back to the mirror law, because the law's energy had no solution near it");
  if (method.impact == "shadow") warn_of_coarse_step(r, method.restitution == 1 && !forced);
}

template <System Sys>
RunResult run_system(const Sys& system, const Scenario& scenario, const Method& method,
                     const RunHooks& hooks) {
  RunResult r = empty_result(system, scenario, method);
  const SteadyFlow flow(method.flow, r.grid.step);
  if (takes_collocation(system, method)) {
    run_collocation(system, flow, scenario, method, hooks, r);
  } else if (is_smooth(system, method)) {
    SmoothStepper<Sys> stepper(system, method.flow, r.grid.step);
    run_with(stepper, system, flow, scenario, method, hooks, r);
  } else {
    auto stepper = make_stepper(system, flow, method);
    run_with(stepper, system, flow, scenario, method, hooks, r);
    tell_of_impacts(is_forced(system), method, r);
  }
  return r;
}

}  // namespace carom::detail
