#include "carom/dae/dae_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

DaeStepper::DaeStepper(DaeSystem sys, const Flow& f, double step, const DaeOptions& o)
    : system(std::move(sys)),
      dae(*system.dae),
      options(o),
      h(step),
      flow(dae, o.scheme, f),
      touching(dae, step),
      events(system, flow, touching, step),
      acting(dae),
      short_bounces(dae.sizes().g) {
  if (!(h > 0)) throw InvalidInput("step", detail::to_text(h), "must be greater than 0");
  if (!(o.restitution >= 0 && o.restitution <= 1))
    throw InvalidInput("restitution", detail::to_text(o.restitution), "must be from 0 to 1");
  if (o.psi) touching.consistent.psi = *o.psi;
}

const Stepped& DaeStepper::step(double t, const Z& start) {
  impacts.clear(), changes.clear();
  result.failure.reset(), result.impacts = {}, result.changes = {};
  result.step.z = start, result.step.energy = std::nan("");
  result.step.work = result.step.friction = 0, result.step.outcome = {};
  result.stopped = false;
  now.t = t, now.y = start.q, left = h, events.stop = stop;
  if (stop) keep_before();
  if (!dae.z_of(now.y, start.p, now.z))
    return failed(Failure{"p(y, z) cannot be solved for z", std::nan(""), ""});
  if (!begun)
    if (auto why = begin()) return failed(*why);
  for (int count = 0; left > 0; ++count) {
    if (count > options.most_events)
      return failed(Failure{"more than " + std::to_string(options.most_events) +
                                " take-offs, landings and stops in one step: they accumulate",
                            left, ""});
    const auto why = at_rest ? stay() : advance();
    if (is_to_stop()) return interrupted();
    if (why) return failed(*why);
  }
  dae.motion(now.t, now.y, now.z, motion);
  result.step.z.q = now.y, result.step.z.p = motion.p;
  result.impacts = impacts, result.changes = changes;
  return result;
}

void DaeStepper::keep_before() {
  before.begun = begun, before.at_rest = at_rest, before.lasting = now.lasting;
  before.Psi0 = flow.euler.Psi0, before.Psi1 = flow.euler.Psi1, before.psi = touching.consistent.psi;
  before.halved = halved, before.landings = events.landings;
}

// On request: the step has not been taken.
const Stepped& DaeStepper::interrupted() {
  begun = before.begun, at_rest = before.at_rest, now.lasting = before.lasting;
  flow.euler.Psi0 = before.Psi0, flow.euler.Psi1 = before.Psi1, touching.consistent.psi = before.psi;
  halved = before.halved, events.landings = before.landings;
  result.stopped = true;
  return result;
}

// To the next event, or to the end of the step; over a part of the way where the flow fails.
std::optional<Failure> DaeStepper::advance() {
  face_forward();
  double reach = left;
  for (int halvings = 0;; ++halvings, ++halved, reach *= 0.5) {
    if (is_to_stop()) return std::nullopt;
    Outcome out = go(reach);
    DaeEvent event{reach, DaeEvent::Kind::none, -1};
    double work = flow.work, friction_work = flow.friction;
    if (out.ok() && touched()) event = events.first(now, reach, y1, z1);
    const bool known = event.kind != DaeEvent::Kind::unknown;
    if (out.ok() && known && event.tau > 0 && event.tau < reach)
      out = go(event.tau), work = flow.work, friction_work = flow.friction;
    if (out.ok() && known) {
      if (event.tau > 0) result.step.work += work, result.step.friction += friction_work;
      result.step.outcome.iterations += out.iterations;
      return arrive(event);
    }
    if (halvings == most_halvings)
      return Failure{describe(known ? out.status : Status::no_convergence), out.residual, ""};
  }
}

std::optional<Failure> DaeStepper::arrive(const DaeEvent& event) {
  if (event.tau > 0) now.y = y1, now.z = z1, now.t += event.tau;
  left = event.tau == left ? 0 : left - event.tau;
  switch (event.kind) {
    case DaeEvent::Kind::take_off:
      release(event.contact);
      break;
    case DaeEvent::Kind::stop:
      // What turned aside goes on.
      return size_of(now.z) <= 1e-6 * size_of(z_start) ? come_to_rest() : judge_friction();
    case DaeEvent::Kind::landing:
      return land(event.contact);
    case DaeEvent::Kind::none:
    case DaeEvent::Kind::unknown:
      return judge_friction();
  }
  return std::nullopt;
}

