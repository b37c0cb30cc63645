#include "model/mechanical_model.hpp"

#include "carom/dae/mechanical_dae.hpp"
#include "carom/flow/collocation.hpp"
#include "carom/system/validated_start.hpp"
#include "run/packed_runs.hpp"
#include "run/run_dae.hpp"
#include "run/run_system.hpp"
#include "run/stepping.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

using detail::to_text;
using RunStart = Start<Eigen::Dynamic>;

// The scenario's start: what it leaves out is the system's default, at rest where q alone is given.
RunStart stated_start(const MadeSystem& made, const Scenario& s) {
  const int n = made.system->size();
  const auto stated = [&](const char* key, const auto& x) { return stated_numbers(s, key, x, n); };
  const auto q = stated("initial.q", s.initial.q), v = stated("initial.v", s.initial.v),
             p = stated("initial.p", s.initial.p);
  if (!q && !made.start)
    s.reject("initial.q", "", "must be given: a system in formulas has no default start");
  RunStart start = q ? RunStart{*q, Values(Values::Zero(n)), std::nullopt} : *made.start;
  if (v) start.v = v, start.p.reset();
  if (p) start.p = p, start.v.reset();
  return start;
}

// validated_state(), with its complaints pointed at the scenario's keys.
Phase checked_state(const MadeSystem& made, const Scenario& s) {
  const RunStart start = stated_start(made, s);
  const bool stated = s.initial.q || s.initial.v || s.initial.p;
  try {
    return validated_state(*made.system, start, s.initial.project.value_or(!stated), s.time.start,
                           s.time.step);
  } catch (const InvalidInput& e) {
    if (e.field == "initial") s.reject("initial", "", e.value + ": " + e.why);
    s.reject(e.field != "mass"          ? e.field
             : s.system.is_expression() ? "system.lagrangian"
                                        : "system.parameters",
             e.value, e.why);
  }
}

// The same as a DAE: with friction, or where the scenario asks for its stepper.
ReadyDae mechanical_dae(const MadeSystem& made, const Scenario& s) {
  const RunStart start = stated_start(made, s);
  const auto list = [](const Values& x) { return std::vector<double>(x.begin(), x.end()); };
  const auto dense = std::dynamic_pointer_cast<const DenseSystem>(made.system);
  if (!dense)
    s.reject("method.stepper", "\"dae-euler\"",
             s.system.name +
                 " may have any number of bodies; dae-euler takes systems in formulas and the "
                 "built-in ones of fixed size");
  if (made.system->timed())
    s.reject("method.stepper", "\"dae-euler\"",
             "is for systems whose Lagrangian, gaps and joints do not depend on t; take \"contact\"");
  Scenario full = s;
  full.initial.q = list(start.q);
  if (start.v) full.initial.v = list(*start.v);
  if (start.p) full.initial.p = list(*start.p);
  return ready_dae(std::make_shared<MechanicalDae>(dense), full, made.parameters);
}

// Forces and momenta of formulas are looked at before a run, too.
void check_forces(const System& system, const Scenario& s, const Phase& z) {
  if (system.forced()) {
    Values v(system.size()), f(system.size());
    system.velocity(s.time.start, z.q, z.p, v);
    system.force(s.time.start, z.q, v, f);
    if (!f.allFinite()) s.reject("system.force", to_text(f), "must be finite at the start");
  }
  system.momenta(s.time.start, z.q, z.p, [&](const char* name, double value) {
    if (!std::isfinite(value))
      s.reject("system.momenta." + detail::key_part(name), to_text(value), "must be finite at the start");
  });
}

}  // namespace

ReadySystem ready_mechanical(const MadeSystem& made, const Scenario& s) {
  return {made.system, checked_state(made, s), made.parameters};
}

void check_mechanical(const MadeSystem& made, const Scenario& s) {
  const Method method = make_method(s);
  refuse_multipliers(s, method);
  if (s.initial.project.value_or(false) && made.system->joint_count() == 0)
    s.reject("initial.project", "true", "needs joints, and this system has none");
  const ReadySystem ready = ready_mechanical(made, s);
  check_forces(*made.system, s, ready.start);
  if (method.stepper == "dae-euler") return check_dae(mechanical_dae(made, s), s, method);
  check_system(ready, s, method);
}

RunResult run_mechanical(const MadeSystem& made, const Scenario& s, const Method& method,
                         const RunHooks& hooks) {
  if (method.stepper == "dae-euler") return run_dae(mechanical_dae(made, s), s, method, hooks);
  return run_system(ready_mechanical(made, s), s, method, hooks);
}

std::unique_ptr<Stepping> mechanical_stepping(const MadeSystem& made, const Scenario& s, const Method& method,
                                              std::shared_ptr<Values> held) {
  if (method.stepper == "dae-euler")
    s.reject("method.stepper", "\"dae-euler\"", "takes no steps by hand; \"contact\" does");
  return std::make_unique<Stepping>(ready_mechanical(made, s), method, Grid{s.time.start, s.time.step, 0},
                                    std::move(held));
}

bool run_mechanical_together(const MadeSystem& made, const Scenario& first, const Method& method,
                             const RunHooks& hooks, const MemberFeed& feed) {
  const auto start = [&made](const Scenario& own) { return checked_state(made, own); };
  return run_packed(made.system, start, first, method, hooks, feed, widest_lanes());
}

Model mechanical_model(const Scenario& scenario, std::string summary, std::vector<ParameterInfo> parameters,
                       std::function<MadeSystem(const Scenario&)> make) {
  const MadeSystem made = make(scenario);
  const System& system = *made.system;
  const auto z = checked_state(made, scenario);
  Model r;
  r.name = scenario.system.name, r.summary = std::move(summary), r.parameters = std::move(parameters);
  r.dim = system.size();
  for (int i = 0; i < system.size(); ++i) r.coordinates.push_back(system.coordinate_name(i));
  for (int i = 0; i < system.contact_count(); ++i) r.contacts.push_back(system.contact_name(i));
  r.start_q.assign(z.q.begin(), z.q.end()), r.start_p.assign(z.p.begin(), z.p.end());
  r.check = [make](const Scenario& s) { check_mechanical(make(s), s); };
  r.run = [make](const Scenario& s, const Method& method, const RunHooks& hooks) {
    if (hooks.force) refuse_force(s);
    return run_mechanical(make(s), s, method, hooks);
  };
  r.by_hand = [make](const Scenario& s, const Method& method, bool steered) {
    if (steered) refuse_force(s);
    return mechanical_stepping(make(s), s, method, nullptr);
  };
  r.run_together = [make](const Scenario& first, const Method& method, const RunHooks& hooks,
                          const MemberFeed& feed) {
    return run_mechanical_together(make(first), first, method, hooks, feed);
  };
  r.system = [make](const Scenario& s) { return make(s).system; };
  r.ready = [make](const Scenario& s, const std::vector<std::string>& varied) {
    if (!varied.empty())
      s.reject("system.name", '"' + s.system.name + '"',
               "is compiled from C++, where parameters are numbers: derivatives by \"" + varied[0] +
                   "\" are those of the same system in formulas");
    return ready_mechanical(make(s), s);
  };
  return r;
}

}  // namespace carom
