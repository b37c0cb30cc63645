#include "run/run.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "carom/run/unfollowed.hpp"
#include "run/kept_numbers.hpp"
#include "run/run_system.hpp"
#include "run/unworldly.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

using detail::to_text;

std::string word_failure(const Failure& failure, std::int64_t step, double t) {
  std::string r = "step " + std::to_string(step) + " from t = " + to_text(t) + ": " + failure.reason;
  if (!failure.contact.empty())
    return r + " (contact \"" + failure.contact + "\", " + failure.measure + " " + to_text(failure.residual) +
           ")";
  return r + " (residual " + to_text(failure.residual) + ")";
}

void state_numbers(std::int64_t& n, RunState& z, KeptNumbers& f) {
  f(n);
  for (int i = 0; i < z.q.size(); ++i) f(z.q[i]), f(z.p[i]);
}

// What ends a run in good order before its last step, by the number that a checkpoint has for it.
constexpr std::array good_ends{"", "impacts", "until", "rest"};
std::int64_t number_of_end(const char* enough) {
  return enough ? std::find(good_ends.begin(), good_ends.end(), std::string_view(enough)) - good_ends.begin()
                : 0;
}

bool knows_lasting_contacts(const Method& method) {
  return method.stepper == "contact" || method.stepper == "gvi" || method.stepper == "dae-euler";
}

bool losses_are_no_error(const RunParts& parts) {
  if (parts.method.stepper == "direct" || parts.method.stepper == "dae-euler") return true;
  const System* system = parts.system.mechanics();
  return system && is_lossy(*system, parts.method);
}

}  // namespace

double StepClock::seconds() const {
  return std::chrono::duration<double>(sampled).count() *
         std::min<double>(stride, static_cast<double>(calls));
}

Run::Run(RunParts p)
    : parts(std::move(p)),
      hooks(parts.hooks),
      ends_at_rest(!parts.scenario.time.end && !parts.system.forced()),
      shadow(parts.shadow, parts.method.impact == "shadow" ? parts.method.order : 8),
      quantities(parts.system, std::move(parts.formulas.quantities)),
      impacts(parts.system, hooks.records),
      changes(parts.system, hooks.records),
      recorder(parts.system, ledger, shadow,
               {quantities, knows_lasting_contacts(parts.method) ? &changes.which_last() : nullptr},
               hooks.records, parts.scenario.output.every),
      energies(parts.system.size()),
      units(hooks.records ? parts.system.mechanics() : nullptr, parts.grid.start, parts.start,
            losses_are_no_error(parts)),
      last(parts.start),
      until(parts.system, std::move(parts.formulas.until)),
      pulse(hooks, parts.grid.steps, parts.scenario.time.impacts),
      flat(parts.system) {
  parts.stepper.stop = &hooks.stop;
}