// Behind a part of the way without a stop friction is what it was, and takes energy.
std::optional<Failure> DaeStepper::judge_friction() {
  if (!events.rubs(now) || now.z.isZero(0) || z_start.isZero(0)) return std::nullopt;
  if (acting.turns(y_start, z_start, now.y, now.z, held())) return not_as_a_whole();
  if (!touching.consistent(now.t, now.y, now.z, held(), 1).ok()) return std::nullopt;
  const double power = dae.friction_power(now.y, now.z, touching.consistent.psi);
  dae.motion(now.t, now.y, now.z, motion);
  if (power > 1e-9 * now.z.dot(motion.p) / h) return driving(power);
  return std::nullopt;
}

Outcome DaeStepper::go(double tau) {
  y1 = now.y, z1 = now.z;
  return flow(now.t, tau, held(), y1, z1);
}

// Friction opposes the motion from here on.
void DaeStepper::face_forward() {
  z_start = now.z, y_start = now.y;
  flow.euler.has_way = events.rubs(now);
  if (!flow.euler.has_way) return;
  dae.motion(now.t, now.y, now.z, motion);
  flow.euler.way.noalias() = motion.p_z * now.z;
}

// What touches at the start: contacts that last, and rest.
std::optional<Failure> DaeStepper::begin() {
  begun = true;
  touching.find(now.t, now.y, now.z, candidates);
  return choose_lasting(0);
}

// Holds what of `candidates` is pressed from now on; rests where nothing moves.
std::optional<Failure> DaeStepper::choose_lasting(double tail) {
  if (!touching.choose_lasting(now.t, now.y, now.z, candidates, friction())) return no_multipliers();
  const auto tell = [this](const std::vector<int>& some, const std::vector<int>& others, bool begins,
                           double settled) {
    for (const int i : some)
      if (std::find(others.begin(), others.end(), i) == others.end())
        changes.push_back({now.t, ordinal(i), begins, settled});
  };
  tell(candidates, now.lasting, true, now.t + tail), tell(now.lasting, candidates, false, now.t);
  now.lasting = candidates;
  guess();
  if (friction() == 0 && events.rubs(now)) return come_to_rest();
  return std::nullopt;
}

// None where nothing moves: it has no direction there.
double DaeStepper::friction() {
  dae.motion(now.t, now.y, now.z, motion);
  return motion.v.isZero(0) ? 0 : 1;
}

// Where Newton's method for the next steps starts: the consistent multipliers, and for the inconsistent
// ones what they were, if they were.
void DaeStepper::guess() {
  if (!touching.consistent(now.t, now.y, now.z, held(), friction()).ok()) return;
  for (const int i : held()) {
    flow.euler.Psi1[i] = touching.consistent.psi[i];
    if (flow.euler.Psi0[i] == 0) flow.euler.Psi0[i] = touching.consistent.psi[i];
  }
}

void DaeStepper::release(int i) {
  now.lasting.erase(std::find(now.lasting.begin(), now.lasting.end(), i));
  changes.push_back({now.t, ordinal(i), false, now.t});
}

int DaeStepper::ordinal(int i) const {  // among the gaps
  return static_cast<int>(std::find(system.one_sided.begin(), system.one_sided.end(), i) -
                          system.one_sided.begin());
}

std::optional<Failure> DaeStepper::land(int contact) {
  closing.assign(1, contact);
  z_before = now.z;
  dae.motion(now.t, now.y, now.z, motion);
  p_before = motion.p;
  if (!strike(options.restitution)) return no_impact(contact);
  double tail = 0;
  const bool lasts = settles(contact, tail);
  if (lasts && options.restitution > 0) {
    now.z = z_before;
    if (!strike(0)) return no_impact(contact);
  }
  candidates = now.lasting;
  if (lasts) candidates.insert(std::lower_bound(candidates.begin(), candidates.end(), contact), contact);
  if (lasts && options.restitution < 1 && !settle_lifted()) return no_impact(contact);
  record(contact);
  std::erase_if(candidates, [this](int i) { return is_lifted(i); });
  if (size_of(now.z) <= 1e-12 * size_of(z_before)) now.z.setZero();
  if (touching.rubbed) {
    const auto& at = touching.with_joints({contact});
    acting.look(now.t, now.y, at, h);
    const bool slides_on = touching.share == 1 && !acting.turns(now.y, touching.along, now.y, now.z, at);
    if (!acting.everywhere && !slides_on) return not_as_a_whole();
  }
  return choose_lasting(tail);
}

// The largest velocity, in units of the coordinates against each other.
double DaeStepper::size_of(const Values& z) {
  dae.motion(now.t, now.y, z, motion);
  CoordinateUnits units;
  units.measure(motion);
  return units.largest(z);
}

// Of `motion` before the impact, which rates are small against.
bool DaeStepper::is_lifted(int i) const {
  return constraint.c[i] > 1e-10 * rate_scale(dae, constraint, motion, i);
}

