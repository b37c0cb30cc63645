// Where a solution is looked for first.
#include <fmt/format.h>

#include "carom/derivative/run_slopes.hpp"
#include "optimise/control.hpp"
#include "run/run_system.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

// The nearest place with gap 0, in a few Newton steps along its gradient.
void put_onto(const DenseSystem& system, int contact, double t, Values& q) {
  Values g(system.contact_count());
  const std::vector<int> which = {contact};
  for (int k = 0; k < 20; ++k) {
    SparseRows rows;
    system.gaps(t, q, g);
    system.gap_slopes(t, q, which, rows);
    Values n = Values::Zero(q.size());
    rows[0].add_to(n, 1);
    if (!(n.squaredNorm() > 0) || std::abs(g[contact]) < 1e-12) return;
    q -= g[contact] / n.squaredNorm() * n;
  }
}

int contact_called(const ControlProblem& problem, const System& system, std::size_t k) {
  std::vector<std::string> known;
  for (int i = 0; i < system.contact_count(); ++i) {
    known.push_back(system.contact_name(i));
    if (known.back() == problem.impacts[k]) return i;
  }
  problem.reject("impacts", detail::quoted(problem.impacts[k]),
                 "there is no such contact" + suggestion(problem.impacts[k], known));
}

}  // namespace

double OptimalControl::guessed_duration() const {
  const TimeSpec& time = prepared.scenario.time;
  if (problem.duration) return 0.5 * (problem.duration->low + problem.duration->high);
  if (!time.end) problem.reject("duration", "", "must be given, or time.end by the scenario");
  return *time.end - time.start;
}

MotionGuess OptimalControl::make_guess() const {
  if (problem.impacts_from_run) return guess_of_run();
  const ReadySystem ready = prepared.model.ready(prepared.scenario, {});
  const auto* system = dynamic_cast<const DenseSystem*>(ready.system.get());
  const std::size_t phases = problem.impacts.size() + 1;
  const double t0 = prepared.scenario.time.start, whole = guessed_duration();
  MotionGuess r;
  r.durations = problem.guess.durations;
  if (r.durations.empty()) r.durations.assign(phases, whole / static_cast<double>(phases));
  if (r.durations.size() != phases)
    problem.reject("guess.durations", fmt::format("{} numbers", r.durations.size()),
                   fmt::format("must be {}, one for each phase", phases));
  if (!problem.guess.impacts.empty() && problem.guess.impacts.size() != phases - 1)
    problem.reject("guess.impacts", fmt::format("{} places", problem.guess.impacts.size()),
                   "must be one for each impact");
  Values last = ready.start.q;
  const auto aim = [&](int i, const std::string& name) {
    for (const auto& [own, condition] : problem.end)
      if (const auto* range = std::get_if<ControlRange>(&condition);
          own == name && range && std::isfinite(range->low + range->high))
        last[i] = 0.5 * (range->low + range->high);
    if (const auto own = problem.guess.end.find(name); own != problem.guess.end.end()) last[i] = own->second;
  };
  for (int i = 0; i < system->size(); ++i) aim(i, system->coordinate_name(i));
  std::vector<Values> q = {ready.start.q};
  double t = t0;
  for (std::size_t k = 0; k + 1 < phases; ++k) {
    t += r.durations[k];
    r.contacts.push_back(contact_called(problem, *system, k));
    Values at = ready.start.q + (t - t0) / whole * (last - ready.start.q);
    if (!problem.guess.impacts.empty()) {
      const auto& own = problem.guess.impacts[k];
      if (std::ssize(own) != system->size())
        problem.reject("guess.impacts", fmt::format("{} numbers", own.size()),
                       fmt::format("must be {}, one per coordinate", system->size()));
      at = Eigen::Map<const Values>(own.data(), std::ssize(own));
    }
    put_onto(*system, r.contacts.back(), t, at);
    q.push_back(at);
  }
  q.push_back(last);
  const auto durations = r.durations;
  r.at = [q, durations](std::size_t k, double share) {
    return MotionGuess::At{q[k] + share * (q[k + 1] - q[k]), (q[k + 1] - q[k]) / durations[k]};
  };
  return r;
}

