// The contact stepper: impacts located inside of the step, and contacts that last carried along as
// constraints. No contact is passed, and the energy has no trend.
//
//   state: z, the lasting contacts C, and E, the shadow energy of the run
//   z1 = Φ^C_h(z); if every other gap stays clearly open and C stays pressed, that is the step. Otherwise
//     the first event on the fractional flow with C held:                          event_search.hpp
//       release: C loses what is no longer pressed                                 contact_forces.hpp
//       impact:  J = reflection of p- by all that touch; C' = what lasts then      touching.hpp
//                p+ = P_C'(p- + s J), s from the energy of the law                 kept_energy.hpp
//     again from there
//
// Tested in tests/laws/contact_laws_test.cpp.
#pragma once

#include <cassert>

#include "carom/contact/event_search.hpp"
#include "carom/contact/kept_energy.hpp"
#include "carom/contact/mechanism_system.hpp"
#include "carom/contact/open_contacts.hpp"
#include "carom/contact/touching.hpp"
#include "carom/stepper.hpp"

namespace carom {

struct ContactOptions {
  enum class Law { continuous_energy, shadow } law = Law::shadow;
  int order = 8;  // of the shadow energy
  double restitution = 1;
  int most_events = 1000;  // in one step; more means that they accumulate
};

class ContactStepper {
 public:
  using Z = State<double, Eigen::Dynamic>;

  ContactStepper(MechanismSystem sys, const SteadyFlow& f, const ContactOptions& o)
      : system(std::move(sys)),
        mechanism(*system.mechanism),
        flow(f),
        options(o),
        held(mechanism),
        motion(held, flow),
        search(mechanism, motion),
        open(mechanism),
        touching(mechanism, flow.h),
        energy(mechanism, held, flow, options.order, options.restitution),
        free(mechanism.free_step(flow)),
        v(mechanism.size()),
        Lq(mechanism.size()),
        Lv(mechanism.size()) {
    validate();
  }
  ContactStepper(const ContactStepper&) = delete;  // its parts refer to each other
  ContactStepper& operator=(const ContactStepper&) = delete;

  // The result is good until the next step.
  const SteppedState<MechanismSystem>& step(double t, const Z& start) {
    impacts.clear(), changes.clear();
    if (!begun)
      if (auto why = begin(t, start)) return failed(start, *why);
    if (lasting.empty() && changes.empty() && free && (*free)(t, start, result.step)) return untouched();
    z = start;
    const Spent full = held(flow.forward, t, flow.h, z, lasting, HeldFlow::Hold::bilateral);
    if (full.outcome.ok() && open.stay(start, z, lasting, flow.h) &&
        touching.pressed(t + flow.h, z.q, z.p, lasting))
      return finished(z, full);
    full_end = z;
    return walk(t, start, full);
  }

  // What a resumed run needs.
  void numbers(auto&& f) {
    energy.numbers(f);
    std::int64_t count = static_cast<std::int64_t>(lasting.size()), started = begun;
    f(started), f(count);
    lasting.resize(static_cast<std::size_t>(count));
    for (int& contact : lasting) {
      std::int64_t i = contact;
      f(i);
      contact = static_cast<int>(i);
    }
    begun = started != 0;
  }

  std::int64_t solves() const { return energy.solves; }
  std::int64_t fallbacks() const { return energy.fallbacks; }  // impacts whose energy had no root near H's
  double uncertainty() const { return energy.uncertainty; }    // of the shadow energy: between two orders
  const std::vector<int>& lasting_contacts() const { return lasting; }

 private:
  using Kind = PartialMotion::Kind;
  using Found = EventSearch::Kind;
  struct Hit {
    int contact;
    double rate, slow;
  };
  static double no_tail(int) { return 0; }

  void validate() const {
    if (!(flow.h > 0)) throw InvalidInput("step", detail::to_text(flow.h), "must be greater than 0");
    for (const Substep& substep : flow.forward.substeps)
      if (!std::holds_alternative<Rule>(substep.block))
        throw InvalidInput("flow", flow.forward.name, "has no steps along contacts; take a quadrature rule");
    if (options.order < 2 || options.order >= most_shadow_nodes || options.order % 2 != 0)
      throw InvalidInput("order", std::to_string(options.order), "must be even, from 2 to 16");
    if (!(options.restitution >= 0 && options.restitution <= 1))
      throw InvalidInput("restitution", detail::to_text(options.restitution), "must be from 0 to 1");
  }

