// One run: a system, a stepper and the observers of run_observers.hpp, from the checked start or a checkpoint
// through simulate() to a RunResult. Included by make_model.hpp only.
#pragma once

#include "checked_start.hpp"
#include "make_law.hpp"
#include "run_observers.hpp"

namespace carom::detail {

inline std::string word_failure(const Failure& failure, std::int64_t step, double t) {
  std::string r = "step " + std::to_string(step) + " from t = " + to_text(t) + ": " + failure.reason;
  if (!failure.contact.empty())
    return r + " (contact \"" + failure.contact + "\", " + failure.measure + " " + to_text(failure.residual) +
           ")";
  return r + " (residual " + to_text(failure.residual) + ")";
}

// Everything about a run that does not depend on the stepper: observes, runs or goes on, and gathers the
// result.
template <System Sys, class Stepper>
class Run {
  static constexpr int N = Sys::dim;

 public:
  Run(Stepper& stepper, const Sys& sys, const SteadyFlow& flow, const Scenario& s, const Method& method,
      const RunHooks& h, const Grid& g, State<double, N> start_state, std::optional<Until> end_formula)
      : scenario(s),
        hooks(h),
        grid(g),
        system(sys),
        timed{system, stepper},
        ledger(system),
        shadow(system, flow, method.impact == "shadow" ? method.order : 8, method.tolerance == 0),
        recorder(system, ledger, shadow, hooks.records, scenario),
        impacts(system, hooks.records),
        changes(system, hooks.records),
        origin(std::move(start_state)),
        until(system, std::move(end_formula)),
        pulse(hooks, grid.steps, scenario.time.impacts) {}

  void operator()(RunResult& r) {
    const auto begin = std::chrono::steady_clock::now();
    const auto ended = hooks.resumed ? resume(*hooks.resumed) : start(grid.steps);
    r.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    end(ended, r);
  }

  // The parts of a run whose steps are taken elsewhere where nothing happens in them (packed_runs.hpp): the
  // first `steps` of it, one step more, and its end.
  Ended<N> start(std::int64_t steps) {
    begin_records();
    return simulate(
        timed, origin, Grid{grid.start, grid.step, steps}, [this](const auto& point) { return stop(point); },
        ledger, recorder, impacts, changes);
  }
  void take_step(Ended<N>& now) {
    last = now.z;
    now = go_on(
        timed, now, Grid{grid.start, grid.step, now.steps + 1},
        [this](const auto& point) { return stop(point); }, ledger, recorder, impacts, changes);
  }
  void end(const Ended<N>& ended, RunResult& r) {
    if (ended.stopped && !enough) keep(ended.steps, ended.z, true);
    recorder.record({ended.steps, ended.t, ended.z, nullptr});
    gather(ended, r);
  }
  Ledger<Sys>& ledger_under_way() { return ledger; }

 private:
  Ended<N> resume(const Checkpoint& from) {
    Ended<N> now{0, 0, origin, std::nullopt, false};
    begin_records();
    const auto state = from.numbers.find("state");
    if (state == from.numbers.end()) throw RecordError("checkpoint", "holds no state");
    NumberReader reader(state->second);
    reader(now.steps);
    for (int i = 0; i < now.z.q.size(); ++i) reader(now.z.q[i]), reader(now.z.p[i]);
    numbers(reader);
    if (!reader.used_up()) throw RecordError("checkpoint", "does not fit this scenario");
    now.t = grid.time(now.steps);
    return go_on(
        timed, now, grid, [this](const auto& point) { return stop(point); }, ledger, recorder, impacts,
        changes);
  }

  // The ledger learns the names of the momenta, and with them the columns, from its first look.
  void begin_records() {
    Ledger<Sys> first(system);
    first(GridPoint<N>{0, grid.time(0), origin, nullptr});
    if (hooks.records)
      hooks.records->begin(recorder.layout(first.momenta.size()), impacts.layout(), changes.layout());
    if (hooks.resumed) ledger.momenta = first.momenta;
  }

