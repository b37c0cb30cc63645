#include "run/run_dae.hpp"

#include <fmt/format.h>

#include "carom/dae/dae_stepper.hpp"
#include "run/run.hpp"

namespace carom {
namespace {

// Friction and impacts leave no energy that a flow would conserve.
class WatchedDae final : public WatchedSystem {
 public:
  explicit WatchedDae(const DaeSystem& s) : system(s), look_at(s) {}

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
  double smallest_gap(double t, const RunVector& q) override { return look_at.smallest_gap(t, q); }
  const RunVector& velocity(const RunState& z, const Look&) override {
    return v = carom::velocity(system, z.q, z.p).x;
  }
  std::optional<int> multiplier_count() const override { return system.multiplier_count(); }
  RunVector multipliers(double t, const RunState& z) override { return system.multipliers(t, z); }

 private:
  const DaeSystem& system;
  DaeLook look_at;
  RunVector v;
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
  DaeStepper stepper(system, method.flow, r.grid.step, dae_options(scenario, method));
  WatchedDae watched(system);
  auto until = checked_until(watched, scenario, ready.start, ready.parameters);
  Run({watched, stepper, nullptr, scenario, method, hooks, r.grid, ready.start, std::move(until)})(r);
  r.lossy = method.restitution < 1;
  if (r.fallbacks > 0)
    r.warnings.push_back(fmt::format("{} times a step did not converge and was halved", r.fallbacks));
  const double known = std::abs(r.work) + std::abs(r.friction) + std::abs(r.loss);
  if (std::abs(r.remainder) > 0.5 * (known + std::abs(r.energy.initial)))
    r.warnings.push_back(
        fmt::format("work, friction and losses do not explain {} of the energy: the step is too "
                    "large, or the system is not smooth",
                    detail::to_text(r.remainder)));
  return r;
}

void check_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method) {
  if (method.stepper != "dae-euler")
    scenario.reject("method.stepper", '"' + method.stepper + '"',
                    "a DAE is stepped by \"dae-euler\"; the others are for mechanical systems");
  const DaeSystem system(ready.dae);
  WatchedDae watched(system);
  checked_until(watched, scenario, ready.start, ready.parameters);
}

}  // namespace carom
