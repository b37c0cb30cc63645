#include "run/run_mechanism.hpp"

#include "carom/contact/contact_stepper.hpp"
#include "carom/contact/direct.hpp"
#include "run/erased.hpp"
#include "run/run.hpp"

namespace carom {
namespace {

// Lasting contacts change what a flow conserves, so no shadow energy is watched from outside.
class WatchedMechanism final : public WatchedSystem {
 public:
  explicit WatchedMechanism(const Mechanism& m) : mechanism(m), v(m.size()), Lq(m.size()), Lv(m.size()) {}

  int size() const override { return mechanism.size(); }
  int contact_count() const override { return mechanism.contact_count(); }
  int joint_count() const override { return mechanism.joint_count(); }
  std::string coordinate_name(int i) const override { return mechanism.coordinate_name(i); }
  std::string contact_name(int i) const override { return mechanism.contact_name(i); }
  bool forced() const override { return mechanism.forced(); }

  void look(const RunState& z, Look& look) override {
    look.H = hamiltonian(z.q, z.p);
    look.v = v;
    mechanism.gaps(z.q, look.gaps);
    if (look.gaps.size() > 0) look.smallest_gap = look.gaps.minCoeff();
    mechanism.joints(z.q, numbers);
    look.largest_joint = numbers.size() > 0 ? numbers.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
    std::size_t k = 0;
    mechanism.momenta(z.q, z.p, [&](const char* name, double x) { look.tell_momentum(k++, name, x); });
  }
  double hamiltonian(const RunVector& q, const RunVector& p) override {
    return mechanism.hamiltonian(q, p, v, Lq, Lv);
  }
  double smallest_gap(const RunVector& q) override {
    mechanism.gaps(q, numbers);
    return numbers.size() > 0 ? numbers.minCoeff() : HUGE_VAL;
  }

 private:
  const Mechanism& mechanism;
  Values v, Lq, Lv, numbers;
};

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

template <class S>
void run_with(S&& stepper, const ReadyMechanism& ready, const Scenario& scenario, const Method& method,
              const RunHooks& hooks, RunResult& r) {
  WatchedMechanism watched(*ready.mechanism);
  ErasedStepper<std::remove_reference_t<S>, Eigen::Dynamic> erased(stepper, watched.size());
  auto until = checked_until(watched, scenario, ready.start, ready.parameters);
  Run({watched, erased, nullptr, scenario, method, hooks, r.grid, ready.start, std::move(until)})(r);
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

RunResult run_mechanism(const ReadyMechanism& ready, const Scenario& scenario, const Method& method,
                        const RunHooks& hooks) {
  RunResult r = empty_result(scenario, method);
  const MechanismSystem system{ready.mechanism};
  const SteadyFlow flow(method.flow, r.grid.step);
  const auto run = [&](auto&& stepper) { run_with(stepper, ready, scenario, method, hooks, r); };
  if (method.stepper == "contact") {
    ContactStepper stepper(system, flow, contact_options(method));
    run(stepper);
    r.lossy = method.restitution < 1;
    warn_of_fallbacks(r, r.impacts, "impacts");
    if (!r.lossy && method.impact == "shadow") warn_of_unknown_energy(r, stepper.uncertainty(), method.order);
  }
  if (method.stepper == "gvi") {
    run(GviStepper(system, flow, gvi_options(method)));
    warn_of_fallbacks(r, r.impact_solves, "rounds of reflections");
  }
  if (method.stepper == "direct") run(DirectStepper(system, direct_scheme(method), r.grid.step));
  if (method.stepper == "smooth") run(JointedStepper(system, flow));
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
  WatchedMechanism watched(mechanism);
  checked_until(watched, scenario, ready.start, ready.parameters);
}

}  // namespace carom
