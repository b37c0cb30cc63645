// One run of a system, by the stepper that its method asks for. Compiled once for all systems
// (run_system.cpp).
#pragma once

#include "carom/run/stepper.hpp"
#include "model/model.hpp"
#include "run/start.hpp"

namespace carom {

// The flow alone, where there is nothing to hit or no law for it.
bool is_smooth(const System& system, const Method& method);
// Whether some contact gives back less than it takes.
bool is_lossy(const System& system, const Method& method);
// Gauss collocation that keeps H at impacts has a fast stepper of its own, where the system allows it.
bool takes_collocation(const System& system, const Method& method);

// What steps the system by this method; it refers to `ready`.
std::unique_ptr<Stepper> make_stepper(const ReadySystem& ready, const Method& method, double h);

// What is known before the first step, and what is to be said of impacts after the last one.
RunResult empty_result_of(const System& system, const Scenario& scenario, const Method& method);
void tell_of_impacts(const System& system, const Method& method, RunResult& r);

// What steps a system by events or by its flow alone, with nothing watched; none for other steppers.
std::unique_ptr<Stepper> make_plain_stepper(const ReadySystem& ready, const Method& method, double h);

RunResult run_system(const ReadySystem& ready, const Scenario& scenario, const Method& method,
                     const RunHooks& hooks);

// Whether the method and the end of the run fit the system; throws ScenarioError.
void check_system(const ReadySystem& ready, const Scenario& scenario, const Method& method);

}  // namespace carom
