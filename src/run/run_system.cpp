#include "run/run_system.hpp"

#include "carom/contact/direct.hpp"
#include "carom/contact/gvi.hpp"
#include "carom/flow/collocation.hpp"
#include "carom/flow/flow_stepper.hpp"
#include "run/make_law.hpp"
#include "run/run.hpp"
#include "run/stability.hpp"
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

std::unique_ptr<FlowStepper> flow_stepper(const System& system, const Method& method, double h) {
  return std::make_unique<FlowStepper>(system, method.flow, h);
}
std::unique_ptr<ContactStepper> event_stepper(const ReadySystem& ready, const Method& method, double h) {
  return make_contact_stepper(ready.system, SteadyFlow(method.flow, h), method);
}
std::unique_ptr<Stepper> gvi_stepper(const ReadySystem& ready, const Method& method, double h) {
  return std::make_unique<GviStepper>(ready.system, SteadyFlow(method.flow, h), gvi_options(method));
}
std::unique_ptr<Stepper> direct_stepper(const ReadySystem& ready, const Method& method, double h) {
  return std::make_unique<DirectStepper>(ready.system, direct_scheme(method), h);
}
CollocationOptions collocation_options(const Method& method) {
  CollocationOptions r{.stages = method.flow.order / 2, .restitution = method.restitution};
  r.tolerance = method.tolerance, r.longest_step = method.longest_step;
  r.stops_at_contacts = method.impact.empty();
  return r;
}

void warn_of_fallbacks(RunResult& r, std::int64_t all, const char* of_what) {
  if (r.fallbacks > 0)
    r.warnings.push_back(std::to_string(r.fallbacks) + " of " + std::to_string(all) + ' ' + of_what +
                         " kept H instead, because the energy asked for had no solution near it");
}

// One run of one system.
class SystemRun {
  using Maker = std::function<std::unique_ptr<Stepper>(double h)>;

 public:
  SystemRun(const ReadySystem& made, const Scenario& s, const Method& m, const RunHooks& h, RunResult& into)
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
    if (!hooks.records || method.tolerance > 0 || system.forced() || system.timed() ||
        method.stepper == "contact")
      return nullptr;
    shadow =
        std::make_unique<WatchedWindow>(system, flow, (method.impact == "shadow" ? method.order : 8) / 2);
    return &shadow->window;
  }
  void run(Stepper& stepper, const Maker& make) {
    WatchedMechanics watched(system, r.grid.step);
    auto formulas = checked_formulas(watched, scenario, ready.start, ready.parameters);
    Run({watched, stepper, shadow.get(), scenario, method, hooks, r.grid, ready.start, std::move(formulas),
         make})(r);
  }

  void by_flow() {
    const auto make = [&](double h) { return flow_stepper(system, method, h); };
    const auto stepper = make(flow.h);
    stepper->ahead = watch_shadow();
    run(*stepper, make);
  }
  void by_collocation() {
    watch_shadow();
    auto options = collocation_options(method);
    options.measures = hooks.records != nullptr, options.stop = hooks.stop;
    const auto make = [&](double h) { return make_collocation_stepper(system, h, options); };
    run(*make(flow.h), make);
    r.lossy = is_lossy(system, method);
    if (r.fallbacks > 0 && method.tolerance == 0)
      r.warnings.push_back(std::to_string(r.fallbacks) +
                           " steps were taken in halves, because the iteration of their stages did not "
                           "converge: a smaller time.step, or a method.tolerance, is faster");
  }
  void by_events() {
    const auto make = [&](double h) { return event_stepper(ready, method, h); };
    const auto stepper = make(flow.h);
    stepper->ahead = watch_shadow();
    run(*stepper, make);
    tell_of_impacts(system, method, r);
    warn_of_unfollowed(r, stepper->unfollowed());
    if (static_cast<double>(stepper->drowned()) > 0.01 * static_cast<double>(r.impacts))
      r.warnings.push_back(std::to_string(stepper->drowned()) + " of " + std::to_string(r.impacts) +
                           " impacts kept H instead: the " +
                           (method.impact == "shadow" ? "shadow" : "law's") +
                           " energy of all that moves is not known well enough for theirs");
    if (method.impact != "shadow") return;
    if (method.stepper == "contact" && !r.lossy)
      warn_of_unknown_energy(r, stepper->uncertainty(), method.order);
    if (!r.shadow || r.impacts == 0) return;
    const double moved = !r.lossy && !system.forced() && !system.timed() ? r.shadow->energy.max_abs_error : 0;
    warn_of_unknown_energy(r, std::fmax(moved, r.shadow->uncertainty), r.shadow->order);
  }
  void by_gvi() {
    const auto make = [&](double h) { return gvi_stepper(ready, method, h); };
    run(*make(flow.h), make);
    warn_of_fallbacks(r, r.impact_solves, "rounds of reflections");
  }
  void by_direct() {
    const auto make = [&](double h) { return direct_stepper(ready, method, h); };
    run(*make(flow.h), make);
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

// Contacts that say more of themselves than their gap.
bool has_own_contacts(const System& system) {
  for (int i = 0; i < system.contact_count(); ++i)
    if (!std::isnan(system.restitution(i))) return true;
  return system.has_conditions();
}

// What is stated for systems that do not depend on time.
void refuse_with_time(const Scenario& scenario, const Method& method) {
  if (method.stepper == "gvi" || method.stepper == "direct")
    scenario.reject("method.stepper", '"' + method.stepper + '"',
                    "is for systems whose Lagrangian, gaps and joints do not depend on t; take \"contact\"");
  if (method.impact == "discrete-energy" || method.impact == "modified-energy" ||
      method.impact == "stable-energy")
    scenario.reject("method.impact", '"' + method.impact + '"',
                    "keeps an energy that there is none of where the Lagrangian, gaps or joints depend on t; "
                    "take \"continuous-energy\" or \"shadow\"");
}

}  // namespace

