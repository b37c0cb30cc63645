// How a system becomes a Model: one scenario, from its checked start through simulate() to a RunResult.
// Included by the files of src/systems/ only.
#pragma once

#include <chrono>
#include <cmath>

#include "carom/carom.hpp"
#include "make_law.hpp"
#include "model.hpp"
#include "suggest.hpp"

namespace carom {
namespace detail {

inline std::string spell(const ParameterValue& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word ? '"' + *word + '"' : to_text(std::get<double>(value));
}

// The system with the scenario's parameters.
template <System Sys>
Sys configured(const Scenario& scenario) {
  Sys system;
  std::vector<std::string> known;
  system.parameters([&known](const char* name, double&, Range) { known.push_back(name); });
  for (const auto& [name, value] : scenario.system.parameters) {
    const std::string key = "system.parameters." + name;
    if (std::find(known.begin(), known.end(), name) == known.end())
      scenario.reject(
          key, spell(value),
          "the system \"" + scenario.system.name + "\" has no such parameter" + suggestion(name, known));
    const double* number = std::get_if<double>(&value);
    if (!number) scenario.reject(key, spell(value), "must be a number");
    system.parameters([&, &wanted = name](const char* own, double& member, Range) {
      if (own == wanted) member = *number;
    });
  }
  return system;
}

template <int N>
std::optional<Vector<double, N>> to_vector(const Scenario& scenario, const char* key,
                                           const std::optional<std::vector<double>>& x) {
  if (!x) return std::nullopt;
  const Eigen::Map<const Vector<double, Eigen::Dynamic>> map(x->data(), static_cast<Eigen::Index>(x->size()));
  if (map.size() != N) {
    const std::string entries = N == 1 ? "1 entry" : std::to_string(N) + " entries, one per coordinate";
    scenario.reject(key, to_text(map), "must have " + entries);
  }
  return Vector<double, N>(map);
}

// The scenario's start: what it leaves out is the system's default, at rest where q alone is given.
template <System Sys>
Start<Sys::dim> stated_start(const Sys& system, const Scenario& scenario) {
  constexpr int N = Sys::dim;
  auto start = system.start();
  const auto q = to_vector<N>(scenario, "initial.q", scenario.initial.q);
  const auto v = to_vector<N>(scenario, "initial.v", scenario.initial.v);
  const auto p = to_vector<N>(scenario, "initial.p", scenario.initial.p);
  if (q) start = {*q, Vector<double, N>::Zero(), std::nullopt};
  if (v) start.v = v, start.p.reset();
  if (p) start.p = p, start.v.reset();
  return start;
}

// validated_state(), with its complaints pointed at the scenario's keys.
template <System Sys>
State<double, Sys::dim> checked_state(const Sys& system, const Scenario& scenario) {
  const auto start = stated_start(system, scenario);
  try {
    return validated_state(system, start);
  } catch (const InvalidInput& e) {
    const bool parameter = e.field.starts_with("parameters.");
    const bool mass = e.field == "mass";
    scenario.reject(parameter ? "system." + e.field : mass ? "system.parameters" : e.field, e.value, e.why);
  }
}

// Times every sixteenth step, so that the clock does not show up in what it measures.
template <class Stepper>
struct TimedStepper {
  static constexpr int stride = 16;
  Stepper& stepper;
  std::chrono::steady_clock::duration sampled{};
  std::int64_t calls = 0;

  template <class State>
  auto step(double t, const State& z) {
    if (calls++ % stride != 0) return stepper.step(t, z);
    const auto begin = std::chrono::steady_clock::now();
    auto r = stepper.step(t, z);
    sampled += std::chrono::steady_clock::now() - begin;
    return r;
  }
  double seconds() const {
    return std::chrono::duration<double>(sampled).count() *
           std::min<double>(stride, static_cast<double>(calls));
  }
};

// Keeps every so many grid points, and the last one.
template <System Sys>
class Recorder {
 public:
  Recorder(const Sys& sys, const Ledger<Sys>& l, Trajectory& out, std::int64_t stride, std::int64_t last_step)
      : system(sys), ledger(l), rows(out), every(stride), last(last_step) {}

