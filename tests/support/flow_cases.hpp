// Every flow that carom knows, and states to try it from: shared by the law suites.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "carom/carom.hpp"
#include "support/built_in.hpp"
#include "support/order.hpp"

namespace carom::test {

struct FlowCase {
  std::string label;
  Flow flow;
};

inline std::vector<FlowCase> all_flows() {
  std::vector<FlowCase> cases;
  for (const char* name : {"se1", "se2", "midpoint", "svc", "sva", "svb"})
    cases.push_back({name, make_flow(name)});
  cases.push_back({"gamma=0.3", make_flow("gamma", {.gamma = 0.3})});
  for (const auto base : base_names)
    for (const char* name : {"yoshida4", "suzuki4", "kahan-li6", "kahan-li8"})
      cases.push_back({std::string(name) + " on " + std::string(base), make_flow(name, {.base = base})});
  for (int s = 1; s <= most_stages; ++s)
    cases.push_back({"gauss " + std::to_string(s), make_flow("gauss", {.stages = s})});
  return cases;
}

// The default start and random states around it, the same in every run.
template <SystemStruct Sys>
std::vector<State<double, Sys::dim>> some_states(const Sys& system, int count = 3) {
  std::mt19937_64 random(20030401);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto start = validated_state(system, system.start());
  std::vector<State<double, Sys::dim>> states{start};
  while (static_cast<int>(states.size()) < count) {
    auto z = start;
    for (int i = 0; i < z.q.size(); ++i) z.q[i] += 0.4 * uniform(random), z.p[i] += uniform(random);
    states.push_back(z);
  }
  return states;
}

template <SystemStruct Sys>
State<double, Sys::dim> run_flow(const Sys& system, const Flow& flow, State<double, Sys::dim> z, double T,
                                 int steps, double t0 = 0) {
  for (int n = 0; n < steps; ++n) {
    const double h = T / steps;
    const auto r = flow_step(system, flow, t0 + n * h, h, z);
    if (!r.outcome.ok()) throw std::runtime_error(flow.name + " failed: " + describe(r.outcome.status));
    z = r.z;
  }
  return z;
}

}  // namespace carom::test
