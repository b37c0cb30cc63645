#include "optimise/transcription.hpp"

#include <fmt/format.h>

#include "run/start.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double shortest_phase = 1e-6;  // as a share of the whole

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

const ControlRange* range_of(const std::vector<std::pair<std::string, ControlRange>>& ranges,
                             const std::string& name) {
  for (const auto& [own, range] : ranges)
    if (own == name) return &range;
  return nullptr;
}

}  // namespace

Transcription::Transcription(const ControlProblem& p, const Prepared& ready, const MotionGuess& g,
                             const MeasuredPlaces& measured)
    : rule(control_rule(ready)),
      problem(p),
      prepared(ready),
      guess(g),
      f(p, ready),
      start_time(ready.scenario.time.start) {
  check_names();
  const ReadySystem own = prepared.model.ready(prepared.scenario, {});
  start.q = own.start.q, start.v.resize(f.n);
  own.system->velocity(start_time, own.start.q, own.start.p, start.v);
  if (!own.system->quadratic() && !guess.contacts.empty())
    prepared.scenario.reject("system.lagrangian", "",
                             "impacts of optimal control are for L quadratic in the velocities");
  make_kinds();
  for (const auto& [name, range] : problem.parameters) {
    const double value =
        guess.reached ? guess.parameters[theta.size()] : number_parameters(prepared.scenario).at(name);
    theta.push_back(program.add_unknown(name, value, range.low, range.high));
  }
  make_times();
  for (std::size_t k = 0; k < phases.size(); ++k) {
    add_phase(k);
    if (k > 0) add_impact(k);
  }
  add_end();
  add_measurements(measured);
}

void Transcription::check_names() const {
  std::vector<std::string> states = f.names.coordinates();
  for (const std::string& v : f.names.velocities()) states.push_back(v);
  std::vector<std::string> all = states;
  append(all, problem.controls);
  const auto check = [&](const char* table, const std::string& name, const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      problem.reject(table + std::string(".") + detail::key_part(name), "",
                     "there is none" + suggestion(name, known));
  };
  for (const auto& [name, range] : problem.start) check("start", name, states);
  for (const auto& [name, range] : problem.bounds) check("bounds", name, all);
  for (const auto& [name, value] : problem.guess.end) check("guess.end", name, states);
  for (const auto& [name, text] : problem.guess.formulas) check("guess", name, problem.controls);
  if (problem.steps.size() != 1 && problem.steps.size() != guess.contacts.size() + 1)
    problem.reject("steps", fmt::format("{} numbers", problem.steps.size()),
                   fmt::format("must be one, or {}: one for each phase", guess.contacts.size() + 1));
}

ControlRange Transcription::bound_of(const std::string& name) const {
  const ControlRange* own = range_of(problem.bounds, name);
  return own ? *own : ControlRange{};
}

std::string Transcription::place(std::size_t k, std::int64_t i) const {
  return phases.size() > 1 ? fmt::format("step {} of phase {}", i + 1, k + 1) : fmt::format("step {}", i + 1);
}

// T_{k+1} = T_k + D_k, and all of them together are the whole.
void Transcription::make_times() {
  const double end = prepared.scenario.time.end.value_or(0) - start_time;
  whole = problem.duration.value_or(ControlRange{end, end});
  phases.resize(guess.durations.size());
  const bool one = phases.size() == 1;
  double t = start_time;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    ControlPhase& phase = phases[k];
    phase.steps = problem.steps.size() == 1 ? problem.steps[0] : problem.steps[k];
    if (k < guess.contacts.size()) phase.contact = guess.contacts[k];
    phase.begin = program.add_unknown("time", t, k ? start_time : t, k ? start_time + whole.high : t);
    phase.duration = program.add_unknown("duration", guess.durations[k],
                                         one ? whole.low : shortest_phase * whole.high, whole.high);
    t += guess.durations[k];
  }
  for (std::size_t k = 0; k + 1 < phases.size(); ++k)
    program.add_block(kinds.time, {phases[k].begin, phases[k].duration, phases[k + 1].begin}, {}, {0}, {0},
                      {"time"});
  if (!one)
    program.add_block(kinds.total, {phases.back().begin, phases.back().duration}, {},
                      {start_time + whole.low}, {start_time + whole.high}, {"duration"});
}

// Coordinates or velocities, between their bounds.
std::vector<int> Transcription::add_numbers(const std::string& what, const Values& values, bool velocities,
                                            bool bounded) {
  std::vector<int> r;
  for (int i = 0; i < f.n; ++i) {
    const std::string& name =
        (velocities ? f.names.velocities() : f.names.coordinates())[static_cast<std::size_t>(i)];
    const ControlRange range = bounded ? bound_of(name) : ControlRange{};
    r.push_back(program.add_unknown(what, values[i], range.low, range.high));
  }
  return r;
}