  bool by_shadow() const { return options.law == ContactOptions::Law::shadow; }

  // What lasts from the start on.
  std::optional<Failure> begin(double t, const Z& start) {
    begun = true;
    find_touching(start.q, -1);
    next_lasting.clear();
    if (!touched.empty() && (!touching.prepare(t, start.q, start.p, touched) ||
                             !touching.choose_lasting(t, start.q, start.p, next_lasting)))
      return squeezed();
    change_lasting(t, no_tail);
    if (by_shadow()) energy.begin(t, start, lasting);
    return std::nullopt;
  }

  // All contacts that touch at q, those that last, and `hit`.
  void find_touching(const Values& q, int hit) {
    mechanism.gaps(q, gaps);
    touched.clear();
    const double tolerance = gap_tolerance(gap_scale(q));
    for (int i = 0; i < gaps.size(); ++i)
      if (i == hit || gaps[i] <= tolerance || std::binary_search(lasting.begin(), lasting.end(), i))
        touched.push_back(i);
  }

  const SteppedState<MechanismSystem>& walk(double t, const Z& start, const Spent& full) {
    const Kind usual = by_shadow() ? Kind::composition : Kind::flow;
    energy.start(t, start, lasting);
    late.clear(), hits.clear(), struck.clear();
    z = start;
    double now = t, rest = flow.h;
    Kind kind = usual;
    for (int events = 0; events <= options.most_events;) {
      const auto& event = next_event(now, rest, kind);
      if (kind == Kind::composition && needs_flow(event)) {
        kind = Kind::flow;
        continue;
      }
      if (event.kind == Found::failed) return failed(start, no_motion(event.at.spent.outcome));
      if (event.kind == Found::clear) return finish_walk(event.at, full, events == 0);
      ++events;
      if (event.at.tau > 0) hits.clear(), struck.clear();
      if (event.kind == Found::impact && is_spent(event)) continue;
      z = event.at.z, now += event.at.tau, rest -= event.at.tau, energy.work += event.at.spent.work;
      kind = event.kind == Found::impact ? usual : Kind::flow;  // that one leaves along the momentum itself
      if (event.kind == Found::stuck) stick(now, event.contact);
      if (event.kind == Found::release) release(now);
      if (event.kind == Found::impact)
        if (auto why = resolve(now, rest, event.contact)) return failed(start, *why);
    }
    return failed(start, too_many());
  }

  // The substeps of a composition reach further than the flow, and its curve starts otherwise: in steps that
  // are too large, even into a wall that the momentum leaves.
  static bool needs_flow(const EventSearch::Event& event) {
    return event.kind == Found::failed || event.kind == Found::stuck ||
           (event.kind == Found::impact && event.rate > 0);
  }

  // At an event no contact is behind its wall; where one is, all are watched, and more closely.
  const EventSearch::Event& next_event(double now, double rest, Kind kind) {
    motion.begin(now, z, lasting, kind);
    const bool known = motion(rest, ahead).outcome.ok();
    open.choose(z, known ? &ahead : nullptr, lasting, rest, watched);
    const auto stay = [this](double t, const Z& at) { return stays(t, at); };
    const auto& event = search.first(rest, watched, struck, EventSearch::usual_samples, stay);
    if (!is_passed(event)) return event;
    open.choose(z, nullptr, lasting, rest, watched);
    search.first(rest, watched, struck, 8 * EventSearch::usual_samples, stay);
    assert(!is_passed(event));
    return event;
  }