void Run::operator()(RunResult& r) {
  const auto begin = std::chrono::steady_clock::now();
  End ended = hooks.resumed ? resume(*hooks.resumed) : start(parts.grid.steps);
  end(ended, r);
  r.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Run::End Run::start(std::int64_t steps) {
  parts.system.look(parts.grid.start, parts.start, look);
  begin_records();
  next = 1;
  return simulate(*this, parts.start, Grid{parts.grid.start, parts.grid.step, steps}, stopping(),
                  observing());
}

void Run::take_step(End& now) {
  last = now.z, next = now.steps + 1;
  const Grid grid{parts.grid.start, parts.grid.step, next};
  now = go_on(*this, std::move(now), grid, stopping(), observing());
}

// What is kept is the last whole step, so that a run which goes on later is the one that never ended there.
void Run::end(End& ended, RunResult& r) {
  if (!ended.failure) keep(ended.steps, ended.z, true);
  if (!ended.failure && !ended.stopped && parts.scenario.time.short_end()) take_short_step(ended);
  parts.system.look(ended.t, ended.z, look);  // a step that failed may have been looked at since
  recorder.record({ended.steps, ended.t, ended.z, look});
  gather(ended, r);
}

// By a stepper of that length, which takes over what the other one keeps: contacts that last, multipliers.
void Run::take_short_step(End& now) {
  if (!may_step(now.t, now.z)) {
    now.stopped = true;
    return;
  }
  const double end = *parts.scenario.time.short_end();
  const auto shorter = parts.make(end - now.t);
  hand_over(parts.stepper, *shorter);
  shorter->forget_energy(), shorter->stop = &hooks.stop;
  shadow.close();
  const Stepped& stepped = shorter->step(now.t, now.z);
  ++next;
  if (!stepped.failure && !stepped.stopped) parts.system.look(end, stepped.step.z, look);
  const auto failure = stepped.failure ? stepped.failure : unworldly({next - 1, end, stepped.step.z, look});
  now.failure = failure, now.stopped = stepped.stopped;
  if (failure || stepped.stopped) return;
  now.z = stepped.step.z, now.t = end, ++now.steps;
  const Point point{now.steps, now.t, now.z, &stepped.step, stepped.impacts, stepped.changes};
  observe(point);
  now.stopped = stop(point) && enough;
  hand_over(*shorter, parts.stepper);  // how often it had to do what
}

Run::End Run::resume(const Checkpoint& from) {
  End now{0, 0, parts.start, std::nullopt, false};
  parts.system.look(parts.grid.start, parts.start, look);
  for (const Look::Momentum& momentum : look.momenta) ledger.momenta.push_back({momentum.name});
  const auto state = from.numbers.find("state");
  if (state == from.numbers.end()) throw RecordError("checkpoint", "holds no state");
  NumberReader reader(state->second);
  state_numbers(now.steps, now.z, reader);
  numbers(reader);
  if (!reader.used_up()) throw RecordError("checkpoint", "does not fit this scenario");
  now.t = parts.grid.time(now.steps), next = now.steps + 1;
  const auto was = parse_scenario(from.scenario, "checkpoint").time;
  const auto over = from.counts.find("over");
  if (over != from.counts.end() && !(over->second >= 0 && over->second < std::ssize(good_ends)))
    throw RecordError("checkpoint", "does not say what ended the run");
  begin_records();  // from here on the files are those of this run
  if (was == parts.scenario.time && over != from.counts.end()) {  // killed before all its files were written
    enough = good_ends.at(static_cast<std::size_t>(over->second));
    now.stopped = true;
    parts.system.look(now.t, now.z, look);
    return now;
  }
  if (was.until != parts.scenario.time.until) {
    parts.system.look(now.t, now.z, look);
    until.begin({now.steps, now.t, now.z, look});
  }
  return go_on(*this, std::move(now), parts.grid, stopping(), observing());
}

// The columns depend on how many momenta there are, which the first look tells.
void Run::begin_records() {
  if (hooks.records) hooks.records->begin(recorder.layout(look.momenta), impacts.layout(), changes.layout());
}

void Run::numbers(KeptNumbers& f) {
  ledger.numbers(f), recorder.numbers(f), shadow.numbers(f), impacts.numbers(f), changes.numbers(f);
  energies.numbers(f), units.numbers(f), until.numbers(f), quantities.numbers(f), parts.stepper.numbers(f);
}

void Run::keep(std::int64_t n, const RunState& z, bool stopping) {
  if (!hooks.records || !hooks.records->wants_checkpoint(stopping)) return;
  NumberWriter writer;
  RunState copy = z;
  state_numbers(n, copy, writer);
  numbers(writer);
  Checkpoint kept{to_toml(parts.scenario), {{"state", writer.counted()}}, {{"step", n}}};
  if (enough) kept.counts["over"] = number_of_end(enough);
  hooks.records->keep(std::move(kept));
}

bool Run::may_step(double t, const RunState& z) {
  return !hooks.before_step || hooks.before_step(t, {z.q.data(), z.q.data() + z.q.size()},
                                                 {look.v.data(), look.v.data() + look.v.size()});
}

// The step that the shadow energy takes ahead is timed with this one, which then need not be taken again.
const Stepped& Run::step(double t, const RunState& z) {
  if (const int contact = flat.find(t, parts.grid.step, z, look); contact >= 0) {
    undefined.failure = Failure{no_slope, 0, parts.system.contact_name(contact)};
    undefined.step.z = z;
    return ++next, undefined;
  }
  if (!may_step(t, z)) {
    undefined = {}, undefined.stopped = true, undefined.step.z = z;
    return ++next, undefined;
  }
  const auto* r = clock.time([&] {
    const auto& stepped = parts.stepper.step(t, z);
    if (!stepped.failure && !stepped.stopped && recorder.wants(next))
      shadow.follow(next, parts.grid.time(next), stepped.step.z);
    return &stepped;
  });
  ++next;
  if (r->failure || r->stopped) return *r;
  parts.system.look(parts.grid.time(next - 1), r->step.z, look);
  undefined.failure = unworldly({next - 1, parts.grid.time(next - 1), r->step.z, look});
  return undefined.failure ? undefined : *r;
}

// As unworldly.hpp says, and a gap that is not a number. A DAE may have no energy. What is to end the run
// must have a value to do so.
std::optional<Failure> Run::unworldly(const SeenPoint& point) {
  if (const auto beyond = unworldly_state(point.z)) return beyond;
  if (std::isfinite(ledger.energy.initial))
    if (const auto lost = unworldly_energy(look.H)) return lost;
  for (int i = 0; parts.system.may_lack_values() && i < look.gaps.size(); ++i)
    if (!std::isfinite(look.gaps[i]))
      return Failure{"a gap is not finite after it", look.gaps[i], parts.system.contact_name(i)};
  if (until.is_lost(point))
    return Failure{
        "time.until = \"" + *parts.scenario.time.until + "\" is nan after it, and never ends the run",
        std::nan(""), ""};
  return std::nullopt;
}

void Run::observe(const Point& point) {
  ledger.add_point(point.n == 0, point.t, look);
  if (point.step) ledger.add_step(*point.step);
  for (const auto& impact : point.impacts)
    ledger.add_impact(parts.system.smallest_gap(impact.t, impact.q),
                      impact.taken(parts.system.hamiltonian(impact.t, impact.q, impact.p_before),
                                   parts.system.hamiltonian(impact.t, impact.q, impact.p_after)),
                      impact.work);
  if (hooks.records)
    energies.see(point.z.p, parts.system.velocity(point.z, look), ledger), units.see(point, ledger);
  impacts.see(point.n, point.impacts);
  changes.see(point.n, point.changes);
  const SeenPoint seen{point.n, point.t, point.z, look};
  quantities.see(seen);
  recorder.see(seen, point.step ? point.step->energy : std::nan(""));
}

bool Run::stop(const Point& point) {
  const auto& most_impacts = parts.scenario.time.impacts;
  if (most_impacts && ledger.impacts >= *most_impacts) enough = "impacts";
  if (until({point.n, point.t, point.z, look})) enough = "until";
  if (ends_at_rest && !enough && stands_still(point)) enough = "rest";
  if (enough || (hooks.stop && hooks.stop())) return true;
  if (!pulse.beats(point.n)) return false;
  pulse.tell(point.n, ledger.impacts);
  keep(point.n, point.z, false);
  return false;
}

// Whether a step changed nothing at all: then nothing ever will, and what was to end the run never comes.
bool Run::stands_still(const Point& point) {
  const bool still = point.step && point.z.q == last.q && point.z.p == last.p;
  last = point.z;
  return still;
}

void Run::gather(const End& ended, RunResult& r) {
  r.steps = ended.steps, r.stepping_seconds = clock.seconds(), r.timed_steps = clock.calls;
  r.t = ended.t;
  r.q.assign(ended.z.q.begin(), ended.z.q.end()), r.p.assign(ended.z.p.begin(), ended.z.p.end());
  const RunVector& v = parts.system.velocity(ended.z, look);
  r.v.assign(v.begin(), v.end());
  for (int i = 0; i < parts.system.size(); ++i) r.coordinates.push_back(parts.system.coordinate_name(i));
  r.status = ended.failure ? "failed" : ended.stopped && !enough ? "stopped" : "completed";
  if (r.status == "completed") r.ended_by = enough ? enough : "end";
  if (r.ended_by == "rest")
    r.warnings.push_back("nothing moves any more at t = " + to_text(ended.t) +
                         ", and the run has no other end: time.end gives it one");
  if (ended.failure) r.reason = word_failure(*ended.failure, ended.steps, ended.t);
  if (r.status == "stopped") r.reason = "stopped on request at t = " + to_text(ended.t);
  r.energy = ledger.energy, r.drift_per_time = ledger.drift.value(), r.momenta = ledger.momenta;
  for (const Constancy& momentum : ledger.momenta)
    if (!std::isfinite(momentum.max_abs_error))
      r.warnings.push_back("the momentum \"" + momentum.name +
                           "\" is no number all the way: its error is null");
  if (std::isfinite(ledger.smallest_gap)) r.smallest_gap = ledger.smallest_gap;
  if (parts.system.joint_count() > 0) r.largest_joint = ledger.largest_joint;
  r.work = ledger.work, r.friction = ledger.friction, r.loss = ledger.loss;
  r.remainder = ledger.remainder(), r.newton_iterations = ledger.iterations;
  r.impacts = ledger.impacts, r.last_impact = impacts.last;
  r.impact_solves = parts.stepper.solves(), r.fallbacks = parts.stepper.fallbacks();
  r.contacts = changes.result();
  quantities.tell(r);
  if (hooks.records) r.shadow = shadow.result(), r.energies = units.worst(energies.seen());
}

RunResult empty_result(const Scenario& scenario, const Method& method) {
  RunResult r;
  r.system = scenario.system.name, r.method = method.label, r.order = method.flow.order;
  r.method_in_words = method_in_words(method, method.impact.empty());
  r.grid = {scenario.time.start, scenario.time.step, scenario.time.steps()};
  return r;
}

RunFormulas checked_formulas(WatchedSystem& system, const Scenario& scenario, const RunState& start,
                             const std::map<std::string, double>& parameters) {
  if (!scenario.time.until && scenario.output.quantities.empty()) return {};
  std::vector<std::string> coordinates;
  for (int i = 0; i < system.size(); ++i) coordinates.push_back(system.coordinate_name(i));
  RunFormulas r{make_quantities(scenario, coordinates, parameters),
                make_until(scenario, coordinates, parameters)};
  Look look;
  system.look(scenario.time.start, start, look);
  const auto refuse = [&](const std::string& key, const std::string& text, double value) {
    if (!std::isfinite(value))
      scenario.reject(key, '"' + text + '"', "is " + to_text(value) + " at the start");
  };
  const RunVector& v = system.formula_velocity(start, look);
  const std::span q(start.q.data(), start.q.data() + start.q.size()), u(v.data(), v.data() + v.size());
  if (r.until) refuse("time.until", *scenario.time.until, (*r.until)(q, u, scenario.time.start));
  const auto& own = scenario.output.quantities;
  if (own.empty()) return r;
  const auto values = r.quantities.formulas(q, u, scenario.time.start);
  for (std::size_t k = 0; k < own.size(); ++k)
    refuse("output.quantities." + detail::key_part(own[k].first), own[k].second, values[k]);
  return r;
}

// What tells is the order two below, which is another energy by h² where the order is low.
void warn_of_unknown_energy(RunResult& r, double unknown, int order) {
  if (!(unknown > 0.1 * r.energy.max_abs_error + 1e-5 * std::abs(r.energy.initial))) return;
  const int usual = std::max(8, r.order);
  const std::string remedy =
      order < usual ? "method.order = " + std::to_string(usual) + ", or a smaller step, would do better"
                    : "the step is too large for this motion";
  r.warnings.push_back("the shadow energy of order " + std::to_string(order) + " is known to " +
                       to_text(unknown) + " only, where H itself varies by " +
                       to_text(r.energy.max_abs_error) + ": " + remedy);
}

void warn_of_unfollowed(RunResult& r, double share) {
  if (!(share > Unfollowed::large)) return;
  r.warnings.push_back("bounces too short for the step, which are not followed, had " +
                       to_text(std::round(100 * share)) +
                       "% of the energy that moved: a smaller time.step follows them");
}

}  // namespace carom