  void numbers(auto& f) {
    ledger.numbers(f), recorder.numbers(f), shadow.numbers(f), impacts.numbers(f), changes.numbers(f);
    until.numbers(f), timed.stepper.numbers(f);
  }
  void keep(std::int64_t n, const State<double, N>& z, bool stopping) {
    if (!hooks.records || !hooks.records->wants_checkpoint(stopping)) return;
    NumberWriter writer;
    writer(n);
    for (int i = 0; i < z.q.size(); ++i) writer(z.q[i]), writer(z.p[i]);
    numbers(writer);
    hooks.records->keep({to_toml(scenario), {{"state", writer.list}}, {}});
  }

  bool stop(const GridPoint<N>& point) {
    if (scenario.time.impacts && ledger.impacts >= *scenario.time.impacts) enough = "impacts";
    if (until(point)) enough = "until";
    if (!scenario.time.end && !enough && stands_still(point)) enough = "rest";
    if (enough) return true;
    if (!pulse.beats(point.n)) return false;
    if (pulse.stop(point.n, ledger.impacts)) return true;
    keep(point.n, point.z, false);
    return false;
  }

  // Whether a step changed nothing at all: then nothing ever will, and what was to end the run never comes.
  bool stands_still(const GridPoint<N>& point) {
    const bool still = point.step && !is_forced(system) && point.z.q == last.q && point.z.p == last.p;
    last = point.z;
    return still;
  }

  void gather(const Ended<N>& ended, RunResult& r) const {
    const int n = coordinate_count(system);
    r.steps = ended.steps, r.stepping_seconds = timed.seconds(), r.timed_steps = timed.calls;
    r.t = ended.t;
    r.q.assign(ended.z.q.begin(), ended.z.q.begin() + n),
        r.p.assign(ended.z.p.begin(), ended.z.p.begin() + n);
    r.status = ended.failure ? "failed" : ended.stopped && !enough ? "stopped" : "completed";
    if (r.status == "completed") r.ended_by = enough ? enough : "end";
    if (r.ended_by == "rest")
      r.warnings.push_back("nothing moves any more at t = " + to_text(ended.t) +
                           ", and the run has no other end: time.end gives it one");
    if (ended.failure) r.reason = word_failure(*ended.failure, ended.steps, ended.t);
    if (r.status == "stopped") r.reason = "stopped on request at t = " + to_text(ended.t);
    r.energy = ledger.energy, r.drift_per_time = ledger.drift.value(), r.momenta = ledger.momenta;
    if (std::isfinite(ledger.smallest_gap)) r.smallest_gap = ledger.smallest_gap;
    if (joint_count(system) > 0) r.largest_joint = ledger.largest_joint;
    r.work = ledger.work, r.friction = ledger.friction, r.loss = ledger.loss;
    r.remainder = ledger.remainder(), r.newton_iterations = ledger.iterations;
    r.impacts = ledger.impacts, r.last_impact = impacts.last;
    r.contacts = changes.result();
    if (hooks.records) r.shadow = shadow.result();
  }

