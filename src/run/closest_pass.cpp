// How near a run comes to an impact that it does not have: the smallest gap where one turns, which a part of
// a step of the flow reaches, so that it is the map's own and no interpolation. Tested in
// tests/cli/orbit_test.py.
#include "carom/flow/free_flow.hpp"
#include "run/sensitivity.hpp"

namespace carom {
namespace {

// The gaps and their rates a part of a step after z.
class GapsWithinStep {
 public:
  GapsWithinStep(const DenseSystem& m, const SteadyFlow& f)
      : gap(m.contact_count()), rate(m.contact_count()), system(m), flow(f), free(make_free_flow(m)) {}

  bool look(double t, double tau, Phase z) {
    if (tau > 0 && !(*free)(flow.forward, t, tau, z).outcome.ok()) return false;
    Values v(system.size());
    if (!system.velocity(t + tau, z.q, z.p, v)) return false;
    system.gap_rates(t + tau, z.q.data(), v.data(), gap.data(), rate.data());
    return true;
  }
  Values gap, rate;

 private:
  const DenseSystem& system;
  const SteadyFlow& flow;
  std::unique_ptr<FreeFlow> free;
};

}  // namespace

double Differentiated::closest_pass() const {
  double smallest = HUGE_VAL;
  if (dense->contact_count() == 0 || dense->joint_count() > 0) return smallest;
  GapsWithinStep within(*dense, set.flow);
  for (std::int64_t k = 0; k < tape.steps(); ++k) {
    const StepEvents events = tape.events_of(k);
    if (!events.impacts.empty() || !events.changes.empty() || !events.held.empty()) continue;
    const double t = tape.grid.time(k), h = tape.grid.step;
    if (!within.look(t, 0, tape.node(k))) continue;
    const Values begin = within.rate;
    if (!within.look(t + h, 0, tape.node(k + 1))) continue;
    const Values end = within.rate;
    for (int i = 0; i < dense->contact_count(); ++i) {
      if (!(begin[i] < 0 && end[i] >= 0)) continue;
      double low = 0, high = h, below = begin[i], above = end[i];
      for (int j = 0; j < 60 && high - low > 1e-15 * h; ++j) {
        double tau = low + (high - low) * below / (below - above);
        if (j % 3 == 2 || !(tau > low && tau < high)) tau = 0.5 * (low + high);
        if (!within.look(t, tau, tape.node(k))) break;
        (within.rate[i] < 0 ? low : high) = tau, (within.rate[i] < 0 ? below : above) = within.rate[i];
        if (within.rate[i] == 0) break;
      }
      smallest = std::fmin(smallest, within.gap[i]);
    }
  }
  return smallest;
}

}  // namespace carom