  // Whether an event comes after a contact was passed: one that was not watched, because its gap seemed to
  // stay open. A step has to be far too large for that.
  bool is_passed(const EventSearch::Event& event) {
    if (event.kind == Found::failed || event.at.tau == 0) return false;
    mechanism.gaps(event.at.z.q, gaps);
    const double least = -gap_tolerance(gap_scale(z.q));
    if (!(gaps.size() > 0 && gaps.minCoeff() < least)) return false;
    mechanism.gaps(z.q, gaps_before);
    for (int i = 0; i < gaps.size(); ++i)
      if (gaps[i] < least && gaps_before[i] >= least && !contains(lasting, i)) return true;
    return false;
  }

  // Whether a contact that was reflected at this very instant still closes as before, so slowly that its
  // bounce would not be followed: it depends on others up to an angle that counts as none.
  bool is_spent(const EventSearch::Event& event) {
    for (const Hit& hit : hits)
      if (hit.contact == event.contact && event.rate <= 0.5 * hit.rate && -event.rate <= hit.slow) {
        struck.push_back(event.contact);
        return true;
      }
    return false;
  }

  // Whether C stays as it is at (t, z): pressed, but for what is to be held to the end of the step.
  bool stays(double t, const Z& at) {
    if (touching.pressed(t, at.q, at.p, lasting)) return true;
    const auto is_late = [this](int i) { return contains(late, i); };
    const auto& opening = touching.opening();
    return !opening.empty() && std::all_of(opening.begin(), opening.end(), is_late);
  }

  void release(double t) {
    touching.pressed(t, z.q, z.p, lasting);
    next_lasting.clear();
    for (const int i : lasting)
      if (!contains(touching.opening(), i) || contains(late, i)) next_lasting.push_back(i);
    change_lasting(t, no_tail);
  }

  // A contact whose curve does not leave it although nothing presses it stays; if it was released in this
  // step, that came too early: it is held to the end of the step.
  void stick(double t, int contact) {
    next_lasting = lasting;
    next_lasting.insert(std::upper_bound(next_lasting.begin(), next_lasting.end(), contact), contact);
    touching.project(z.q, z.p, next_lasting);
    const auto released = std::find_if(changes.begin(), changes.end(), [&](const ContactChange& change) {
      return change.contact == contact && !change.begins;
    });
    if (released == changes.end()) return change_lasting(t, no_tail);
    changes.erase(released);
    late.push_back(contact);
    lasting = next_lasting;
  }

  std::optional<Failure> resolve(double t, double rest, int hit) {
    find_touching(z.q, hit);
    if (!touching.prepare(t, z.q, z.p, touched)) return about_touched(describe(Status::singular));
    p_before = z.p;
    const double H = hamiltonian();
    if (!touching.reflect(z.q, z.p, options.restitution).ok)
      return about_touched(
          "the contacts that close together squeeze the system: no impulse opens all of them",
          touching.rates.rate.minCoeff());
    if (!touching.choose_lasting(t, z.q, z.p, next_lasting)) return squeezed();
    J = z.p - p_before;
    if (!touching.project(z.q, z.p, touching.tangential)) return about_touched(describe(Status::singular));
    energy.loss += H - hamiltonian();
    if (by_shadow()) {
      const auto leave = [this](double s, Values& p) {
        p = p_before + s * J;
        touching.project(z.q, p, touching.tangential);
      };
      const double s = energy.scale(t, rest, z, J, next_lasting, leave);
      if (s != 1) leave(s, z.p);
    }
    record(t, hit);
    const auto place = static_cast<int>(place_of(hit));
    hits.push_back({hit, touching.rate_before[place], touching.slow[place]});
    change_lasting(t, [this](int contact) { return touching.tail(place_of(contact), options.restitution); });
    return std::nullopt;
  }
  // H at z, without the memory that the mechanism's own would ask for.
  double hamiltonian() { return mechanism.hamiltonian(z.q, z.p, v, Lq, Lv); }
  std::size_t place_of(int contact) const {
    return static_cast<std::size_t>(std::lower_bound(touched.begin(), touched.end(), contact) -
                                    touched.begin());
  }

  // C becomes what was chosen; tells what changed. `tail(contact)` is how long its bounces go on unseen.
  void change_lasting(double t, const auto& tail) {
    for (const int i : lasting)
      if (!contains(next_lasting, i)) changes.push_back({t, i, false, t});
    for (const int i : next_lasting)
      if (!contains(lasting, i)) changes.push_back({t, i, true, t + tail(i)});
    lasting = next_lasting;
  }