  const Scenario& scenario;
  const RunHooks& hooks;
  Grid grid;
  const Sys& system;
  TimedStepper<Sys, Stepper> timed;
  Ledger<Sys> ledger;
  ShadowWatch<Sys> shadow;
  Recorder<Sys> recorder;
  ImpactRecorder<Sys> impacts;
  ChangeRecorder<Sys> changes;
  State<double, N> origin, last = origin;
  UntilWatch<Sys> until;
  Pulse pulse;
  const char* enough = nullptr;  // what ended the run in good order
};

// A shadow energy that does not stand still, or depends on its order, is not known; a law that keeps it keeps
// little.
inline void warn_of_unknown_energy(RunResult& r, double unknown, int order) {
  if (!(unknown > 0.1 * r.energy.max_abs_error + 1e-5 * std::abs(r.energy.initial))) return;
  r.warnings.push_back("the shadow energy of order " + std::to_string(order) + " is known to " +
                       to_text(unknown) + " only, where H itself varies by " +
                       to_text(r.energy.max_abs_error) + ": the step is too large for this motion");
}

inline void warn_of_coarse_step(RunResult& r, bool conservative) {
  if (!r.shadow || r.impacts == 0) return;
  const double moved = conservative ? r.shadow->energy.max_abs_error : 0;
  warn_of_unknown_energy(r, std::fmax(moved, r.shadow->uncertainty), r.shadow->order);
}

// Gauss collocation that keeps H at impacts has a fast stepper of its own, where the system allows it.
template <System Sys>
bool takes_collocation(const Sys& system, const Method& method) {
  const bool law = method.impact.empty() || method.impact == "continuous-energy" || gap_count(system) == 0;
  return method.flow.name == "gauss" && law && collocation_fits(system);
}

// Only that one chooses its steps.
template <System Sys>
void check_tolerance(const Sys& system, const Scenario& scenario, const Method& method) {
  if (method.tolerance > 0 && !takes_collocation(system, method))
    scenario.reject("method.tolerance", to_text(method.tolerance),
                    joint_count(system) > 0
                        ? "Gauss collocation does not keep joints"
                        : "needs a system whose L is quadratic in the velocities, or one without contacts");
}

template <System Sys>
void run_collocation(const Sys& system, const Scenario& scenario, const Method& method, const RunHooks& hooks,
                     const State<double, Sys::dim>& start, std::optional<Until> until, RunResult& r) {
  CollocationOptions options{.stages = method.flow.order / 2, .restitution = method.restitution};
  options.tolerance = method.tolerance, options.measures = hooks.records != nullptr;
  options.stops_at_contacts = method.impact.empty();
  CollocationStepper<Sys> stepper(system, r.grid.step, options);
  const SteadyFlow flow(method.flow, r.grid.step);
  Run(stepper, system, flow, scenario, method, hooks, r.grid, start, std::move(until))(r);
  r.lossy = method.restitution < 1;
  r.impact_solves = stepper.contact_solves, r.fallbacks = stepper.fallbacks;
  if (r.fallbacks > 0 && method.tolerance == 0)
    r.warnings.push_back(std::to_string(r.fallbacks) +
                         " steps were taken in halves, because the iteration of their stages did not "
                         "converge: a smaller time.step, or a method.tolerance, is faster");
}

// The flow alone, where there is nothing to hit or no law for it.
template <System Sys>
bool is_smooth(const Sys& system, const Method& method) {
  return method.impact.empty() || gap_count(system) == 0;
}

// What is known before the first step.
template <System Sys>
RunResult empty_result(const Sys& system, const Scenario& scenario, const Method& method) {
  RunResult r;
  r.system = scenario.system.name, r.method = method.label, r.order = method.flow.order;
  r.grid = {scenario.time.start, scenario.time.step, scenario.time.steps()};
  if (is_smooth(system, method))
    r.method = method.label.substr(0, method.label.find(", "));  // a law would have nothing to do
  return r;
}

template <System Sys>
EventDrivenStepper<Sys> make_stepper(const Sys& system, const SteadyFlow& flow, const Method& method) {
  return {system, flow, make_law(system, flow, method), {.restitution = method.restitution}};
}

// What the stepper knows after the last one.
template <System Sys>
void tell_of_impacts(const Sys& system, const EventDrivenStepper<Sys>& stepper, const Method& method,
                     RunResult& r) {
  r.lossy = method.restitution < 1;
  r.impact_solves = stepper.solves, r.fallbacks = stepper.fallbacks;
  if (r.fallbacks > 0)
    r.warnings.push_back(
        std::to_string(r.fallbacks) + " of " + std::to_string(r.impacts) +
        " impacts fell back to the mirror law, because the law's energy had no solution near it");
  if (method.impact == "shadow") warn_of_coarse_step(r, method.restitution == 1 && !is_forced(system));
}

template <System Sys>
RunResult run_system(const Sys& system, const Scenario& scenario, const Method& method,
                     const RunHooks& hooks) {
  RunResult r = empty_result(system, scenario, method);
  const SteadyFlow flow(method.flow, r.grid.step);
  const auto start = checked_state(system, scenario);
  const auto until = checked_until(system, scenario, start);
  if (takes_collocation(system, method))
    return run_collocation(system, scenario, method, hooks, start, until, r), r;
  if (is_smooth(system, method)) {
    SmoothStepper<Sys> stepper(system, method.flow, r.grid.step);
    Run(stepper, system, flow, scenario, method, hooks, r.grid, start, until)(r);
    return r;
  }
  auto stepper = make_stepper(system, flow, method);
  Run(stepper, system, flow, scenario, method, hooks, r.grid, start, until)(r);
  tell_of_impacts(system, stepper, method, r);
  return r;
}

}  // namespace carom::detail
