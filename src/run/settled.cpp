// Bifurcation diagrams by brute force: periods one after the other, until what they began with is forgotten.
// Tested in tests/cli/orbit_test.py.
#include "run/orbit.hpp"
#include "run/run_system.hpp"

namespace carom {

std::vector<Settled> OrbitSearch::settle(const SettlingOptions& o) const {
  std::vector<Settled> r;
  Phase z = start;
  for (int i = 0; i < o.values; ++i) {
    const double share = o.values > 1 ? static_cast<double>(i) / (o.values - 1) : 0;
    Settled& here = r.emplace_back();
    here.parameter = value + share * (o.to - value);
    const Prepared prepared = prepare(at(z, here.parameter));
    const ReadySystem ready = prepared.model.ready(prepared.scenario, {});
    const auto& time = prepared.scenario.time;
    const auto stepper = make_plain_stepper(ready, prepared.method, time.step);
    z = ready.start;
    for (int k = 0; k < o.settle + o.shown && here.failed.empty(); ++k) {
      const Ended ended = simulate(*stepper, z, Grid{time.start, time.step, steps});
      if (ended.failure)
        here.failed = ended.failure->reason, here.points.clear();
      else if (z = ended.z; k >= o.settle)
        here.points.push_back(z);
    }
    if (!here.failed.empty()) z = start;
  }
  return r;
}

}  // namespace carom
