// The modified Hamiltonian that 001 prints, and MHC with it. A scenario cannot say this: its laws take the
// modified Hamiltonian of their own flow.
#include "carom/carom.hpp"
#include "common.hpp"

namespace carom::papers::p001 {
namespace {

// It is that of sva.
ModifiedHamiltonian printed_hamiltonian(const System& system, double h) {
  return ModifiedHamiltonian::of_flow(system.over_nilpotents(), sva(), h, 2);
}

}  // namespace

std::vector<double> printed_energy(const Columns& trajectory, double h) {
  const auto printed = printed_hamiltonian(*make_system(DoublePendulum{}), h);
  const auto &q1 = trajectory["q1"], &q2 = trajectory["q2"], &p1 = trajectory["p1"], &p2 = trajectory["p2"];
  std::vector<double> r;
  for (std::size_t i = 0; i < q1.size(); ++i)
    r.push_back(printed.value(Vector<double, 2>(q1[i], q2[i]), Vector<double, 2>(p1[i], p2[i])));
  return r;
}

PrintedMhc printed_mhc(double h, double end, int window, const PendulumStart& start) {
  const auto system = make_system(DoublePendulum{});
  const SteadyFlow flow(svc(), h);
  const ImpactLaw mhc = stable_energy(*system, flow, window, printed_hamiltonian(*system, h));
  ContactStepper stepper(*system, flow, {.law = mhc, .lasting = false});
  PrintedMhc r;
  const auto keep = [&](const GridPoint& point) {
    r.t.push_back(point.t), r.q1.push_back(point.z.q[0]), r.q2.push_back(point.z.q[1]);
    r.H.push_back(system->hamiltonian(point.t, point.z.q, point.z.p));
    for (const auto& impact : point.impacts) r.impacts.push_back(impact.t);
  };
  const Grid grid{0, h, static_cast<std::int64_t>(end / h + 1e-9)};
  const Phase z{Values{{start.q1, start.q2}}, Values{{start.p1, start.p2}}};
  simulate(stepper, z, grid, keep);
  return r;
}

}  // namespace carom::papers::p001
