// Systems as values, for suites that take any: a system in C++ becomes a mechanism, and everything after that
// is compiled once.
#pragma once

#include "carom/contact/contact_stepper.hpp"
#include "carom/contact/dense_mechanism.hpp"
#include "carom/flows.hpp"
#include "carom/simulate.hpp"
#include "carom/validated_start.hpp"
#include "support/order.hpp"

namespace carom::test {

using Phase = State<double, Eigen::Dynamic>;

template <System Sys>
MechanismSystem as_mechanism(const Sys& system) {
  return {std::make_shared<DenseMechanism<Sys>>(system)};
}

template <int N>
Start<Eigen::Dynamic> any_size(const Start<N>& start) {
  Start<Eigen::Dynamic> r{start.q, {}, {}};
  if (start.v) r.v = *start.v;
  if (start.p) r.p = *start.p;
  return r;
}
template <int N>
Phase any_size(const State<double, N>& z) {
  return {z.q, z.p};
}

struct SystemCase {
  std::string name;
  MechanismSystem system;
  Phase start;

  friend std::ostream& operator<<(std::ostream& out, const SystemCase& c) { return out << c.name; }
};

template <System Sys>
SystemCase system_case(std::string name, const Sys& system, const Start<Sys::dim>& start) {
  const auto made = as_mechanism(system);
  return {std::move(name), made, validated_state(*made.mechanism, any_size(start))};
}
template <System Sys>
SystemCase system_case(std::string name, const Sys& system) {
  return system_case(std::move(name), system, system.start());
}

// One step of a flow along the joints where no contact is held, and many.
inline Spent free_step(const MechanismSystem& system, const Flow& flow, double t, double h, Phase& z) {
  return HeldFlow(*system.mechanism)(flow, t, h, z, {}, HeldFlow::Hold::bilateral);
}
inline Phase run_flow(const MechanismSystem& system, const Flow& flow, Phase z, double T, int steps) {
  HeldFlow held(*system.mechanism);
  for (int n = 0; n < steps; ++n) {
    const double h = T / steps;
    const auto spent = held(flow, n * h, h, z, {}, HeldFlow::Hold::bilateral);
    if (!spent.outcome.ok())
      throw std::runtime_error(flow.name + " failed: " + describe(spent.outcome.status));
  }
  return z;
}

inline double shadow_energy(const MechanismSystem& system, const SteadyFlow& flow, double t, const Phase& z,
                            int m) {
  return HeldFlow(*system.mechanism).shadow_energy(flow, t, z, m, {});
}

// A stepper that goes from impact to impact and refuses contacts that last.
inline ContactOptions from_impact_to_impact(const Law& law, double restitution = 1) {
  return {.law = law, .restitution = restitution, .lasting = false};
}

}  // namespace carom::test
