// The modified Hamiltonian that 001 prints, and MHC with it. A scenario cannot say this: its laws take the
// modified Hamiltonian of their own flow.
#include "carom/event_driven.hpp"
#include "carom/flows.hpp"
#include "carom/modified.hpp"
#include "carom/simulate.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p001 {

std::vector<double> printed_energy(const Columns& trajectory, double h) {
  const auto printed = modified_sva(DoublePendulum{}, h);
  const auto &q1 = trajectory["q1"], &q2 = trajectory["q2"], &p1 = trajectory["p1"], &p2 = trajectory["p2"];
  std::vector<double> r;
  for (std::size_t i = 0; i < q1.size(); ++i)
    r.push_back(printed.value(Vector<double, 2>(q1[i], q2[i]), Vector<double, 2>(p1[i], p2[i])));
  return r;
}

namespace {

// As stable_energy(), but with windows of any length.
ImpactLaw<DoublePendulum> stable_printed_energy(const DoublePendulum& system, const SteadyFlow& flow,
                                                int window) {
  const auto printed = modified_sva(system, flow.h);
  const auto stable = [=](const Flow& direction, double t, State<double, 2> z) {
    std::vector<double> values;
    for (int k = 0; k < window; ++k) {
      values.push_back(printed.value(z.q, z.p));
      const auto step = flow_step(system, direction, t, flow.h, z);
      if (!step.outcome.ok()) return std::nan("");
      z = step.z;
    }
    return median(std::move(values));
  };
  ImpactLaw<DoublePendulum> law =
      continuous_energy(system, flow);  // its partial steps are those of (21), (24)
  law.name = "stable-energy", law.where = MeasuredAt::node;
  law.before = [=](double t, const State<double, 2>& z) { return stable(flow.backward, t, z); };
  law.after = [=](double t, const State<double, 2>& z) { return stable(flow.forward, t, z); };
  return law;
}

}  // namespace

PrintedMhc printed_mhc(double h, double end, int window, const PendulumStart& start) {
  const DoublePendulum system;
  const SteadyFlow flow(svc(), h);
  EventDrivenStepper<DoublePendulum> stepper(system, flow, stable_printed_energy(system, flow, window));
  PrintedMhc r;
  const auto keep = [&](const GridPoint<2>& point) {
    r.t.push_back(point.t), r.q1.push_back(point.z.q[0]), r.q2.push_back(point.z.q[1]);
    r.H.push_back(hamiltonian(system, point.z));
    for (const auto& impact : point.impacts) r.impacts.push_back(impact.t);
  };
  const Grid grid{0, h, static_cast<std::int64_t>(end / h + 1e-9)};
  simulate(stepper, State<double, 2>{{start.q1, start.q2}, {start.p1, start.p2}}, grid, keep);
  return r;
}

}  // namespace carom::papers::p001
