// A run of the contact stepper, and what it was like.
#pragma once

#include "carom/contact/contact_stepper.hpp"
#include "support/at_zero.hpp"
#include "support/local_systems.hpp"

namespace carom::test {

struct ContactRun {
  Phase z;
  double H0 = 0, low = 0, high = 0;
  double least_gap = HUGE_VAL;  // at grid points and impacts
  std::int64_t steps = 0, impacts = 0;
  std::vector<ContactChange> changes;
  std::optional<Failure> failure;

  double band() const { return (high - low) / H0; }
};

using ContactWatch = std::function<void(double t, const Stepped&)>;

inline ContactRun run_contact(ContactStepper& stepper, const SystemRef& system, double h, std::int64_t steps,
                              const Phase& start, const ContactWatch& watch = {}) {
  ContactRun r;
  r.z = start, r.H0 = r.low = r.high = hamiltonian(system, start);
  for (; r.steps < steps; ++r.steps) {
    const auto next = stepper.step(h * static_cast<double>(r.steps), r.z);
    r.failure = next.failure;
    if (r.failure) break;
    r.z = next.step.z, r.impacts += static_cast<std::int64_t>(next.impacts.size());
    r.changes.insert(r.changes.end(), next.changes.begin(), next.changes.end());
    const double H = hamiltonian(system, r.z);
    r.low = std::fmin(r.low, H), r.high = std::fmax(r.high, H);
    for (const double gap : gaps(system, r.z.q)) r.least_gap = std::fmin(r.least_gap, gap);
    for (const auto& impact : next.impacts)
      r.least_gap = std::fmin(r.least_gap, gaps(system, impact.q).minCoeff());
    if (watch) watch(h * static_cast<double>(r.steps + 1), next);
  }
  return r;
}
inline ContactRun run_contact(const SystemRef& system, const Flow& flow, double h, std::int64_t steps,
                              const Phase& start, const ContactOptions& options = {},
                              const ContactWatch& watch = {}) {
  ContactStepper stepper(system, SteadyFlow(flow, h), options);
  return run_contact(stepper, system, h, steps, start, watch);
}

}  // namespace carom::test
