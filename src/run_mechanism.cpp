#include "run_mechanism.hpp"

#include "carom/contact/contact_stepper.hpp"
#include "carom/contact/direct.hpp"
#include "run_system.hpp"

namespace carom {
namespace detail {

// Lasting contacts change what a flow conserves, so no shadow energy is watched from outside.
template <>
class ShadowWatch<MechanismSystem> {
 public:
  ShadowWatch(const MechanismSystem&, const SteadyFlow&, int, bool) {}
  double look(const GridPoint<Eigen::Dynamic>&) { return std::nan(""); }
  std::optional<ShadowCheck> result() const { return std::nullopt; }
  void numbers(auto&&) {}
};

namespace {

// The flow along the joints; ends where a contact closes.
class JointedStepper {
 public:
  JointedStepper(MechanismSystem sys, const SteadyFlow& f)
      : system(std::move(sys)), flow(f), held(*system.mechanism) {}

  SteppedState<MechanismSystem> step(double t, const State<double, Eigen::Dynamic>& start) {
    SteppedState<MechanismSystem> r;
    r.step.z = start;
    const Spent spent = held(flow.forward, t, flow.h, r.step.z, {}, HeldFlow::Hold::bilateral);
    r.step.action = spent.action, r.step.energy = spent.energy, r.step.work = spent.work;
    r.step.outcome = spent.outcome;
    if (!spent.outcome.ok()) {
      r.failure = Failure{describe(spent.outcome.status), spent.outcome.residual, ""};
      return r;
    }
    const Values gaps = system.gaps(r.step.z.q);
    for (int i = 0; i < gaps.size(); ++i)
      if (!(gaps[i] >= -gap_tolerance(gap_scale(r.step.z.q))))
        r.failure =
            Failure{"a contact closes, and the method has no impact law", gaps[i], system.gap_name(i)};
    return r;
  }
  void numbers(auto&&) {}
  std::int64_t solves = 0, fallbacks = 0;

 private:
  MechanismSystem system;
  SteadyFlow flow;
  HeldFlow held;
};

GviOptions gvi_options(const Method& method) {
  GviOptions r;
  if (method.predictor == "jointed") r.predictor = GviOptions::Predictor::jointed;
  if (method.energy == "numerical") r.energy = GviOptions::Energy::numerical;
  if (method.energy == "shadow") r.energy = GviOptions::Energy::shadow, r.order = method.order;
  if (method.constraints == "linearized") r.constraints = GviOptions::Constraints::linearized;
  if (method.constraints == "predicted") r.constraints = GviOptions::Constraints::predicted;
  if (method.reflection == "moreau") r.reflection = ReflectionOrder::moreau;
  if (method.reflection == "sequential") r.reflection = ReflectionOrder::sequential;
  return r;
}

DirectScheme direct_scheme(const Method& method) {
  if (method.scheme == "midpoint") return DirectScheme::midpoint();
  if (method.scheme == "newmark") return DirectScheme::newmark(method.beta, method.gamma);
  if (method.scheme == "imex-newmark") return DirectScheme::imex_newmark(method.beta, method.gamma);
  return DirectScheme::endpoint();
}

std::optional<Until> until_of(const ReadyMechanism& ready, const Scenario& scenario) {
  std::vector<std::string> coordinates;
  for (int i = 0; i < ready.mechanism->size(); ++i)
    coordinates.push_back(ready.mechanism->coordinate_name(i));
  auto until = make_until(scenario, coordinates, ready.parameters);
  if (!until) return until;
  Values v(ready.mechanism->size());
  ready.mechanism->velocity(ready.start.q, ready.start.p, v);
  const auto n = static_cast<std::size_t>(v.size());
  const double value = (*until)({ready.start.q.data(), n}, {v.data(), n}, scenario.time.start);
  if (!std::isfinite(value))
    scenario.reject("time.until", '"' + *scenario.time.until + '"', "is " + to_text(value) + " at the start");
  return until;
}

// How often the energy of the method was solved for, and how often in vain.
template <class Stepper>
void count_solves(const Stepper& stepper, RunResult& r) {
  r.impact_solves = stepper.solves, r.fallbacks = stepper.fallbacks;
}
void count_solves(const ContactStepper& stepper, RunResult& r) {
  r.impact_solves = stepper.solves(), r.fallbacks = stepper.fallbacks();
}

template <class Stepper>
void run_with(Stepper&& stepper, const MechanismSystem& system, const ReadyMechanism& ready,
              const Scenario& scenario, const Method& method, const RunHooks& hooks, RunResult& r) {
  const SteadyFlow flow(method.flow, r.grid.step);
  Run(stepper, system, flow, scenario, method, hooks, r.grid, ready.start, until_of(ready, scenario))(r);
  count_solves(stepper, r);
}

ContactOptions contact_options(const Method& method) {
  ContactOptions r;
  r.restitution = method.restitution;
  if (method.impact == "continuous-energy") r.law = ContactOptions::Law::continuous_energy;
  if (method.impact == "shadow") r.order = method.order;
  return r;
}

void warn_of_fallbacks(RunResult& r, std::int64_t all, const char* of_what) {
  if (r.fallbacks > 0)
    r.warnings.push_back(std::to_string(r.fallbacks) + " of " + std::to_string(all) + ' ' + of_what +
                         " kept H instead, because the energy asked for had no solution near it");
}

}  // namespace
}  // namespace detail

RunResult run_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method,
                        const RunHooks& hooks) {
  RunResult r;
  r.system = scenario.system.name, r.method = method.label, r.order = method.flow.order;
  r.grid = {scenario.time.start, scenario.time.step, scenario.time.steps()};
  const MechanismSystem system{ready.mechanism};
  const SteadyFlow flow(method.flow, r.grid.step);
  const auto run = [&](auto&& stepper) {
    detail::run_with(stepper, system, ready, scenario, method, hooks, r);
  };
  if (method.stepper == "contact") {
    ContactStepper stepper(system, flow, detail::contact_options(method));
    run(stepper);
    r.lossy = method.restitution < 1;
    detail::warn_of_fallbacks(r, r.impacts, "impacts");
    if (!r.lossy && method.impact == "shadow")
      detail::warn_of_unknown_energy(r, stepper.uncertainty(), method.order);
  }
  if (method.stepper == "gvi") {
    run(GviStepper(system, flow, detail::gvi_options(method)));
    detail::warn_of_fallbacks(r, r.impact_solves, "rounds of reflections");
  }
  if (method.stepper == "direct") run(DirectStepper(system, detail::direct_scheme(method), r.grid.step));
  if (method.stepper == "smooth") run(detail::JointedStepper(system, flow));
  return r;
}

void check_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method) {
  const Mechanism& mechanism = *ready.mechanism;
  if (method.stepper == "direct" && !mechanism.constant_mass())
    scenario.reject("method.stepper", "\"direct\"",
                    "is stated for a constant mass, and this system's is not");
  if (method.energy == "numerical" && !mechanism.constant_mass())
    scenario.reject("method.energy", "\"numerical\"",
                    "is known for a constant mass, and this system's is not; take \"shadow\"");
  detail::until_of(ready, scenario);
}

}  // namespace carom
