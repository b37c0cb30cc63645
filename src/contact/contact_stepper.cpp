#include "carom/contact/contact_stepper.hpp"

#include <cassert>

#include "carom/system/validate.hpp"

namespace carom {
namespace {

// What rubs keeps no energy that a law could keep.
ContactOptions with_friction(const System& system, ContactOptions options) {
  if (has_rough_contacts(system)) options.law = continuous_energy();
  return options;
}

bool has_rules_alone(const Flow& flow) {
  return std::all_of(flow.substeps.begin(), flow.substeps.end(),
                     [](const Substep& substep) { return std::holds_alternative<Rule>(substep.block); });
}

// The substeps of a composition reach further than the flow, and its curve starts otherwise: in steps that
// are too large, even into a wall that the momentum leaves.
bool needs_flow(const EventSearch::Event& event) {
  using Kind = EventSearch::Kind;
  return event.kind == Kind::failed || event.kind == Kind::stuck ||
         (event.kind == Kind::impact && event.rate > 0);
}

}  // namespace

ContactStepper::ContactStepper(SystemRef sys, const SteadyFlow& f, const ContactOptions& o)
    : shared(std::move(sys)),
      branched(shared->with_own_branches()),
      system(branched ? *branched : *shared),
      flow(f),
      holds_contacts(has_rules_alone(f.forward)),
      options(with_friction(system, o)),
      held(system),
      motion(system, held, flow, options.law),
      search(system, motion, flow.h),
      scales(system, flow.h),
      open(system, held.kernel()),
      touching(system, flow.h, options.lasting ? Touching::shortest_bounce : 1e-6),
      energy(system, held, flow, options.law, options.restitution),
      v(system.size()),
      Lq(system.size()),
      Lv(system.size()),
      restitution(system.contact_count()),
      short_bounces(system.contact_count()) {
  if (has_rough_contacts(system))
    friction = std::make_unique<Friction>(system, flow.h), held.rub(&friction->modes);
  validate(), validate_friction();
  result.step.z = {Values::Zero(system.size()), Values::Zero(system.size())};
  for (int i = 0; i < restitution.size(); ++i) {
    const double own = system.restitution(i);
    restitution[i] = std::isnan(own) ? options.restitution : own;
  }
  touching.set_restitutions(restitution);
  const auto most = static_cast<std::size_t>(options.most_events);
  hits.reserve(most), earlier.reserve(most), struck.reserve(most);
  for (std::vector<int>* list : {&lasting, &before.lasting}) list->reserve(restitution.size());
}

void ContactStepper::validate() const {
  if (!(flow.h > 0)) throw InvalidInput("step", detail::to_text(flow.h), "must be greater than 0");
  if ((options.lasting || system.joint_count() > 0) && !holds_contacts)
    throw InvalidInput("flow", flow.forward.name, "has no steps along contacts; take a quadrature rule");
  const int order = options.law.order;
  if (order < 2 || order >= most_shadow_nodes || order % 2 != 0)
    throw InvalidInput("order", std::to_string(order), "must be even, from 2 to 16");
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InvalidInput("restitution", detail::to_text(options.restitution), "must be from 0 to 1");
}

const Stepped& ContactStepper::step(double t, const Z& given) {
  impacts.clear(), changes.clear(), late.clear(), rubbed = 0, unchanged = 0, met_kink = false,
                                                  changed_at = std::nan("");
  before.begun = begun, before.lasting = lasting, energy.keep_counts();
  if (friction) before.modes = friction->modes, told_modes = friction->modes.mode;
  if (!begun)
    if (auto why = begin(t, given)) return failed(given, *why);
  const Z& start = jolted_at_start ? jolted_from : given;
  jolted_at_start = false;
  hold_branches(t, start.q);
  if (friction && friction->time_left(t, start, lasting) < flow.h) return walk_in_parts(t, start);
  const Spent full = full_step(t, start);
  if (system.has_conditions()) find_absent(t, start, full.outcome.ok() ? &z : nullptr);
  if (full.outcome.ok() && none_closes(t, start) && !crosses_kink(t, z) && stays(t + flow.h, z))
    return finished(full);
  full_end = z;
  return walk(t, start, full);
}

// Whether the gaps at both ends of the full step show that none can have closed in between, by more than
// rounding.
bool ContactStepper::none_closes(double t, const Z& start) {
  if (open.stay(t, start, z, lasting, flow.h)) return true;
  scales.look(t, start, open.doubtful());
  return std::all_of(open.doubtful().begin(), open.doubtful().end(),
                     [this](int i) { return open.hangs(i, flow.h, scales.rounding(i)); });
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
  if (system.has_conditions()) find_absent(t, start, nullptr);
  find_touching(t, start, -1);
  next_lasting.clear();
  if (friction) {
    if (auto why = choose_modes(t, nullptr, t)) return begun = false, why;
    return begin_rough(t), std::nullopt;
  }
  if (!touched.empty() && (!touching.prepare(t, start.q, start.p, touched) || !choose_lasting(t)))
    return squeezed();
  if (auto why = refuse_lasting(next_lasting)) return begun = false, why;
  change_lasting(t, no_tail);
  energy.begin(t, start, lasting);
  return std::nullopt;
}

// All contacts that touch there, those that last, and `hit`.
void ContactStepper::find_touching(double t, const Z& at, int hit) {
  scales.look(t, at);
  gaps = scales.gaps;
  touched.clear();
  for (int i = 0; i < gaps.size(); ++i)
    if (i == hit || (gaps[i] <= scales.touching(i) && exists(i)) ||
        std::binary_search(lasting.begin(), lasting.end(), i))
      touched.push_back(i);
}

const Stepped& ContactStepper::walk(double t, const Z& start, const Spent& full) {
  const Kind usual = options.law.part;
  energy.start(t, start, lasting);
  hits.clear(), struck.clear(), earlier.clear();
  z = start;
  double now = t, rest = flow.h;
  Kind kind = usual;
  bool in_parts = false;  // where a slip in space ends
  for (int events = 0;;) {
    if (is_to_stop()) return interrupted(start);
    double part = rest;
    if (friction)
      if (auto why = follow_ends(now, rest, part, in_parts)) return failed(start, *why);
    if (rest <= 0) {
      CurvePoint end;
      end.z = z;
      return finish_walk(t + flow.h, end, full, false);
    }
    const auto& event = next_event(now, part, kind);
    if (kind != Kind::flow && needs_flow(event)) {
      kind = Kind::flow;
      continue;
    }
    if (event.kind == Found::failed) return failed(start, no_motion(event.at.spent.outcome));
    if (event.kind == Found::flat) return failed(start, no_slope(event.contact));
    if (event.kind == Found::clear && part < rest) {
      follow_part(now, kind, event.at);
      rest -= event.at.tau, in_parts = true;
      continue;
    }
    if (event.kind == Found::clear) return finish_walk(t + flow.h, event.at, full, events == 0 && !in_parts);
    if (++events > options.most_events) return failed(start, too_many());
    if (event.kind == Found::impact && comes_along(now, event)) continue;
    if (event.at.tau > 0) hits.clear(), struck.clear();
    if (event.kind == Found::impact && is_spent(event)) continue;
    if (is_met_in_vain(now, rest, event)) {
      absent[static_cast<std::size_t>(event.contact)] = 1;
      continue;
    }
    energy.add_leg(now, z, lasting, kind, event.at.tau, event.at.spent.work);
    rubbed += friction_of(event.at);
    z = event.at.z, now += event.at.tau, rest -= event.at.tau;
    if (event.kind == Found::impact)
      if (const char* why = system.unclear_contact(now, z.q, event.contact))
        return failed(start, {why, event.rate, system.contact_name(event.contact), "gap rate"});
    kind = event.kind == Found::impact ? usual : Kind::flow;  // that one leaves along the momentum itself
    std::optional<Failure> why;
    if (event.kind == Found::release) drop_ended(now);
    if (event.kind == Found::stuck)
      why = friction ? hold_stuck(now, event.contact) : stick(now, event.contact);
    if (event.kind == Found::release && friction) why = change_modes(now);
    if (event.kind == Found::release && !friction) release(now);
    // Right behind a kink the contact is met anew, with the slope that it has there.
    if (event.kind == Found::kink) hold_branches(now, z.q), met_kink = true;
    if (event.kind == Found::impact || event.kind == Found::kink)
      why = resolve(now, rest, event.contact, event.at.spent);
    if (why) return failed(start, *why);
    hold_branches(now, z.q);
  }
}

// At an event no contact is behind its wall; where one is, all are watched, and more closely.
const EventSearch::Event& ContactStepper::next_event(double now, double rest, Kind kind) {
  motion.begin(now, z, lasting, kind);
  const bool known = motion(rest, part_end).outcome.ok();
  open.choose(now, z, known ? &part_end : nullptr, lasting, rest, watched);
  const auto stay = [this](double t, const Z& at) { return stays(t, at); };
  drop_absent(watched);
  const auto& event = search.first(rest, watched, struck, EventSearch::usual_samples, stay);
  if (!is_passed(now, event)) return event;
  open.choose(now, z, nullptr, lasting, rest, watched);
  drop_absent(watched);
  search.first(rest, watched, struck, 8 * EventSearch::usual_samples, stay);
  assert(!is_passed(now, event));
  return event;
}

// Whether an event comes after a contact was passed: one that was not watched, because its gap seemed to stay
// open. A step has to be far too large for that.
bool ContactStepper::is_passed(double now, const EventSearch::Event& event) {
  if (event.kind == Found::failed || event.at.tau == 0) return false;
  system.gaps(now + event.at.tau, event.at.z.q, gaps);
  if (!(gaps.size() > 0 && gaps.minCoeff() < 0)) return false;
  scales.look(now, z);
  for (int i = 0; i < gaps.size(); ++i) {
    const double least = -scales.touching(i);
    if (gaps[i] < least && scales.gaps[i] >= least && !contains(lasting, i) && exists(i)) return true;
  }
  return false;
}

// Whether a contact that was reflected at this very instant still closes as before, so slowly that its bounce
// would not be followed, or again and again: it depends on others up to an angle that counts as none.
bool ContactStepper::is_spent(const EventSearch::Event& event) {
  int in_vain = 0;
  for (const Hit& hit : hits)
    if (hit.contact == event.contact && event.rate <= 0.5 * hit.rate)
      in_vain += -event.rate <= hit.slow ? 20 : 1;
  if (in_vain < 20) return false;
  struck.push_back(event.contact);
  return true;
}

// Whether a contact that touches closes by what is nothing beside all that it is coupled to.
bool ContactStepper::comes_along(double now, const EventSearch::Event& event) {
  if (contains(struck, event.contact)) return false;
  scales.look(now, z);
  if (scales.gaps[event.contact] > scales.touching(event.contact)) return false;
  alone.assign(1, event.contact);
  if (!touching.prepare(now + event.at.tau, event.at.z.q, event.at.z.p, alone) ||
      !touching.rates.is_tangent(0))
    return false;
  struck.push_back(event.contact);
  return true;
}

// Whether C stays as it is at (t, z): pressed, but for what is to be held to the end of the step.
bool ContactStepper::stays(double t, const Z& at) {
  if (!holds(t, at, lasting)) return false;
  if (friction) return stays_rough(t, at);
  if (touching.pressed(t, at.q, at.p, lasting)) return true;
  const auto is_late = [this](int i) { return contains(late, i); };
  const auto& opening = touching.opening();
  return !opening.empty() && std::all_of(opening.begin(), opening.end(), is_late);
}

std::optional<Failure> ContactStepper::resolve(double t, double rest, int hit, const Spent& leg) {
  if (friction) return resolve_rough(t, rest, hit);
  find_touching(t, z, hit);
  if (system.has_conditions())
    std::erase_if(touched, [&](int i) { return i != hit && !holds(t, z, {&i, 1}); });
  e.resize(static_cast<Eigen::Index>(touched.size()));
  for (std::size_t k = 0; k < touched.size(); ++k) e[static_cast<int>(k)] = restitution[touched[k]];
  const bool lossy = (e.array() < 1).any();
  if ((lossy && !touching.find_pressed(t, z.q, z.p, lasting, touched)) ||
      !touching.prepare(t, z.q, z.p, touched))
    return about_touched(describe(Status::singular));
  if (lossy && !touching.slow_down_less()) return about_touched(describe(Status::singular));
  if (lossy) stop_quick_bounces(t, rest), count_short_bounces();
  if (auto why = reflect(t, rest, leg)) return why;
  record(t, hit);
  if (auto why = refuse_lasting(next_lasting)) return why;
  const auto place = static_cast<int>(place_of(hit));
  hits.push_back({hit, touching.rate_before[place], touching.slow[place], t});
  earlier.push_back(hits.back());
  change_lasting(t, [this](int contact) { return touching.tail(place_of(contact), restitution[contact]); });
  return std::nullopt;
}

// Bounces that accumulate give back nothing where what is left of them is too short to be followed.
void ContactStepper::stop_quick_bounces(double t, double rest) {
  for (std::size_t k = 0; k < touched.size(); ++k)
    if (accumulates(touched[k], t, rest)) touching.stop(static_cast<int>(k));
}

// Bounces that become shorter by a factor, also where it is another body that ends them: what is left of
// lengths ..., d', d is d + d r + ... = d/(1 - r), r = d/d'. Where there are many of them, it may take the
// rest of the step. Between walls at rest they become longer, and never end.
bool ContactStepper::accumulates(int contact, double t, double rest) const {
  constexpr int many = 50;
  constexpr double at_once = 1e-13;  // of the step: again at the same instant
  int count = 0;
  double last = t, lengths[2] = {0, 0};
  for (auto hit = earlier.rbegin(); hit != earlier.rend() && count < many; ++hit) {
    if (hit->contact != contact) continue;
    if (count < 2) lengths[count] = last - hit->t, last = hit->t;
    ++count;
  }
  const auto [now, before_that] = lengths;
  if (count > 0 && now <= at_once * flow.h) return true;
  if (count < 2 || !(now < before_that)) return false;
  const double left = now * before_that / (before_that - now);
  return left <= touching.shortest() || (count == many && left <= rest);
}

void ContactStepper::count_short_bounces() {
  touching.rates.measure_units(z.p, touching.rates.v);
  for (std::size_t k = 0; k < touched.size(); ++k) {
    const int place = static_cast<int>(k);
    const double strength = touching.rates.strength_of(place), rate = touching.rates.rate[place];
    if (!(strength > 0) || !touching.rates.approaches(place)) continue;
    const double norm = touching.rates.unit_norm(place), back = e[place] * rate / strength;
    short_bounces.sees(touched[k], norm * norm);
    if (-rate <= touching.slowest_followed(place)) short_bounces.loses(touched[k], back * back);
  }
}

// p+ of all that touch, and what lasts then.
std::optional<Failure> ContactStepper::reflect(double t, double rest, const Spent& leg) {
  p_before = z.p;
  const double H = system.quadratic() ? 0 : hamiltonian(t);
  if (!touching.reflect(z.q, z.p, e).ok)
    return about_touched("the contacts that close together squeeze the system: no impulse opens all of them",
                         touching.rates.rate.minCoeff());
  if (!choose_lasting(t)) return squeezed();
  J = z.p - p_before;
  if (!touching.project(t, z.q, z.p, touching.tangential)) return about_touched(describe(Status::singular));
  lost = system.quadratic() ? kinetic_loss(t) : H - hamiltonian(t);
  const auto push = [this, t](const Values& impulse, Values& p) {
    p = p_before + impulse;
    touching.project(t, z.q, p, touching.tangential);
  };
  const auto found = energy.found();
  energy.scale({t, rest, p_before, J, z, next_lasting, leg, lost}, push, z.p);
  by_law_energy = energy.found() > found;
  return std::nullopt;
}

// What an impulse takes where L is quadratic in v, -Δp·(v- + v+)/2: whatever else moves does not blur it.
double ContactStepper::kinetic_loss(double t) {
  system.velocity(t, z.q, p_before, v), system.velocity(t, z.q, z.p, Lv);
  double sum = 0;
  for (int i = 0; i < v.size(); ++i) sum -= 0.5 * (z.p[i] - p_before[i]) * (v[i] + Lv[i]);
  return sum;
}

std::size_t ContactStepper::place_of(int contact) const {
  return static_cast<std::size_t>(std::lower_bound(touched.begin(), touched.end(), contact) -
                                  touched.begin());
}

void ContactStepper::record(double t, int hit) {
  const double impulse = (z.p - p_before).norm();
  bool pushed = false;
  for (std::size_t k = 0; k < touched.size(); ++k) pushed = pushed || touching.impulse(k) != 0;
  if (impulse == 0 || !pushed) return;  // it came along the wall
  Impact& impact = impacts.add();
  impact.t = t, impact.q = z.q, impact.p_before = p_before, impact.p_after = z.p;
  impact.impulse = impulse, impact.work = 0;
  system.velocity(t, z.q, z.p, v);
  for (std::size_t k = 0; k < touched.size(); ++k) {
    const int place = static_cast<int>(k);
    impact.work -= touching.impulse(k) * touching.rates.gradients()[place].drift;
    if (touched[k] == hit) {
      impact.rate_before = touching.rate_before[place];
      impact.rate_after = touching.rates.gradients()[place].rate(v);
    }
    if (touched[k] == hit || touching.impulse(k) != 0 || touching.approached(place))
      impact.contacts.push_back(touched[k]);
  }
  impact.loss = lost + impact.work, impact.by_law_energy = by_law_energy;
}

// A step without events is the flow's own.
const Stepped& ContactStepper::finish_walk(double t, const CurvePoint& last, const Spent& full,
                                           bool no_events) {
  if (no_events && full.outcome.ok()) {
    system.gaps(t, full_end.q, gaps);
    bool behind = false;
    for (int i = 0; i < gaps.size(); ++i) behind = behind || (gaps[i] < 0 && exists(i));
    z = full_end;
    if (!behind) return finished(full);
  }
  Spent spent = last.spent;
  spent.work += energy.work(), spent.friction = no_events ? spent.friction : friction_of(last) + rubbed,
                               spent.action = std::nan("");
  z = last.z;
  return finished(spent);
}
// At z, which is not copied: the next step begins with another one.
const Stepped& ContactStepper::finished(const Spent& spent) {
  z.q.swap(result.step.z.q), z.p.swap(result.step.z.p);
  result.step.action = spent.action, result.step.energy = spent.energy;
  result.step.work = spent.work, result.step.friction = spent.friction, result.step.outcome = spent.outcome;
  result.failure.reset(), result.stopped = false, result.impacts = impacts.all(), result.changes = changes;
  return result;
}
const Stepped& ContactStepper::failed(const Z& at, Failure why) {
  energy.recount();  // its impacts do not count
  result.step.z = at, result.stopped = false, result.failure = std::move(why), result.impacts = impacts.all(),
  result.changes = changes;
  return result;
}

const Stepped& ContactStepper::interrupted(const Z& at) {
  begun = before.begun, lasting = before.lasting;
  if (friction) friction->modes = before.modes;
  failed(at, {});
  result.failure.reset(), result.stopped = true;
  return result;
}

}  // namespace carom