  void operator()(const GridPoint<Sys::dim>& point) {
    energy = point.step ? point.step->energy : std::nan("");
    if (point.n % every == 0 || point.n == last) record(point.n, point.t, point.z);
  }
  // Called once more at the end of a run, for the point it ended at.
  void record(std::int64_t n, double t, const State<double, Sys::dim>& z) {
    if (n == recorded) return;
    recorded = n;
    rows.t.push_back(t);
    rows.q.insert(rows.q.end(), z.q.begin(), z.q.end());
    rows.p.insert(rows.p.end(), z.p.begin(), z.p.end());
    rows.H.push_back(ledger.H);
    rows.discrete_energy.push_back(energy);
    rows.work.push_back(ledger.work);
    for (const auto& momentum : ledger.momenta) rows.momentum.push_back(momentum.final);
    const auto gaps = system.gaps(z.q);
    rows.gap.insert(rows.gap.end(), gaps.begin(), gaps.end());
    rows.momenta = ledger.momenta.size(), rows.gaps = static_cast<std::size_t>(gaps.size());
  }

 private:
  const Sys& system;
  const Ledger<Sys>& ledger;
  Trajectory& rows;
  std::int64_t every, last, recorded = -1;
  double energy = 0;  // discrete, of the step seen last
};

// Asks and tells the caller about ten times a second. A run that ends after so many impacts is as far as
// these.
class Pulse {
 public:
  Pulse(const RunHooks& h, std::int64_t all_steps, std::optional<int> all_impacts)
      : hooks(h), steps(all_steps), impacts(all_impacts) {}
  bool stop(std::int64_t n, std::int64_t hits) {
    if (n % 64 != 0) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return false;
    last = now;
    if (hooks.progress && impacts) hooks.progress(hits, *impacts, "impacts");
    if (hooks.progress && !impacts) hooks.progress(n, steps, "steps");
    return hooks.stop && hooks.stop();
  }

 private:
  const RunHooks& hooks;
  std::int64_t steps;
  std::optional<int> impacts;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

inline std::string word_failure(const Failure& failure, std::int64_t step, double t) {
  std::string r = "step " + std::to_string(step) + " from t = " + to_text(t) + ": " + failure.reason;
  if (!failure.contact.empty())
    return r + " (contact \"" + failure.contact + "\", gap " + to_text(failure.residual) + ")";
  return r + " (residual " + to_text(failure.residual) + ")";
}

// Turns impacts into rows, and counts them.
template <System Sys>
struct ImpactRecorder {
  const Sys& system;
  std::vector<ImpactRow>& rows;

  void operator()(const GridPoint<Sys::dim>& point) {
    for (const auto& impact : point.impacts) {
      std::string names;
      for (const int i : impact.contacts) names += (names.empty() ? "" : " + ") + gap_name(system, i);
      rows.push_back({impact.t,
                      point.n,
                      names,
                      {impact.q.begin(), impact.q.end()},
                      {impact.p_before.begin(), impact.p_before.end()},
                      {impact.p_after.begin(), impact.p_after.end()},
                      impact.impulse,
                      impact.rate_before,
                      impact.rate_after});
    }
  }
};

// Watches the shadow energy at some nodes: it should stand still, and not depend on its order.
template <System Sys>
struct ShadowWatch {
  const Sys& system;
  const SteadyFlow& flow;
  std::int64_t every;
  ShadowCheck check;

