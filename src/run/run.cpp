#include "run/run.hpp"

namespace carom {
namespace {

using detail::to_text;

// All numbers of a run under way, in one list that begins with their number: given to a checkpoint, or taken
// from one.
class NumberWriter final : public KeptNumbers {
 public:
  std::vector<double> counted() {
    list.insert(list.begin(), static_cast<double>(list.size() + 1));
    return std::move(list);
  }
  void operator()(double& x) override { list.push_back(x); }
  void operator()(std::int64_t& x) override { list.push_back(static_cast<double>(x)); }

 private:
  std::vector<double> list;
};
class NumberReader final : public KeptNumbers {
 public:
  explicit NumberReader(const std::vector<double>& numbers) : list(numbers) {
    if (next() != static_cast<double>(list.size())) throw RecordError("checkpoint", "does not fit this scenario");
  }
  void operator()(double& x) override { x = next(); }
  void operator()(std::int64_t& x) override { x = static_cast<std::int64_t>(next()); }
  bool used_up() const { return at == list.size(); }

 private:
  double next() {
    if (at == list.size()) throw RecordError("checkpoint", "does not fit this scenario");
    return list[at++];
  }
  const std::vector<double>& list;
  std::size_t at = 0;
};

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

}  // namespace

double StepClock::seconds() const {
  return std::chrono::duration<double>(sampled).count() *
         std::min<double>(stride, static_cast<double>(calls));
}

Run::Run(RunParts p)
    : parts(std::move(p)),
      hooks(parts.hooks),
      checks_values(parts.system.may_lack_values()),
      ends_at_rest(!parts.scenario.time.end && !parts.system.forced()),
      shadow(parts.shadow, parts.method.impact == "shadow" ? parts.method.order : 8),
      recorder(parts.system, ledger, shadow, hooks.records, parts.scenario.output.every),
      impacts(parts.system, hooks.records),
      changes(parts.system, hooks.records),
      last(parts.start),
      until(parts.system, std::move(parts.until)),
      pulse(hooks, parts.grid.steps, parts.scenario.time.impacts) {}

void Run::operator()(RunResult& r) {
  const auto begin = std::chrono::steady_clock::now();
  const End ended = hooks.resumed ? resume(*hooks.resumed) : start(parts.grid.steps);
  r.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  end(ended, r);
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

void Run::end(const End& ended, RunResult& r) {
  if (ended.stopped && !enough) keep(ended.steps, ended.z, true);
  parts.system.look(ended.t, ended.z, look);  // a step that failed may have been looked at since
  recorder.record({ended.steps, ended.t, ended.z, look});
  gather(ended, r);
}

Run::End Run::resume(const Checkpoint& from) {
  End now{0, 0, parts.start, std::nullopt, false};
  parts.system.look(parts.grid.start, parts.start, look);
  begin_records();
  const auto state = from.numbers.find("state");
  if (state == from.numbers.end()) throw RecordError("checkpoint", "holds no state");
  NumberReader reader(state->second);
  state_numbers(now.steps, now.z, reader);
  numbers(reader);
  if (!reader.used_up()) throw RecordError("checkpoint", "does not fit this scenario");
  now.t = parts.grid.time(now.steps), next = now.steps + 1;
  return go_on(*this, std::move(now), parts.grid, stopping(), observing());
}

// The columns depend on how many momenta there are, which the first look tells.
void Run::begin_records() {
  if (hooks.records)
    hooks.records->begin(recorder.layout(look.momenta.size()), impacts.layout(), changes.layout());
  if (!hooks.resumed) return;
  for (const Look::Momentum& momentum : look.momenta) ledger.momenta.push_back({momentum.name});
}

void Run::numbers(KeptNumbers& f) {
  ledger.numbers(f), recorder.numbers(f), shadow.numbers(f), impacts.numbers(f), changes.numbers(f);
  until.numbers(f), parts.stepper.numbers(f);
}

void Run::keep(std::int64_t n, const RunState& z, bool stopping) {
  if (!hooks.records || !hooks.records->wants_checkpoint(stopping)) return;
  NumberWriter writer;
  RunState copy = z;
  state_numbers(n, copy, writer);
  numbers(writer);
  hooks.records->keep({to_toml(parts.scenario), {{"state", writer.counted()}}, {}});
}

// The step that the shadow energy takes ahead is timed with this one, which then need not be taken again.
const Stepped& Run::step(double t, const RunState& z) {
  const auto* r = clock.time([&] {
    const auto& stepped = parts.stepper.step(t, z);
    if (!stepped.failure && recorder.wants(next)) shadow.follow(next, parts.grid.time(next), stepped.step.z);
    return &stepped;
  });
  ++next;
  if (r->failure) return *r;
  parts.system.look(parts.grid.time(next - 1), r->step.z, look);
  if (checks_values) undefined.failure = missing_value();
  return undefined.failure ? undefined : *r;
}

// An energy or a gap that is not a number makes no step fail.
std::optional<Failure> Run::missing_value() const {
  if (!std::isfinite(look.H)) return Failure{"the energy is not finite after it", look.H, ""};
  for (int i = 0; i < look.gaps.size(); ++i)
    if (!std::isfinite(look.gaps[i]))
      return Failure{"a gap is not finite after it", look.gaps[i], parts.system.contact_name(i)};
  return std::nullopt;
}

void Run::observe(const Point& point) {
  ledger.add_point(point.n == 0, point.t, look);
  if (point.step) ledger.add_step(*point.step);
  for (const auto& impact : point.impacts)
    ledger.add_impact(parts.system.smallest_gap(impact.t, impact.q),
                      parts.system.hamiltonian(impact.t, impact.q, impact.p_before),
                      parts.system.hamiltonian(impact.t, impact.q, impact.p_after), impact.work);
  recorder.see({point.n, point.t, point.z, look}, point.step ? point.step->energy : std::nan(""));
  impacts.see(point.n, point.impacts);
  changes.see(point.n, point.changes);
}

bool Run::stop(const Point& point) {
  const auto& most_impacts = parts.scenario.time.impacts;
  if (most_impacts && ledger.impacts >= *most_impacts) enough = "impacts";
  if (until({point.n, point.t, point.z, look})) enough = "until";
  if (ends_at_rest && !enough && stands_still(point)) enough = "rest";
  if (enough) return true;
  if (!pulse.beats(point.n)) return false;
  if (pulse.stop(point.n, ledger.impacts)) return true;
  keep(point.n, point.z, false);
  return false;
}

// Whether a step changed nothing at all: then nothing ever will, and what was to end the run never comes.
bool Run::stands_still(const Point& point) {
  const bool still = point.step && point.z.q == last.q && point.z.p == last.p;
  last = point.z;
  return still;
}

void Run::gather(const End& ended, RunResult& r) const {
  r.steps = ended.steps, r.stepping_seconds = clock.seconds(), r.timed_steps = clock.calls;
  r.t = ended.t;
  r.q.assign(ended.z.q.begin(), ended.z.q.end()), r.p.assign(ended.z.p.begin(), ended.z.p.end());
  r.status = ended.failure ? "failed" : ended.stopped && !enough ? "stopped" : "completed";
  if (r.status == "completed") r.ended_by = enough ? enough : "end";
  if (r.ended_by == "rest")
    r.warnings.push_back("nothing moves any more at t = " + to_text(ended.t) +
                         ", and the run has no other end: time.end gives it one");
  if (ended.failure) r.reason = word_failure(*ended.failure, ended.steps, ended.t);
  if (r.status == "stopped") r.reason = "stopped on request at t = " + to_text(ended.t);
  r.energy = ledger.energy, r.drift_per_time = ledger.drift.value(), r.momenta = ledger.momenta;
  if (std::isfinite(ledger.smallest_gap)) r.smallest_gap = ledger.smallest_gap;
  if (parts.system.joint_count() > 0) r.largest_joint = ledger.largest_joint;
  r.work = ledger.work, r.friction = ledger.friction, r.loss = ledger.loss;
  r.remainder = ledger.remainder(), r.newton_iterations = ledger.iterations;
  r.impacts = ledger.impacts, r.last_impact = impacts.last;
  r.impact_solves = parts.stepper.solves(), r.fallbacks = parts.stepper.fallbacks();
  r.contacts = changes.result();
  if (hooks.records) r.shadow = shadow.result();
}

RunResult empty_result(const Scenario& scenario, const Method& method) {
  RunResult r;
  r.system = scenario.system.name, r.method = method.label, r.order = method.flow.order;
  r.grid = {scenario.time.start, scenario.time.step, scenario.time.steps()};
  return r;
}

std::optional<Until> checked_until(WatchedSystem& system, const Scenario& scenario, const RunState& start,
                                   const std::map<std::string, double>& parameters) {
  std::vector<std::string> coordinates;
  for (int i = 0; i < system.size(); ++i) coordinates.push_back(system.coordinate_name(i));
  auto until = make_until(scenario, coordinates, parameters);
  if (!until) return until;
  Look look;
  system.look(scenario.time.start, start, look);
  const RunVector& v = system.velocity(start, look);
  const auto n = static_cast<std::size_t>(v.size());
  const double value = (*until)({start.q.data(), n}, {v.data(), n}, scenario.time.start);
  if (!std::isfinite(value))
    scenario.reject("time.until", '"' + *scenario.time.until + '"', "is " + to_text(value) + " at the start");
  return until;
}

void warn_of_unknown_energy(RunResult& r, double unknown, int order) {
  if (!(unknown > 0.1 * r.energy.max_abs_error + 1e-5 * std::abs(r.energy.initial))) return;
  r.warnings.push_back("the shadow energy of order " + std::to_string(order) + " is known to " +
                       to_text(unknown) + " only, where H itself varies by " +
                       to_text(r.energy.max_abs_error) + ": the step is too large for this motion");
}

}  // namespace carom
