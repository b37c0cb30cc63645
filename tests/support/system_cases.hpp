// Systems as values, for suites that take any: a system in C++ becomes a system, and everything after that
// is compiled once.
#pragma once

#include "carom/contact/contact_stepper.hpp"
#include "carom/flow/flows.hpp"
#include "carom/run/simulate.hpp"
#include "carom/system/autodiff_system.hpp"
#include "carom/system/validated_start.hpp"
#include "support/at_zero.hpp"
#include "support/order.hpp"

namespace carom::test {

template <SystemStruct Sys>
SystemRef as_system(const Sys& system) {
  return {std::make_shared<AutodiffSystem<Sys>>(system)};
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
  SystemRef system;
  Phase start;

  friend std::ostream& operator<<(std::ostream& out, const SystemCase& c) { return out << c.name; }
};

template <SystemStruct Sys>
SystemCase system_case(std::string name, const Sys& system, const Start<Sys::dim>& start) {
  const auto made = as_system(system);
  return {std::move(name), made, validated_state(*made, any_size(start))};
}
template <SystemStruct Sys>
SystemCase system_case(std::string name, const Sys& system) {
  return system_case(std::move(name), system, system.start());
}

// One step of a flow along the joints where no contact is held, and many.
inline Spent free_step(const SystemRef& system, const Flow& flow, double t, double h, Phase& z) {
  return HeldFlow(*system)(flow, t, h, z, {}, HeldFlow::Hold::bilateral);
}
inline Phase run_flow(const SystemRef& system, const Flow& flow, Phase z, double T, int steps) {
  HeldFlow held(*system);
  for (int n = 0; n < steps; ++n) {
    const double h = T / steps;
    const auto spent = held(flow, n * h, h, z, {}, HeldFlow::Hold::bilateral);
    if (!spent.outcome.ok())
      throw std::runtime_error(flow.name + " failed: " + describe(spent.outcome.status));
  }
  return z;
}

inline double shadow_energy(const SystemRef& system, const SteadyFlow& flow, double t, const Phase& z,
                            int m) {
  return HeldFlow(*system).shadow_energy(flow, t, z, m, {});
}

// A stepper that goes from impact to impact and refuses contacts that last.
inline ContactOptions from_impact_to_impact(const ImpactLaw& law, double restitution = 1) {
  return {.law = law, .restitution = restitution, .lasting = false};
}

}  // namespace carom::test