bool is_smooth(const System& system, const Method& method) {
  const bool events = method.stepper == "event-driven" || method.stepper == "contact";
  return !events || method.impact.empty() || system.contact_count() == 0;
}

bool is_lossy(const System& system, const Method& method) {
  if (system.contact_count() == 0) return method.restitution < 1;
  for (int i = 0; i < system.contact_count(); ++i) {
    const double own = system.restitution(i);
    if ((std::isnan(own) ? method.restitution : own) < 1) return true;
  }
  return false;
}

bool takes_collocation(const System& system, const Method& method) {
  const bool law =
      method.impact.empty() || method.impact == "continuous-energy" || system.contact_count() == 0;
  return method.flow.name == "gauss" && law && collocation_fits(system) && !has_own_contacts(system);
}

std::unique_ptr<Stepper> make_stepper(const ReadySystem& ready, const Method& method, double h) {
  const System& system = *ready.system;
  if (method.stepper == "gvi") return gvi_stepper(ready, method, h);
  if (method.stepper == "direct") return direct_stepper(ready, method, h);
  if (takes_collocation(system, method))
    return make_collocation_stepper(system, h, collocation_options(method));
  if (is_smooth(system, method)) return flow_stepper(system, method, h);
  return event_stepper(ready, method, h);
}

RunResult empty_result_of(const System& system, const Scenario& scenario, const Method& method) {
  RunResult r = empty_result(scenario, method);
  const bool stepped_by_flow = method.stepper == "event-driven" || method.stepper == "smooth";
  if (stepped_by_flow && is_smooth(system, method))
    r.method = method.label.substr(0, method.label.find(", ")),  // a law would have nothing to do
        r.method_in_words = method_in_words(method, true);
  return r;
}

void tell_of_impacts(const System& system, const Method& method, RunResult& r) {
  r.lossy = is_lossy(system, method);
  warn_of_fallbacks(r, r.impacts, "impacts");
}

std::unique_ptr<Stepper> make_plain_stepper(const ReadySystem& ready, const Method& method, double h) {
  const System& system = *ready.system;
  if (method.stepper == "gvi" || method.stepper == "direct" || method.stepper == "dae-euler") return nullptr;
  if (takes_collocation(system, method)) {
    CollocationOptions options{.stages = method.flow.order / 2, .restitution = method.restitution};
    options.tolerance = method.tolerance, options.longest_step = method.longest_step;
    options.stops_at_contacts = method.impact.empty();
    return make_collocation_stepper(system, h, options);
  }
  if (is_smooth(system, method)) return std::make_unique<FlowStepper>(system, method.flow, h);
  return make_contact_stepper(ready.system, SteadyFlow(method.flow, h), method);
}

RunResult run_system(const ReadySystem& ready, const Scenario& scenario, const Method& method,
                     const RunHooks& hooks) {
  const System& system = *ready.system;
  RunResult r = empty_result_of(system, scenario, method);
  SystemRun(ready, scenario, method, hooks, r)();
  if (!hooks.records) return r;
  const bool by_steps_of_its_own = method.stepper == "event-driven" || method.stepper == "smooth";
  judge_energy(r, method,
               {.frequency = frequencies(&system, ready.start, r),
                .explained_by_loss = r.lossy || method.stepper == "direct",
                .may_have_tolerance = by_steps_of_its_own && collocation_fits(system)});
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
  checked_formulas(watched, scenario, ready.start, ready.parameters);
}

}  // namespace carom