// What a landing lifts for a time too short to be followed stays, as in a corner into which a body slides
// from one wall to the other and back, ever more slowly.
bool DaeStepper::settle_lifted() {
  dae.motion(now.t, now.y, z_before, motion), dae.constraint(now.y, now.z, constraint);
  on.clear(), lifted.clear();
  for (const int i : candidates) (is_lifted(i) ? lifted : on).push_back(i);
  bool any = false;
  for (const int i : lifted) {
    const double away = constraint.c[i];
    const auto a = touching.acceleration(now.t, now.y, now.z, on, i);
    any = any || (a && 2 * away <= -options.shortest_bounce * h * *a);
  }
  return !any || touching.settle(now.y, now.z, candidates);
}

bool DaeStepper::strike(double restitution) {
  return touching.impact(now.y, now.z, closing, now.lasting, restitution);
}

// Whether the bounce that follows is too short to be followed; `tail`: how long all of them would take.
bool DaeStepper::settles(int contact, double& tail) {
  dae.constraint(now.y, now.z, constraint);
  const double away = constraint.c[contact], e = options.restitution;
  if (e == 0 || away <= 0) return true;
  const auto a = touching.acceleration(now.t, now.y, now.z, now.lasting, contact);
  if (e == 1 || !a || !(*a < 0)) return false;
  const double bounce = -2 * away / *a;
  short_bounces.sees(contact, touching.before[contact] * touching.before[contact]);
  if (bounce > options.shortest_bounce * h) return false;
  short_bounces.loses(contact, away * away);
  tail = bounce / (1 - e);
  return true;
}

void DaeStepper::record(int contact) {
  dae.motion(now.t, now.y, now.z, motion), dae.constraint(now.y, now.z, constraint);
  const double change = (motion.p - p_before).norm(), rate = touching.before[contact];
  if (rate < 0) {
    impacts.push_back({now.t, {}, now.y, p_before, motion.p, change, rate, constraint.c[contact]});
    impacts.back().contacts.push_back(ordinal(contact));
  }
  dae.motion(now.t, now.y, z_before, motion);  // rates are small against those before
}

std::optional<Failure> DaeStepper::come_to_rest() {
  auto next = touching.hold(now.t, now.y, now.lasting, now.z);
  while (next == DaeTouching::Hold::opens) {
    release(touching.opened);
    next = touching.hold(now.t, now.y, now.lasting, now.z);
  }
  at_rest = next == DaeTouching::Hold::rests;
  if (!at_rest) guess();
  if (!events.rubs(now)) return std::nullopt;
  acting.look(now.t, now.y, held(), h);
  if (acting.drives) return driving(0);
  if (!acting.everywhere && !(at_rest && touching.unpushed)) return not_as_a_whole();
  return std::nullopt;
}

// To the end of the step, or until a force that depends on time moves it.
std::optional<Failure> DaeStepper::stay() {
  Values moved = now.z;
  const auto holds = [&](double tau) {
    return touching.hold(now.t + tau, now.y, now.lasting, moved) == DaeTouching::Hold::rests;
  };
  if (!dae.depends_on_time() || holds(left)) {
    now.t += left, left = 0;
    return std::nullopt;
  }
  double low = 0, high = left;
  while (high - low > 1e-15 * h) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (holds(middle) ? low : high) = middle;
  }
  now.t += high, left = high >= left ? 0 : left - high;
  return come_to_rest();
}

Failure DaeStepper::no_multipliers() const {
  return {"no unique multipliers keep the constraints: g_y v_z r_psi is singular, or r has no root",
          touching.consistent.condition(), ""};
}

Failure DaeStepper::no_impact(int contact) const {
  return {"no impulses keep the constraints at an impact", touching.before[contact],
          dae.constraint_name(contact), "gap rate"};
}

std::string DaeStepper::held_names() const {
  std::string names;
  for (const int i : now.lasting) names += (names.empty() ? "" : "\", \"") + dae.constraint_name(i);
  return names;
}

Failure DaeStepper::not_as_a_whole() const {
  return {
      "something could move that this friction does not act on, and friction of the motion as a whole does "
      "not say what "
      "sticks then: give the contacts mu and slide in [system.contacts]",
      now.z.norm(), held_names(), "speed"};
}

Failure DaeStepper::driving(double power) const {
  return {
      "friction drives the motion, as belts and wrong signs do: give the contacts mu and slide in "
      "[system.contacts]",
      power, held_names(), "power"};
}

const Stepped& DaeStepper::failed(const Failure& why) {
  result.failure = why;
  return result;
}

}  // namespace carom