// A run with the controls that are guessed, by the scenario's own method.
MotionGuess OptimalControl::guess_of_run() const {
  std::vector<std::pair<std::string, std::string>> formulas;
  for (const std::string& name : problem.controls) {
    const auto own = problem.guess.formulas.find(name);
    formulas.emplace_back(name, own == problem.guess.formulas.end() ? "0" : own->second);
  }
  Scenario s = with_controls(formulas);
  const double whole = guessed_duration();
  s.time.end = s.time.start + whole, s.time.impacts.reset(), s.time.until.reset();
  const Prepared run = carom::prepare(s);
  const auto ready = std::make_shared<ReadySystem>(run.model.ready(run.scenario, {}));
  const auto stepper = make_plain_stepper(*ready, run.method, s.time.step);
  if (!stepper)
    s.reject("method.stepper", '"' + run.method.stepper + '"',
             "cannot propose impacts; \"event-driven\" can");
  const auto tape = std::make_shared<RunTape>(
      Grid{s.time.start, s.time.step, std::max<std::int64_t>(1, s.time.steps())}, ready->system->size());
  const Ended ended = simulate(*stepper, ready->start, tape->grid, *tape);
  if (ended.failure)
    problem.reject("impacts", "\"run\"",
                   fmt::format("the run fails at t = {:.10g}: {}", ended.t, ended.failure->reason));
  MotionGuess r;
  std::vector<double> times = {s.time.start};
  for (const Impact& impact : tape->impacts) {
    r.contacts.push_back(impact.contacts[0]), r.durations.push_back(impact.t - times.back());
    times.push_back(impact.t);
  }
  r.durations.push_back(s.time.start + whole - times.back());
  const auto durations = r.durations;
  r.at = [ready, tape, times, durations](std::size_t k, double share) {
    // Inside of the phase, so that v is of its side.
    const double t = times[k] + share * durations[k], h = tape->grid.step;
    const double x = std::clamp((t - tape->grid.start) / h, 0.0, static_cast<double>(tape->steps()));
    auto node = std::min(static_cast<std::int64_t>(x), tape->steps() - 1);
    const Phase a = tape->node(node), b = tape->node(node + 1);
    const double part = x - static_cast<double>(node);
    MotionGuess::At at{a.q + part * (b.q - a.q), Values(a.q.size())};
    const bool ends_here = k + 1 < times.size() && tape->grid.time(node + 1) > times[k + 1];
    ready->system->velocity(t, at.q,
                            ends_here                          ? a.p
                            : tape->grid.time(node) < times[k] ? b.p
                                                               : Values(a.p + part * (b.p - a.p)),
                            at.v);
    return at;
  };
  return r;
}

// What was reached, between its points.
MotionGuess OptimalControl::guess_of_plan(const Plan& plan) const {
  MotionGuess r;
  const auto phases = std::make_shared<const std::vector<Plan::Phase>>(plan.phases);
  const auto ready = std::make_shared<const ReadySystem>(prepared.model.ready(prepared.scenario, {}));
  for (const Plan::Phase& phase : *phases) {
    r.durations.push_back(phase.duration);
    for (int i = 0; i < ready->system->contact_count(); ++i)
      if (ready->system->contact_name(i) == phase.contact) r.contacts.push_back(i);
  }
  for (const auto& [name, value] : plan.parameters) r.parameters.push_back(value);
  r.reached = true;
  r.at = [phases, ready](std::size_t k, double share) {
    const Plan::Phase& phase = (*phases)[k];
    const double x = share * static_cast<double>(phase.q.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(x), phase.q.size() - 2);
    const double s = x - static_cast<double>(i);
    MotionGuess::At at{phase.q[i] + s * (phase.q[i + 1] - phase.q[i]), Values(phase.q[i].size())};
    const Values p = phase.p[i] + s * (phase.p[i + 1] - phase.p[i]);
    ready->system->velocity(phase.begin + share * phase.duration, at.q, p, at.v);
    return at;
  };
  return r;
}

}  // namespace carom
