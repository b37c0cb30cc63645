#include "run/run_system.hpp"

#include "carom/flow/collocation.hpp"
#include "carom/contact/contact_stepper.hpp"
#include "carom/contact/direct.hpp"
#include "carom/contact/gvi.hpp"
#include "carom/flow/flow_stepper.hpp"
#include "run/make_law.hpp"
#include "run/run.hpp"
#include "run/watched_mechanics.hpp"

namespace carom {
namespace {

class WatchedWindow final : public WatchedShadow {
 public:
  WatchedWindow(const System& m, const SteadyFlow& flow, int half) : window(m, flow, half) {}
  void follow(std::int64_t n, double t, const RunState& z) override { window.follow(n, t, z); }
  ShadowValue at(std::int64_t n, double t, const RunState& z) override { return window.at(n, t, z); }
  void numbers(KeptNumbers& f) override { window.numbers(f); }

  ShadowWindow window;
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

void warn_of_fallbacks(RunResult& r, std::int64_t all, const char* of_what) {
  if (r.fallbacks > 0)
    r.warnings.push_back(std::to_string(r.fallbacks) + " of " + std::to_string(all) + ' ' + of_what +
                         " kept H instead, because the energy asked for had no solution near it");
}

// One run of one system.
class SystemRun {
 public:
  SystemRun(const ReadySystem& made, const Scenario& s, const Method& m, const RunHooks& h,
               RunResult& into)
      : ready(made),
        system(*made.system),
        scenario(s),
        method(m),
        hooks(h),
        flow(m.flow, into.grid.step),
        r(into) {}

  void operator()() {
    if (method.stepper == "gvi") return by_gvi();
    if (method.stepper == "direct") return by_direct();
    if (takes_collocation(system, method)) return by_collocation();
    if (is_smooth(system, method)) return by_flow();
    by_events();
  }

 private:
  // The shadow energy is watched where rows are recorded, the system conserves one, and the steps are all of
  // one flow, as it is: lasting contacts change what a flow conserves.
  const ShadowWindow* watch_shadow() {
    if (!hooks.records || method.tolerance > 0 || system.forced() || system.timed() || method.stepper == "contact")
      return nullptr;
    shadow =
        std::make_unique<WatchedWindow>(system, flow, (method.impact == "shadow" ? method.order : 8) / 2);
    return &shadow->window;
  }
  void run(Stepper& stepper) {
    WatchedMechanics watched(system);
    auto until = checked_until(watched, scenario, ready.start, ready.parameters);
    Run({watched, stepper, shadow.get(), scenario, method, hooks, r.grid, ready.start, std::move(until)})(r);
  }

  void by_flow() {
    FlowStepper stepper(system, method.flow, r.grid.step);
    stepper.ahead = watch_shadow();
    run(stepper);
  }
  void by_collocation() {
    watch_shadow();
    CollocationOptions options{.stages = method.flow.order / 2, .restitution = method.restitution};
    options.tolerance = method.tolerance, options.measures = hooks.records != nullptr;
    options.stops_at_contacts = method.impact.empty();
    run(*make_collocation_stepper(system, r.grid.step, options));
    r.lossy = method.restitution < 1;
    if (r.fallbacks > 0 && method.tolerance == 0)
      r.warnings.push_back(std::to_string(r.fallbacks) +
                           " steps were taken in halves, because the iteration of their stages did not "
                           "converge: a smaller time.step, or a method.tolerance, is faster");
  }
  void by_events() {
    ContactStepper stepper(ready.system, flow,
                           {.law = make_law(system, flow, method),
                            .restitution = method.restitution,
                            .lasting = method.stepper == "contact"});
    stepper.ahead = watch_shadow();
    run(stepper);
    tell_of_impacts(method, r);
    if (method.impact != "shadow") return;
    if (method.stepper == "contact" && !r.lossy)
      warn_of_unknown_energy(r, stepper.uncertainty(), method.order);
    if (!r.shadow || r.impacts == 0) return;
    const double moved = !r.lossy && !system.forced() && !system.timed() ? r.shadow->energy.max_abs_error : 0;
    warn_of_unknown_energy(r, std::fmax(moved, r.shadow->uncertainty), r.shadow->order);
  }
  void by_gvi() {
    GviStepper stepper(ready.system, flow, gvi_options(method));
    run(stepper);
    warn_of_fallbacks(r, r.impact_solves, "rounds of reflections");
  }
  void by_direct() {
    DirectStepper stepper(ready.system, direct_scheme(method), r.grid.step);
    run(stepper);
  }