std::vector<int> Transcription::add_controls(std::size_t k, std::int64_t i, double node) {
  const double share = (static_cast<double>(i) + node) / static_cast<double>(phases[k].steps);
  double t = start_time + share * guess.durations[k];
  for (std::size_t j = 0; j < k; ++j) t += guess.durations[j];
  std::vector<double> in(static_cast<std::size_t>(f.names.all_inputs()), 0.0);
  in[static_cast<std::size_t>(f.names.t())] = t;
  std::vector<int> r;
  for (int c = 0; c < f.controls; ++c) {
    double value = 0;
    control_guesses[static_cast<std::size_t>(c)](std::span<const double>(in), std::span<double>(&value, 1));
    const std::string& name = problem.controls[static_cast<std::size_t>(c)];
    if (!std::isfinite(value))
      problem.reject("guess." + detail::key_part(name), "", fmt::format("is not finite at t = {:.10g}", t));
    const ControlRange range = bound_of(name);
    r.push_back(program.add_unknown(name, value, range.low, range.high));
  }
  return r;
}

Values Transcription::guessed(const formula::Program& what, double t, const MotionGuess::At& at,
                              const std::vector<int>& u) const {
  std::vector<double> in(static_cast<std::size_t>(f.names.all_inputs()), 0.0);
  for (int i = 0; i < f.n; ++i)
    in[static_cast<std::size_t>(i)] = at.q[i], in[static_cast<std::size_t>(f.n + i)] = at.v[i];
  in[static_cast<std::size_t>(f.names.t())] = t;
  for (std::size_t c = 0; c < u.size(); ++c)
    in[static_cast<std::size_t>(f.names.varied(static_cast<int>(c)))] =
        program.start[static_cast<std::size_t>(u[c])];
  for (std::size_t c = 0; c < theta.size(); ++c)
    in[static_cast<std::size_t>(f.names.varied(f.controls + static_cast<int>(c)))] =
        program.start[static_cast<std::size_t>(theta[c])];
  Values out(f.n);
  what(std::span<const double>(in), std::span<double>(out.data(), static_cast<std::size_t>(f.n)));
  return out;
}

void Transcription::add_phase(std::size_t k) {
  ControlPhase& phase = phases[k];
  const auto share = [&](std::int64_t i) {
    return static_cast<double>(i) / static_cast<double>(phase.steps);
  };
  const auto time = [&](std::int64_t i) {
    return program.start[static_cast<std::size_t>(phase.begin)] + share(i) * guess.durations[k];
  };
  for (std::int64_t i = 0; i <= phase.steps; ++i) {
    const MotionGuess::At at = guess.at(k, share(i));
    const bool shared = i == 0 && k > 0;
    phase.q.push_back(shared ? phases[k - 1].q.back() : add_numbers("position", at.q, false, true));
    phase.p.push_back(add_numbers("momentum", guessed(momentum_program, time(i), at, {}), false, false));
  }
  phase.v_begin = add_numbers("velocity", guess.at(k, 0).v, true, true),
  phase.v_end = add_numbers("velocity", guess.at(k, 1).v, true, true);
  if (k == 0)
    for (int i = 0; i < f.n; ++i) {
      const auto fix = [&](int unknown, double value, const std::string& name) {
        const ControlRange* range = range_of(problem.start, name);
        const auto x = static_cast<std::size_t>(unknown);
        program.low[x] = range ? range->low : value, program.high[x] = range ? range->high : value;
        program.start[x] =
            std::clamp(guess.reached ? program.start[x] : value, program.low[x], program.high[x]);
      };
      fix(phase.q[0][static_cast<std::size_t>(i)], start.q[i],
          f.names.coordinates()[static_cast<std::size_t>(i)]);
      fix(phase.v_begin[static_cast<std::size_t>(i)], start.v[i],
          f.names.velocities()[static_cast<std::size_t>(i)]);
    }
  add_momentum(phase, false), add_momentum(phase, true);
  for (std::int64_t i = 0; i < phase.steps; ++i) add_step(k, i);
  for (std::int64_t i = 1; i < phase.steps; ++i) add_gaps(phase, i);
}

void Transcription::add_momentum(const ControlPhase& phase, bool at_end) {
  std::vector<int> all = at_end ? phase.q.back() : phase.q.front();
  append(all, at_end ? phase.p.back() : phase.p.front()), append(all, at_end ? phase.v_end : phase.v_begin);
  append(all, theta), append(all, {phase.begin, phase.duration});
  const std::vector<double> zero(static_cast<std::size_t>(f.n), 0.0);
  program.add_block(kinds.momentum, all, {at_end ? 1.0 : 0.0}, zero, zero,
                    std::vector<std::string>(zero.size(), at_end ? "the momentum at the end of a phase"
                                                                 : "the momentum at the start of a phase"));
}