  void operator()(const GridPoint<Sys::dim>& point) {
    if (point.n % every != 0) return;
    const int m = check.order / 2;
    const double energy = shadow_energy(system, flow, point.t, point.z, m);
    check.energy.add(energy, point.n == 0);
    if (m > 1)
      check.order_gap =
          std::fmax(check.order_gap, std::abs(energy - shadow_energy(system, flow, point.t, point.z, m - 1)));
  }
};

// Everything that does not depend on the stepper: observes, runs, and gathers the result.
template <System Sys, class Stepper, class... More>
void run_with(Stepper& stepper, const Sys& system, const Scenario& scenario, const RunHooks& hooks,
              RunResult& r, More&... observers) {
  constexpr int N = Sys::dim;
  const auto start = checked_state(system, scenario);
  r.trajectory.dim = N;
  for (int i = 0; i < N; ++i) r.trajectory.coordinates.push_back(coordinate_name(system, i));
  TimedStepper<Stepper> timed{stepper};
  Ledger<Sys> ledger(system);
  Recorder<Sys> recorder(system, ledger, r.trajectory, scenario.output.every, r.grid.steps);
  ImpactRecorder<Sys> impacts{system, r.impacts};
  Pulse pulse(hooks, r.grid.steps, scenario.time.impacts);
  bool enough = false;
  const auto stop = [&](const GridPoint<N>& point) {
    enough = scenario.time.impacts && ledger.impacts >= *scenario.time.impacts;
    return enough || pulse.stop(point.n, ledger.impacts);
  };

  const auto begin = std::chrono::steady_clock::now();
  const auto ended = simulate(timed, start, r.grid, stop, ledger, recorder, impacts, observers...);
  r.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  recorder.record(ended.steps, ended.t, ended.z);

  r.steps = ended.steps, r.stepping_seconds = timed.seconds();
  r.status = ended.failure ? "failed" : ended.stopped && !enough ? "stopped" : "completed";
  if (ended.failure) r.reason = word_failure(*ended.failure, ended.steps, ended.t);
  if (ended.stopped && !enough) r.reason = "stopped on request at t = " + to_text(ended.t);
  r.energy = ledger.energy, r.drift_per_time = ledger.drift.value(), r.momenta = ledger.momenta;
  r.smallest_gap = ledger.smallest_gap, r.work = ledger.work, r.newton_iterations = ledger.iterations;
}

// A shadow energy that does not stand still, or depends on its order, is not known; a law that keeps it keeps
// little.
inline void warn_of_coarse_step(RunResult& r, bool conservative) {
  if (!r.shadow || r.impacts.empty()) return;
  const double moved = conservative ? r.shadow->energy.max_abs_error : 0,
               unknown = std::fmax(moved, r.shadow->order_gap);
  if (!(unknown > 0.1 * r.energy.max_abs_error + 1e-9 * std::abs(r.energy.initial))) return;
  r.warnings.push_back("the shadow energy of order " + std::to_string(r.shadow->order) + " is known to " +
                       to_text(unknown) + " only, where H itself varies by " +
                       to_text(r.energy.max_abs_error) + ": the step is too large for this motion");
}

template <System Sys>
RunResult run_system(const Scenario& scenario, const Method& method, const RunHooks& hooks) {
  const Sys system = configured<Sys>(scenario);
  RunResult r;
  r.system = scenario.system.name, r.method = method.label, r.order = method.flow.order;
  r.grid = {scenario.time.start, scenario.time.step, scenario.time.steps()};
  if (method.impact.empty()) {
    SmoothStepper<Sys> stepper(system, method.flow, r.grid.step);
    run_with(stepper, system, scenario, hooks, r);
    return r;
  }
  const SteadyFlow flow(method.flow, r.grid.step);
  EventDrivenStepper<Sys> stepper(system, flow, make_law(system, flow, method),
                                  {.restitution = method.restitution});
  if (method.impact == "shadow") {
    const std::int64_t every = scenario.time.end ? std::max<std::int64_t>(1, r.grid.steps / 1000) : 1000;
    ShadowWatch<Sys> watch{system, flow, every, {{"shadow energy"}, method.order, 0}};
    run_with(stepper, system, scenario, hooks, r, watch);
    r.shadow = watch.check;
  } else {
    run_with(stepper, system, scenario, hooks, r);
  }
  r.impact_solves = stepper.solves, r.fallbacks = stepper.fallbacks;
  if (r.fallbacks > 0)
    r.warnings.push_back(
        std::to_string(r.fallbacks) + " of " + std::to_string(r.impacts.size()) +
        " impacts fell back to the mirror law, because the law's energy had no solution near it");
  warn_of_coarse_step(r, method.restitution == 1 && !HasForce<Sys>);
  return r;
}

inline const char* spell(Range range) {
  return range == Range::positive ? "> 0" : range == Range::not_negative ? ">= 0" : "any";
}

}  // namespace detail

template <System Sys>
Model make_model(std::string name, std::string summary) {
  Sys system;
  Model r{std::move(name), std::move(summary), Sys::dim, {}, {}, {}, {}, {}, {}, {}};
  system.parameters([&r](const char* own, double& value, Range range) {
    r.parameters.push_back({own, value, detail::spell(range)});
  });
  for (int i = 0; i < Sys::dim; ++i) r.coordinates.push_back(coordinate_name(system, i));
  r.contacts.assign(Sys::gap_names.begin(), Sys::gap_names.end());
  const auto z = validated_state(system, system.start());
  r.start_q.assign(z.q.begin(), z.q.end()), r.start_p.assign(z.p.begin(), z.p.end());
  r.check = [](const Scenario& s) { detail::checked_state(detail::configured<Sys>(s), s); };
  r.run = detail::run_system<Sys>;
  return r;
}

}  // namespace carom