  const ReadySystem& ready;
  const System& system;
  const Scenario& scenario;
  const Method& method;
  const RunHooks& hooks;
  SteadyFlow flow;
  std::unique_ptr<WatchedWindow> shadow;
  RunResult& r;
};

// What is stated for systems that do not depend on time.
void refuse_with_time(const Scenario& scenario, const Method& method) {
  if (method.stepper == "gvi" || method.stepper == "direct")
    scenario.reject("method.stepper", '"' + method.stepper + '"',
                    "is for systems whose Lagrangian, gaps and joints do not depend on t; take \"contact\"");
  if (method.impact == "discrete-energy" || method.impact == "modified-energy" || method.impact == "stable-energy")
    scenario.reject("method.impact", '"' + method.impact + '"',
                    "keeps an energy that there is none of where the Lagrangian, gaps or joints depend on t; "
                    "take \"continuous-energy\" or \"shadow\"");
}

}  // namespace

bool is_smooth(const System& system, const Method& method) {
  const bool events = method.stepper == "event-driven" || method.stepper == "contact";
  return !events || method.impact.empty() || system.contact_count() == 0;
}

bool takes_collocation(const System& system, const Method& method) {
  const bool law =
      method.impact.empty() || method.impact == "continuous-energy" || system.contact_count() == 0;
  return method.flow.name == "gauss" && law && collocation_fits(system);
}

RunResult empty_result_of(const System& system, const Scenario& scenario, const Method& method) {
  RunResult r = empty_result(scenario, method);
  const bool stepped_by_flow = method.stepper == "event-driven" || method.stepper == "smooth";
  if (stepped_by_flow && is_smooth(system, method))
    r.method = method.label.substr(0, method.label.find(", "));  // a law would have nothing to do
  return r;
}

void tell_of_impacts(const Method& method, RunResult& r) {
  r.lossy = method.restitution < 1;
  warn_of_fallbacks(r, r.impacts, "impacts");
}

RunResult run_system(const ReadySystem& ready, const Scenario& scenario, const Method& method,
                        const RunHooks& hooks) {
  RunResult r = empty_result_of(*ready.system, scenario, method);
  SystemRun(ready, scenario, method, hooks, r)();
  return r;
}

void check_system(const ReadySystem& ready, const Scenario& scenario, const Method& method) {
  const System& system = *ready.system;
  if (method.tolerance > 0 && !takes_collocation(system, method))
    scenario.reject("method.tolerance", detail::to_text(method.tolerance),
                    system.joint_count() > 0
                        ? "Gauss collocation does not keep joints"
                        : "needs a system whose L is quadratic in the velocities, or one without contacts");
  if (system.timed()) refuse_with_time(scenario, method);
  if (method.stepper == "direct" && !system.constant_mass())
    scenario.reject("method.stepper", "\"direct\"",
                    "is stated for a constant mass, and this system's is not");
  if (method.energy == "numerical" && !system.constant_mass())
    scenario.reject("method.energy", "\"numerical\"",
                    "is known for a constant mass, and this system's is not; take \"shadow\"");
  WatchedMechanics watched(system);
  checked_until(watched, scenario, ready.start, ready.parameters);
}

}  // namespace carom