void Transcription::add_step(std::size_t k, std::int64_t i) {
  ControlPhase& phase = phases[k];
  const auto at_point = static_cast<std::size_t>(i);
  std::vector<int> all;
  for (const auto* points : {&phase.q, &phase.p})
    append(all, (*points)[at_point]), append(all, (*points)[at_point + 1]);
  const double N = static_cast<double>(phase.steps);
  const auto share = [&](double c) { return (static_cast<double>(i) + c) / N; };
  const auto begin = program.start[static_cast<std::size_t>(phase.begin)];
  std::vector<int> v, Q, F;
  for (int l = 0; l < rule.velocities; ++l)
    append(v,
           add_numbers("velocity",
                       guess.at(k, share(rule.velocities > 1 ? rule.c[static_cast<std::size_t>(l)] : 0.5)).v,
                       true, true));
  for (int j = 0; j < rule.nodes(); ++j) {
    const double c = rule.c[static_cast<std::size_t>(j)];
    const auto at = guess.at(k, share(c));
    const bool known = rule.shares_nodes && j == 0 && i > 0;
    phase.u.push_back(known ? phase.u.back() : add_controls(k, i, c));
    append(Q, add_numbers("position", at.q, false, true));
    append(F, add_numbers("force",
                          guessed(force_program, begin + share(c) * guess.durations[k], at, phase.u.back()),
                          false, false));
  }
  phase.v.push_back(v);
  append(all, v), append(all, Q), append(all, F);
  for (auto u = phase.u.end() - rule.nodes(); u != phase.u.end(); ++u) append(all, *u);
  append(all, theta), append(all, {phase.begin, phase.duration});
  const std::size_t paths = f.path.size() * static_cast<std::size_t>(rule.nodes());
  const std::size_t dynamics = static_cast<std::size_t>(kinds.step->rows) - paths;
  std::vector<double> low(dynamics + paths, 0.0), high(dynamics, 0.0);
  high.resize(dynamics + paths, unbounded);
  std::vector<std::string> row_names(dynamics, "the motion in " + place(k, i));
  for (int j = 0; j < rule.nodes(); ++j)
    for (const auto& [name, text] : problem.path) row_names.push_back("path." + name + " in " + place(k, i));
  program.add_block(kinds.step, all, {static_cast<double>(i), 1 / N}, low, high, row_names);
}

// Contacts stay open at the grid's points.
void Transcription::add_gaps(const ControlPhase& phase, std::int64_t i) {
  if (f.gaps.empty()) return;
  std::vector<int> all = phase.q[static_cast<std::size_t>(i)];
  append(all, theta), append(all, {phase.begin, phase.duration});
  std::vector<std::string> row_names;
  for (const std::string& name : f.gap_names) row_names.push_back("the gap \"" + name + '"');
  program.add_block(kinds.gap, all, {static_cast<double>(i) / static_cast<double>(phase.steps)},
                    std::vector<double>(f.gaps.size(), 0.0), std::vector<double>(f.gaps.size(), unbounded),
                    row_names);
}

void Transcription::add_impact(std::size_t k) {
  const ControlPhase &before = phases[k - 1], &after = phases[k];
  std::vector<int> all = after.q.front();
  append(all, before.p.back()), append(all, before.v_end), append(all, after.p.front()),
      append(all, after.v_begin);
  all.push_back(program.add_unknown("impulse", 1, -unbounded, unbounded));
  append(all, theta), append(all, {after.begin});
  const auto kind = make_impact(before.contact);
  const std::string& name = f.gap_names[static_cast<std::size_t>(before.contact)];
  const std::size_t equations = static_cast<std::size_t>(f.n) + 2, others = f.gaps.size() - 1;
  std::vector<double> low(equations + 1 + others, 0.0), high(equations, 0.0);
  high.resize(low.size(), unbounded);
  std::vector<std::string> row_names(equations + 1, fmt::format("impact {} with \"{}\"", k, name));
  row_names[0] = fmt::format("the gap of impact {} with \"{}\"", k, name);
  row_names[equations] = fmt::format("the approach of impact {} with \"{}\"", k, name);
  row_names.resize(low.size(), fmt::format("another gap at impact {}", k));
  program.add_block(kind, all, {}, low, high, row_names);
}

void Transcription::add_end() {
  ControlPhase& last = phases.back();
  std::vector<int> all = last.q.back();
  append(all, last.v_end), append(all, theta), append(all, {last.begin, last.duration});
  program.add_block(kinds.end, all, {}, kinds.end_low, kinds.end_high, kinds.end_names);
  add_gaps(last, last.steps);
}

}  // namespace carom