  void record(double t, int hit) {
    const double impulse = (z.p - p_before).norm();
    if (impulse == 0) return;  // it came along the wall
    Impact<Eigen::Dynamic>& impact = impacts.add();
    impact.t = t, impact.q = z.q, impact.p_before = p_before, impact.p_after = z.p;
    impact.impulse = impulse;
    mechanism.velocity(z.q, z.p, v);
    for (std::size_t k = 0; k < touched.size(); ++k) {
      const int place = static_cast<int>(k);
      if (touched[k] == hit) {
        impact.rate_before = touching.rate_before[place];
        impact.rate_after = touching.rates.gradients()[place].dot(v);
      }
      if (touched[k] == hit || touching.impulse(k) != 0) impact.contacts.push_back(touched[k]);
    }
  }

  // A step without events is the flow's own.
  const SteppedState<MechanismSystem>& finish_walk(const CurvePoint& last, const Spent& full,
                                                   bool no_events) {
    if (no_events && full.outcome.ok()) {
      mechanism.gaps(full_end.q, gaps);
      if (gaps.minCoeff() >= 0) return finished(full_end, full);
    }
    Spent spent = last.spent;
    spent.work += energy.work, spent.action = spent.energy = std::nan("");
    return finished(last.z, spent);
  }
  const SteppedState<MechanismSystem>& finished(const Z& last, const Spent& spent) {
    result.step.z = last, result.step.action = spent.action, result.step.energy = spent.energy;
    result.step.work = spent.work, result.step.outcome = spent.outcome;
    result.failure.reset(), result.impacts = impacts.all(), result.changes = changes;
    return result;
  }
  const SteppedState<MechanismSystem>& untouched() {
    result.failure.reset(), result.impacts = {}, result.changes = {};
    return result;
  }
  const SteppedState<MechanismSystem>& failed(const Z& at, Failure why) {
    result.step.z = at, result.failure = std::move(why), result.impacts = {}, result.changes = {};
    return result;
  }

  Failure no_motion(const Outcome& outcome) const {
    return {describe(outcome.status), outcome.residual, contact_names(mechanism, lasting), "residual"};
  }
  Failure about_touched(const char* reason, double rate = 0) const {
    return {reason, rate, contact_names(mechanism, touched), "gap rate"};
  }
  Failure squeezed() const {
    const double fastest = touching.forces.bias.size() > 0 ? touching.forces.bias.minCoeff() : 0;
    return {"no forces keep the contacts that touch from closing", fastest, contact_names(mechanism, touched),
            "gap acceleration"};
  }
  Failure too_many() const {
    std::vector<int> names;
    for (const auto& impact : impacts.all())
      for (const int i : impact.contacts)
        if (!contains(names, i)) names.push_back(i);
    return {"more than " + std::to_string(options.most_events) +
                " impacts and releases in one step: they accumulate, or the step is far too large",
            static_cast<double>(impacts.all().size()), contact_names(mechanism, names), "impacts"};
  }
  static bool contains(const std::vector<int>& list, int i) {
    return std::find(list.begin(), list.end(), i) != list.end();
  }

  MechanismSystem system;
  const Mechanism& mechanism;
  SteadyFlow flow;
  ContactOptions options;
  HeldFlow held;
  PartialMotion motion;
  EventSearch search;
  OpenContacts open;
  Touching touching;
  KeptEnergy energy;
  std::unique_ptr<FreeStep> free;

  bool begun = false;
  std::vector<int> lasting;  // C, ascending
  Z z, full_end, ahead;
  std::vector<int> next_lasting, touched, watched, late;
  std::vector<Hit> hits;    // at this instant
  std::vector<int> struck;  // those of them that go by the reflection no more
  Values gaps, gaps_before, v, Lq, Lv, p_before, J;
  ImpactList<Eigen::Dynamic> impacts;
  std::vector<ContactChange> changes;
  SteppedState<MechanismSystem> result;
};

}  // namespace carom
