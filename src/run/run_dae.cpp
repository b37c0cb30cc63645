#include "run/run_dae.hpp"

#include <fmt/format.h>

#include "carom/dae/dae_stepper.hpp"
#include "run/run.hpp"
#include "run/stability.hpp"

namespace carom {
namespace {

// Friction and impacts leave no energy that a flow would conserve.
class WatchedDae final : public WatchedSystem {
 public:
  explicit WatchedDae(const DaeSystem& s) : system(s), look_at(s) {}

  const System* mechanics() const override { return system.dae->mechanics(); }
  int size() const override { return system.dimension(); }
  int contact_count() const override { return static_cast<int>(system.one_sided.size()); }
  int joint_count() const override { return system.joint_count(); }
  std::string coordinate_name(int i) const override { return system.coordinate_name(i); }
  std::string contact_name(int i) const override { return system.gap_name(i); }
  bool forced() const override { return system.is_forced(); }
  bool has_friction() const override { return system.has_friction(); }

  void look(double t, const RunState& z, Look& look) override { look_at(t, z, look); }
  double hamiltonian(double t, const RunVector& q, const RunVector& p) override {
    return look_at.hamiltonian(t, q, p);
  }
  void gaps(double, const RunVector& q, RunVector& g) override {
    system.dae->gaps(q, all_gaps);
    g.resize(contact_count());
    for (int i = 0; i < g.size(); ++i) g[i] = all_gaps[system.one_sided[static_cast<std::size_t>(i)]];
  }
  double smallest_gap(double t, const RunVector& q) override { return look_at.smallest_gap(t, q); }
  const RunVector& velocity(const RunState& z, const Look&) override {
    const auto solved = carom::velocity(system, z.q, z.p);
    v = solved.x;
    if (!solved.ok) v.setConstant(z.q.size(), std::nan(""));
    return v;
  }
  const RunVector& formula_velocity(const RunState& z, const Look&) override {
    if (!system.dae->z_of(z.q, z.p, v)) v.setConstant(z.q.size(), std::nan(""));
    return v;
  }
  std::optional<int> multiplier_count() const override { return system.multiplier_count(); }
  std::string multiplier_name(int i) const override { return system.dae->constraint_name(i); }
  const RunVector& multipliers(double t, const RunState& z) override {
    return psi = system.multipliers(t, z);
  }
  // Those of the gaps among the multipliers that were asked for last.
  void contact_forces(double, const RunState&, std::span<const std::int64_t>, bool,
                      RunVector& force) override {
    force.resize(contact_count());
    for (int i = 0; i < force.size(); ++i) force[i] = psi[system.one_sided[static_cast<std::size_t>(i)]];
  }

 private:
  const DaeSystem& system;
  DaeLook look_at;
  RunVector v, psi, all_gaps;
};

DaeOptions dae_options(const Scenario& scenario, const Method& method) {
  DaeOptions r;
  r.scheme.natural = method.scheme.ends_with("natural");
  r.scheme.conjugate = method.scheme.starts_with("conjugate");
  r.scheme.alpha = method.alpha;
  if (method.reaction_at == "z0") r.scheme.at = DaeScheme::At::z0;
  if (method.reaction_at == "z1") r.scheme.at = DaeScheme::At::z1;
  if (method.reaction_at == "Z1") r.scheme.at = DaeScheme::At::Z1;
  r.restitution = method.restitution;
  r.psi = stated_psi(scenario);
  return r;
}

}  // namespace

RunResult run_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method,
                  const RunHooks& hooks) {
  RunResult r = empty_result(scenario, method);
  DaeSystem system(ready.dae);
  if (const auto psi = stated_psi(scenario)) system.guess = *psi;
  const auto make = [&](double h) {
    return std::make_unique<DaeStepper>(system, method.flow, h, dae_options(scenario, method));
  };
  const auto stepper = make(r.grid.step);
  WatchedDae watched(system);
  auto formulas = checked_formulas(watched, scenario, ready.start, ready.parameters);
  Run({watched, *stepper, nullptr, scenario, method, hooks, r.grid, ready.start, std::move(formulas), make})(
      r);
  r.lossy = method.restitution < 1;
  warn_of_unfollowed(r, stepper->unfollowed());
  if (r.fallbacks > 0)
    r.warnings.push_back(fmt::format("{} times a step did not converge and was halved", r.fallbacks));
  if (hooks.records)
    judge_energy(r, method,
                 {.frequency = frequencies(watched.mechanics(), ready.start, r), .explained_by_loss = true});
  return r;
}

void check_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method) {
  if (method.stepper != "dae-euler")
    scenario.reject("method.stepper", '"' + method.stepper + '"',
                    "a DAE is stepped by \"dae-euler\"; the others are for mechanical systems");
  const DaeSystem system(ready.dae);
  WatchedDae watched(system);
  checked_formulas(watched, scenario, ready.start, ready.parameters);
}

}  // namespace carom
