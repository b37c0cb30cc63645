#include "run_dae.hpp"

#include <fmt/format.h>

#include "carom/dae/dae_stepper.hpp"
#include "run_system.hpp"

namespace carom {
namespace detail {

// Friction and impacts leave no energy that a flow would conserve.
template <>
class ShadowWatch<DaeSystem> {
 public:
  ShadowWatch(const DaeSystem&, const SteadyFlow&, int, bool) {}
  double look(const GridPoint<Eigen::Dynamic>&) { return std::nan(""); }
  std::optional<ShadowCheck> result() const { return std::nullopt; }
  void numbers(auto&&) {}
};

namespace {

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

std::optional<Until> until_of(const ReadyDae& ready, const Scenario& scenario) {
  const DaeSystem system(ready.dae);
  std::vector<std::string> names;
  for (int i = 0; i < system.dimension(); ++i) names.push_back(system.coordinate_name(i));
  auto until = make_until(scenario, names, ready.parameters);
  if (!until) return until;
  const Values v = velocity(system, ready.start.q, ready.start.p).x;
  const auto n = static_cast<std::size_t>(v.size());
  const double value = (*until)({ready.start.q.data(), n}, {v.data(), n}, scenario.time.start);
  if (!std::isfinite(value))
    scenario.reject("time.until", '"' + *scenario.time.until + '"', "is " + to_text(value) + " at the start");
  return until;
}

}  // namespace
}  // namespace detail

RunResult run_dae(const ReadyDae& ready, const Scenario& scenario, const Method& method,
                  const RunHooks& hooks) {
  RunResult r;
  r.system = scenario.system.name, r.method = method.label, r.order = method.flow.order;
  r.grid = {scenario.time.start, scenario.time.step, scenario.time.steps()};
  DaeSystem system(ready.dae);
  if (const auto psi = stated_psi(scenario)) system.guess = *psi;
  DaeStepper stepper(system, method.flow, r.grid.step, detail::dae_options(scenario, method));
  const SteadyFlow flow(method.flow, r.grid.step);
  detail::Run(stepper, system, flow, scenario, method, hooks, r.grid, ready.start,
              detail::until_of(ready, scenario))(r);
  r.impact_solves = stepper.solves(), r.fallbacks = stepper.fallbacks;
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
  detail::until_of(ready, scenario);
}

}  // namespace carom
