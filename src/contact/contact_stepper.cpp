#include "carom/contact/contact_stepper.hpp"

#include <cassert>

#include "carom/system/validate.hpp"

namespace carom {
namespace {

bool contains(const std::vector<int>& list, int i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

double no_tail(int) { return 0; }

// The substeps of a composition reach further than the flow, and its curve starts otherwise: in steps that are
// too large, even into a wall that the momentum leaves.
bool needs_flow(const EventSearch::Event& event) {
  using Kind = EventSearch::Kind;
  return event.kind == Kind::failed || event.kind == Kind::stuck ||
         (event.kind == Kind::impact && event.rate > 0);
}

}  // namespace

ContactStepper::ContactStepper(SystemRef sys, const SteadyFlow& f, const ContactOptions& o)
    : shared(std::move(sys)),
      system(*shared),
      flow(f),
      options(o),
      held(system),
      motion(system, held, flow, options.law),
      search(system, motion),
      open(system),
      touching(system, flow.h, options.lasting ? Touching::shortest_bounce : 1e-6),
      energy(system, held, flow, options.law, options.restitution),
      v(system.size()),
      Lq(system.size()),
      Lv(system.size()) {
  validate();
}

void ContactStepper::validate() const {
  if (!(flow.h > 0)) throw InvalidInput("step", detail::to_text(flow.h), "must be greater than 0");
  const bool held_steps = options.lasting || system.joint_count() > 0;
  for (const Substep& substep : flow.forward.substeps)
    if (held_steps && !std::holds_alternative<Rule>(substep.block))
      throw InvalidInput("flow", flow.forward.name, "has no steps along contacts; take a quadrature rule");
  const int order = options.law.order;
  if (order < 2 || order >= most_shadow_nodes || order % 2 != 0)
    throw InvalidInput("order", std::to_string(order), "must be even, from 2 to 16");
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InvalidInput("restitution", detail::to_text(options.restitution), "must be from 0 to 1");
}

const Stepped& ContactStepper::step(double t, const Z& start) {
  impacts.clear(), changes.clear();
  if (!begun)
    if (auto why = begin(t, start)) return failed(start, *why);
  const Spent full = full_step(t, start);
  if (full.outcome.ok() && open.stay(t, start, z, lasting, flow.h) &&
      touching.pressed(t + flow.h, z.q, z.p, lasting))
    return finished(z, full);
  full_end = z;
  return walk(t, start, full);
}

// From start to z, without a look at what is in the way.
Spent ContactStepper::full_step(double t, const Z& start) {
  if (const auto taken = ahead && lasting.empty() ? ahead->step_from(start) : std::nullopt) {
    z = taken->z;
    return taken->spent;
  }
  z = start;
  return held(flow.forward, t, flow.h, z, lasting, HeldFlow::Hold::bilateral);
}

// What lasts from the start on.
std::optional<Failure> ContactStepper::begin(double t, const Z& start) {
  begun = true;
  z = start;
  find_touching(t, start.q, -1);
  next_lasting.clear();
  if (!touched.empty() && (!touching.prepare(t, start.q, start.p, touched) ||
                           !touching.choose_lasting(t, start.q, start.p, next_lasting)))
    return squeezed();
  if (auto why = refuse_lasting(next_lasting)) return begun = false, why;
  change_lasting(t, no_tail);
  energy.begin(t, start, lasting);
  return std::nullopt;
}

// All contacts that touch at q, those that last, and `hit`.
void ContactStepper::find_touching(double t, const Values& q, int hit) {
  system.gaps(t, q, gaps);
  touched.clear();
  const double tolerance = gap_tolerance(gap_scale(q));
  for (int i = 0; i < gaps.size(); ++i)
    if (i == hit || gaps[i] <= tolerance || std::binary_search(lasting.begin(), lasting.end(), i))
      touched.push_back(i);
}

const Stepped& ContactStepper::walk(double t, const Z& start, const Spent& full) {
  const Kind usual = options.law.part;
  energy.start(t, start, lasting);
  late.clear(), hits.clear(), struck.clear();
  z = start;
  double now = t, rest = flow.h;
  Kind kind = usual;
  for (int events = 0;;) {
    const auto& event = next_event(now, rest, kind);
    if (kind != Kind::flow && needs_flow(event)) {
      kind = Kind::flow;
      continue;
    }
    if (event.kind == Found::failed) return failed(start, no_motion(event.at.spent.outcome));
    if (event.kind == Found::clear) return finish_walk(t + flow.h, event.at, full, events == 0);
    if (++events > options.most_events) return failed(start, too_many());
    if (event.at.tau > 0) hits.clear(), struck.clear();
    if (event.kind == Found::impact && is_spent(event)) continue;
    z = event.at.z, now += event.at.tau, rest -= event.at.tau, energy.work += event.at.spent.work;
    kind = event.kind == Found::impact ? usual : Kind::flow;  // that one leaves along the momentum itself
    std::optional<Failure> why;
    if (event.kind == Found::stuck) why = stick(now, event.contact);
    if (event.kind == Found::release) release(now);
    if (event.kind == Found::impact) why = resolve(now, rest, event.contact, event.at.spent);
    if (why) return failed(start, *why);
  }
}

// At an event no contact is behind its wall; where one is, all are watched, and more closely.
const EventSearch::Event& ContactStepper::next_event(double now, double rest, Kind kind) {
  motion.begin(now, z, lasting, kind);
  const bool known = motion(rest, part_end).outcome.ok();
  open.choose(now, z, known ? &part_end : nullptr, lasting, rest, watched);
  const auto stay = [this](double t, const Z& at) { return stays(t, at); };
  const auto& event = search.first(rest, watched, struck, EventSearch::usual_samples, stay);
  if (!is_passed(now, event)) return event;
  open.choose(now, z, nullptr, lasting, rest, watched);
  search.first(rest, watched, struck, 8 * EventSearch::usual_samples, stay);
  assert(!is_passed(now, event));
  return event;
}

// Whether an event comes after a contact was passed: one that was not watched, because its gap seemed to stay
// open. A step has to be far too large for that.
bool ContactStepper::is_passed(double now, const EventSearch::Event& event) {
  if (event.kind == Found::failed || event.at.tau == 0) return false;
  system.gaps(now + event.at.tau, event.at.z.q, gaps);
  const double least = -gap_tolerance(gap_scale(z.q));
  if (!(gaps.size() > 0 && gaps.minCoeff() < least)) return false;
  system.gaps(now, z.q, gaps_before);
  for (int i = 0; i < gaps.size(); ++i)
    if (gaps[i] < least && gaps_before[i] >= least && !contains(lasting, i)) return true;
  return false;
}

// Whether a contact that was reflected at this very instant still closes as before, so slowly that its bounce
// would not be followed: it depends on others up to an angle that counts as none.
bool ContactStepper::is_spent(const EventSearch::Event& event) {
  for (const Hit& hit : hits)
    if (hit.contact == event.contact && event.rate <= 0.5 * hit.rate && -event.rate <= hit.slow) {
      struck.push_back(event.contact);
      return true;
    }
  return false;
}

// Whether C stays as it is at (t, z): pressed, but for what is to be held to the end of the step.
bool ContactStepper::stays(double t, const Z& at) {
  if (touching.pressed(t, at.q, at.p, lasting)) return true;
  const auto is_late = [this](int i) { return contains(late, i); };
  const auto& opening = touching.opening();
  return !opening.empty() && std::all_of(opening.begin(), opening.end(), is_late);
}

void ContactStepper::release(double t) {
  touching.pressed(t, z.q, z.p, lasting);
  next_lasting.clear();
  for (const int i : lasting)
    if (!contains(touching.opening(), i) || contains(late, i)) next_lasting.push_back(i);
  change_lasting(t, no_tail);
}

// A contact whose curve does not leave it although nothing presses it stays; if it was released in this step,
// that came too early: it is held to the end of the step.
std::optional<Failure> ContactStepper::stick(double t, int contact) {
  if (!options.lasting) return stays_closed(contact);
  next_lasting = lasting;
  next_lasting.insert(std::upper_bound(next_lasting.begin(), next_lasting.end(), contact), contact);
  touching.project(t, z.q, z.p, next_lasting);
  const auto released = std::find_if(changes.begin(), changes.end(), [&](const ContactChange& change) {
    return change.contact == contact && !change.begins;
  });
  if (released == changes.end()) {
    change_lasting(t, no_tail);
    return std::nullopt;
  }
  changes.erase(released);
  late.push_back(contact);
  lasting = next_lasting;
  return std::nullopt;
}

std::optional<Failure> ContactStepper::resolve(double t, double rest, int hit, const Spent& leg) {
  find_touching(t, z.q, hit);
  if (!touching.prepare(t, z.q, z.p, touched)) return about_touched(describe(Status::singular));
  if (auto why = reflect(t, rest, leg)) return why;
  record(t, hit);
  if (auto why = refuse_lasting(next_lasting)) return why;
  const auto place = static_cast<int>(place_of(hit));
  hits.push_back({hit, touching.rate_before[place], touching.slow[place]});
  change_lasting(t, [this](int contact) { return touching.tail(place_of(contact), options.restitution); });
  return std::nullopt;
}

// p+ of all that touch, and what lasts then.
std::optional<Failure> ContactStepper::reflect(double t, double rest, const Spent& leg) {
  p_before = z.p;
  const double H = hamiltonian(t);
  if (!touching.reflect(z.q, z.p, options.restitution).ok)
    return about_touched("the contacts that close together squeeze the system: no impulse opens all of them",
                         touching.rates.rate.minCoeff());
  if (!touching.choose_lasting(t, z.q, z.p, next_lasting)) return squeezed();
  J = z.p - p_before;
  if (!touching.project(t, z.q, z.p, touching.tangential)) return about_touched(describe(Status::singular));
  const double loss = H - hamiltonian(t);
  const auto leave = [this, t](double s, Values& p) {
    p = p_before + s * J;
    touching.project(t, z.q, p, touching.tangential);
  };
  const double s = energy.scale({t, rest, p_before, J, z, next_lasting, leg, loss}, leave);
  if (s != 1) leave(s, z.p);
  return std::nullopt;
}

std::optional<Failure> ContactStepper::refuse_lasting(const std::vector<int>& pressed) const {
  if (options.lasting) return std::nullopt;
  for (const int i : pressed)
    if (touching.push_of(i) > 0) return stays_closed(i);
  return std::nullopt;
}
Failure ContactStepper::stays_closed(int contact) const {
  return {"a contact stays closed, or impacts accumulate on it; the event-driven stepper has no lasting contact",
          gaps[contact], system.contact_name(contact)};
}

std::size_t ContactStepper::place_of(int contact) const {
  return static_cast<std::size_t>(std::lower_bound(touched.begin(), touched.end(), contact) - touched.begin());
}

// C becomes what was chosen; tells what changed.
void ContactStepper::change_lasting(double t, const Tail& tail) {
  for (const int i : lasting)
    if (!contains(next_lasting, i)) changes.push_back({t, i, false, t});
  for (const int i : next_lasting)
    if (!contains(lasting, i)) changes.push_back({t, i, true, t + tail(i)});
  lasting = next_lasting;
}

void ContactStepper::record(double t, int hit) {
  const double impulse = (z.p - p_before).norm();
  if (impulse == 0) return;  // it came along the wall
  Impact& impact = impacts.add();
  impact.t = t, impact.q = z.q, impact.p_before = p_before, impact.p_after = z.p;
  impact.impulse = impulse, impact.work = 0;
  system.velocity(t, z.q, z.p, v);
  const double closing = -1e-10 * v.norm();  // as the search tells it from resting
  for (std::size_t k = 0; k < touched.size(); ++k) {
    const int place = static_cast<int>(k);
    impact.work -= touching.impulse(k) * touching.rates.gradients()[place].drift;
    if (touched[k] == hit) {
      impact.rate_before = touching.rate_before[place];
      impact.rate_after = touching.rates.gradients()[place].rate(v);
    }
    if (touched[k] == hit || touching.impulse(k) != 0 || touching.rate_before[place] < closing)
      impact.contacts.push_back(touched[k]);
  }
}

// A step without events is the flow's own.
const Stepped& ContactStepper::finish_walk(double t, const CurvePoint& last, const Spent& full, bool no_events) {
  if (no_events && full.outcome.ok()) {
    system.gaps(t, full_end.q, gaps);
    if (gaps.minCoeff() >= 0) return finished(full_end, full);
  }
  Spent spent = last.spent;
  spent.work += energy.work, spent.action = std::nan("");
  return finished(last.z, spent);
}
const Stepped& ContactStepper::finished(const Z& last, const Spent& spent) {
  result.step.z = last, result.step.action = spent.action, result.step.energy = spent.energy;
  result.step.work = spent.work, result.step.outcome = spent.outcome;
  result.failure.reset(), result.impacts = impacts.all(), result.changes = changes;
  return result;
}
const Stepped& ContactStepper::failed(const Z& at, Failure why) {
  result.step.z = at, result.failure = std::move(why), result.impacts = impacts.all(), result.changes = changes;
  return result;
}

Failure ContactStepper::no_motion(const Outcome& outcome) const {
  return {describe(outcome.status), outcome.residual, contact_names(system, lasting), "residual"};
}
Failure ContactStepper::about_touched(const char* reason, double rate) const {
  return {reason, rate, contact_names(system, touched), "gap rate"};
}
Failure ContactStepper::squeezed() const {
  const double fastest = touching.forces.bias.size() > 0 ? touching.forces.bias.minCoeff() : 0;
  return {"no forces keep the contacts that touch from closing", fastest, contact_names(system, touched),
          "gap acceleration"};
}
Failure ContactStepper::too_many() const {
  std::vector<int> names;
  for (const auto& impact : impacts.all())
    for (const int i : impact.contacts)
      if (!contains(names, i)) names.push_back(i);
  return {"more than " + std::to_string(options.most_events) +
              " impacts and releases in one step: they accumulate, or the step is far too large",
          static_cast<double>(impacts.all().size()), contact_names(system, names), "impacts"};
}

}  // namespace carom
