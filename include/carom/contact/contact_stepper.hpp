// The contact stepper: impacts located inside of the step, and contacts that last carried along as
// constraints. No contact is passed, and the energy has no trend.
//
//   state: z, the lasting contacts C, and E, the shadow energy of the run
//   z1 = Φ^C_h(z); if every other gap stays clearly open and C stays pressed, that is the step. Otherwise
//     the first event on the fractional flow with C held:                          event_search.hpp
//       release: C loses what is no longer pressed                                 contact_forces.hpp
//       impact:  J = reflection of p- by all that touch; C' = what lasts then      touching.hpp
//                p+ = P_C'(p- + s J), s with H~(end of the step, C' held) = E
//     again from there
//
// E is taken once, at the start of the run. With losses or forces there is no such number: then the shadow
// energy is compared from the step's start to its end, less what the impact took, as long as C = C'; else s =
// 1. Tested in tests/laws/contact_laws_test.cpp.
#pragma once

#include "carom/contact/event_search.hpp"
#include "carom/contact/mechanism_system.hpp"
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
        trial_motion(held, flow),
        search(mechanism, motion),
        touching(mechanism, flow.h),
        free(mechanism.free_step(flow)),
        v(mechanism.size()) {
    validate();
  }
  ContactStepper(const ContactStepper&) = delete;
  ContactStepper& operator=(const ContactStepper&) = delete;

  SteppedState<MechanismSystem> step(double t, const Z& start) {
    impacts.clear(), changes.clear();
    if (!begun && !begin(t, start)) return failure(start, Failure{cannot_rest, 0, contact_names(touched)});
    if (lasting.empty() && changes.empty() && free && (*free)(t, start, result.step)) return without_events();
    z = start;
    const Spent full = held(flow.forward, t, flow.h, z, lasting, HeldFlow::Hold::bilateral);
    if (full.outcome.ok() && stay_open(start, z) && touching.pressed(t + flow.h, z.q, z.p, lasting))
      return finished(z, full);
    full_end = z;
    return walk(t, start, full);
  }

  // What a resumed run needs.
  void numbers(auto&& f) {
    double anchor = E.value_or(std::nan(""));
    std::int64_t count = static_cast<std::int64_t>(lasting.size()), started = begun;
    f(solves), f(fallbacks), f(uncertainty), f(anchor), f(started), f(count);
    lasting.resize(static_cast<std::size_t>(count));
    for (int& contact : lasting) {
      std::int64_t i = contact;
      f(i);
      contact = static_cast<int>(i);
    }
    begun = started != 0;
    E = std::isnan(anchor) ? std::nullopt : std::optional(anchor);
  }

  std::int64_t solves = 0;     // evaluations of the shadow energy
  std::int64_t fallbacks = 0;  // impacts that kept H instead, because the shadow energy had no root near it
  double uncertainty = 0;      // of the shadow energy: how far it was at most from that of two orders less
  const std::vector<int>& lasting_contacts() const { return lasting; }

 private:
  static constexpr const char* cannot_rest = "no forces keep the contacts that touch from closing";

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
  bool keeps_anchor() const { return by_shadow() && options.restitution == 1 && !mechanism.forced(); }

  // What lasts from the start on.
  bool begin(double t, const Z& start) {
    begun = true;
    find_touching(start.q, -1);
    next_lasting.clear();
    if (!touched.empty() && (!touching.prepare(t, start.q, start.p, touched) ||
                             !touching.choose_lasting(t, start.q, next_lasting)))
      return false;
    change_lasting(t, [](int) { return 0.0; });
    if (keeps_anchor()) {
      E = shadow_energy(t, start, lasting);
      if (!std::isfinite(*E)) E.reset();
    }
    return true;
  }

  // All contacts that touch at q, those that last, and `hit`.
  void find_touching(const Values& q, int hit) {
    mechanism.gaps(q, gaps);
    touched.clear();
    const double tolerance = gap_tolerance(gap_scale(q));
    std::size_t next = 0;
    for (int i = 0; i < gaps.size(); ++i) {
      while (next < lasting.size() && lasting[next] < i) ++next;
      const bool lasts = next < lasting.size() && lasting[next] == i;
      if (i == hit || lasts || gaps[i] <= tolerance) touched.push_back(i);
    }
  }

  // Whether no other gap than those of C closes within the step, by values and rates at its ends.
  bool stay_open(const Z& start, const Z& end) {
    measure(start, before);
    measure(end, after);
    for (int i = 0; i < before.gap.size(); ++i)
      if (!before.lasts[i] && !open_between(i, flow.h)) return false;
    return true;
  }
  bool open_between(int i, double length) const {
    if (before.gap[i] == HUGE_VAL && after.gap[i] == HUGE_VAL) return true;  // too far away to matter
    return stays_open(before.gap[i], before.rate[i] * length, after.gap[i], after.rate[i] * length);
  }

  struct Gaps {
    Z z;
    Values gap, rate;
    std::vector<char> lasts;
  };
  void measure(const Z& at, Gaps& r) {
    if (after.z.q.size() == at.q.size() && &r == &before && after.z.q == at.q && after.z.p == at.p) {
      std::swap(before, after);
    } else {
      r.z = at;
      mechanism.gaps(at.q, r.gap);
      mechanism.velocity(at.q, at.p, v);
      everything.resize(static_cast<std::size_t>(r.gap.size()));
      for (std::size_t i = 0; i < everything.size(); ++i) everything[i] = static_cast<int>(i);
      slopes.clear();
      mechanism.gap_slopes(at.q, everything, slopes);
      r.rate.resize(r.gap.size());
      for (int i = 0; i < slopes.size(); ++i) r.rate[i] = slopes[i].dot(v);
    }
    r.lasts.assign(static_cast<std::size_t>(r.gap.size()), 0);
    for (const int i : lasting) r.lasts[i] = 1;
  }

  SteppedState<MechanismSystem> finished(const Z& end, const Spent& spent) {
    result.step.z = end, result.step.action = spent.action, result.step.energy = spent.energy;
    result.step.work = spent.work, result.step.outcome = spent.outcome;
    result.failure.reset(), result.impacts = impacts, result.changes = changes;
    return result;
  }
  const SteppedState<MechanismSystem>& without_events() {
    result.failure.reset(), result.impacts = {}, result.changes = {};
    return result;
  }
  SteppedState<MechanismSystem> failure(const Z& at, Failure why) {
    SteppedState<MechanismSystem> r;
    r.step.z = at, r.failure = std::move(why);
    return r;
  }

  using Kind = PartialMotion::Kind;
  using Found = EventSearch::Kind;

  SteppedState<MechanismSystem> walk(double t, const Z& start, const Spent& full) {
    const Kind usual = by_shadow() ? Kind::composition : Kind::flow;
    node_time = t, node = start, node_lasting = lasting, node_energy.reset();
    work = lost = 0, late.clear();
    z = start;
    double now = t, rest = flow.h;
    Kind kind = usual;
    for (int events = 0; events <= options.most_events;) {
      motion.begin(now, z, lasting, kind);
      choose_watched(rest);
      const auto& event =
          search.first(rest, watched, [this](double at, const Z& state) { return stays(at, state); });
      const bool again = event.kind == Found::failed || event.kind == Found::stuck;
      if (again && kind == Kind::composition) {
        kind = Kind::flow;
        continue;
      }
      if (event.kind == Found::failed) {
        const Outcome& outcome = event.at.spent.outcome;
        return failure(start,
                       {describe(outcome.status), outcome.residual, contact_names(lasting), "residual"});
      }
      if (event.kind == Found::clear) return finish_walk(event.at, full, events == 0);
      ++events;
      now += event.at.tau, rest -= event.at.tau, work += event.at.spent.work;
      if (event.kind == Found::stuck) {
        stick(now, event.contact);
        continue;
      }
      z = event.at.z;
      kind = usual;
      if (event.kind == Found::release) {
        release(now);
        kind = Kind::flow;  // its curve leaves along the momentum itself, whose gap rate is zero
        continue;
      }
      if (auto why = resolve(now, rest, event.contact)) return failure(start, *why);
    }
    return failure(start, too_many());
  }

  // A step without events is the flow's own.
  SteppedState<MechanismSystem> finish_walk(const CurvePoint& end, const Spent& full, bool no_events) {
    if (no_events && full.outcome.ok() && system.gaps(full_end.q).minCoeff() >= 0)
      return finished(full_end, full);
    Spent spent = end.spent;
    spent.work += work, spent.action = spent.energy = std::nan("");
    return finished(end.z, spent);
  }

  // Gaps that may close in what is left of the step.
  void choose_watched(double rest) {
    watched.clear();
    const bool known = motion(rest, full_part).outcome.ok();
    measure(z, before);
    if (known) measure(full_part, after);
    for (int i = 0; i < before.gap.size(); ++i) {
      if (!before.lasts[i] && (!known || !open_between(i, rest))) watched.push_back(i);
    }
  }

  // A contact whose curve does not leave it although nothing presses it stays; if it was released in this
  // step, that comes too early: it is held to the end of the step.
  void stick(double t, int contact) {
    next_lasting = lasting;
    next_lasting.insert(std::upper_bound(next_lasting.begin(), next_lasting.end(), contact), contact);
    touching.project(z.q, z.p, next_lasting);
    const auto released = std::find_if(changes.begin(), changes.end(), [&](const ContactChange& change) {
      return change.contact == contact && !change.begins;
    });
    if (released == changes.end()) return change_lasting(t, [](int) { return 0.0; });
    changes.erase(released);
    late.push_back(contact);
    lasting = next_lasting;
  }

  // Whether C stays as it is at (t, z): pressed, but for what is to be held to the end of the step.
  bool stays(double t, const Z& at) {
    if (touching.pressed(t, at.q, at.p, lasting)) return true;
    if (touching.opening().empty()) return false;
    for (const int i : touching.opening())
      if (std::find(late.begin(), late.end(), i) == late.end()) return false;
    return true;
  }

  void release(double t) {
    touching.pressed(t, z.q, z.p, lasting);
    next_lasting.clear();
    for (const int i : lasting) {
      const auto& opening = touching.opening();
      const bool opens = std::find(opening.begin(), opening.end(), i) != opening.end();
      if (!opens || std::find(late.begin(), late.end(), i) != late.end()) next_lasting.push_back(i);
    }
    change_lasting(t, [](int) { return 0.0; });
  }

  // C becomes what was chosen; tells what changed. `tail(contact)` is how long its bounces go on unseen.
  void change_lasting(double t, const auto& tail) {
    for (const int i : lasting)
      if (!std::binary_search(next_lasting.begin(), next_lasting.end(), i))
        changes.push_back({t, i, false, t});
    for (const int i : next_lasting)
      if (!std::binary_search(lasting.begin(), lasting.end(), i))
        changes.push_back({t, i, true, t + tail(i)});
    lasting = next_lasting;
  }

  std::optional<Failure> resolve(double t, double rest, int hit) {
    find_touching(z.q, hit);
    if (!touching.prepare(t, z.q, z.p, touched))
      return Failure{describe(Status::singular), 0, contact_names(touched)};
    p_before = z.p;
    const double H = mechanism.hamiltonian(z.q, z.p);
    const auto reflected = touching.reflect(z.q, z.p, options.restitution);
    if (!reflected.ok)
      return Failure{"the contacts that close together squeeze the system: no impulse opens all of them",
                     touching.rates.rate.minCoeff(), contact_names(touched), "gap rate"};
    if (!touching.choose_lasting(t, z.q, next_lasting))
      return Failure{cannot_rest, 0, contact_names(touched)};
    J = z.p - p_before;
    if (!touching.project(z.q, z.p, touching.tangential))
      return Failure{describe(Status::singular), 0, contact_names(touched)};
    lost += H - mechanism.hamiltonian(z.q, z.p);
    if (by_shadow()) keep_energy(t, rest);
    record(t, hit);
    change_lasting(t, [this](int contact) {
      const auto k = std::lower_bound(touched.begin(), touched.end(), contact) - touched.begin();
      return touching.tail(static_cast<std::size_t>(k), options.restitution);
    });
    return std::nullopt;
  }

  double shadow_energy(double t, const Z& at, const std::vector<int>& contacts) {
    ++solves;
    return held.shadow_energy(flow, t, at, options.order / 2, contacts);
  }

  // p+ = P_C'(p- + s J) with the shadow energy at the end of the step as it should be.
  void keep_energy(double t, double rest) {
    double target = 0;
    if (E) {
      target = *E;
    } else {
      if (next_lasting != node_lasting) return;
      if (!node_energy) node_energy = shadow_energy(node_time, node, node_lasting);
      target = *node_energy - lost;
    }
    mechanism.velocity(z.q, z.p, v);
    const double slope = J.dot(v);
    if (!(std::abs(slope) > 1e-12 * std::abs(z.p.dot(v)))) return;  // nothing to scale
    const double s =
        root_near_one(target, slope, [&](double factor) { return energy_at_end(t, rest, factor); });
    uncertainty = std::fmax(uncertainty, held.unknown);
    set_momentum(s, z.p);
  }
  void set_momentum(double s, Values& p) {
    p = p_before + s * J;
    touching.project(z.q, p, touching.tangential);
  }
  double energy_at_end(double t, double rest, double s) {
    trial = z;
    set_momentum(s, trial.p);
    for (const Kind kind : {Kind::composition, Kind::flow}) {
      trial_motion.begin(t, trial, next_lasting, kind);
      const Spent spent = trial_motion(rest, end);
      if (spent.outcome.ok()) return shadow_energy(t + rest, end, next_lasting) - (E ? 0 : work + spent.work);
    }
    return std::nan("");
  }

  // The secant method from 1; without a root near it, 1, counted.
  double root_near_one(double target, double slope, const auto& energy) {
    const double size = std::abs(target) + std::abs(slope);
    double s = 1, f = energy(1) - target;
    for (int i = 0; i < 30; ++i) {
      if (std::abs(f) <= 1e-14 * size) return s;
      const double change = -f / slope;
      if (!std::isfinite(change) || std::abs(s + change - 1) > 0.5) break;
      if (std::abs(change) <= 1e-16) return s;
      const double f_before = f;
      s += change, f = energy(s) - target;
      if (std::abs(f) >= std::abs(f_before) && std::abs(f) <= 1e-12 * size) return s;
      slope = (f - f_before) / change;
    }
    ++fallbacks;
    return 1;
  }

  void record(double t, int hit) {
    Impact<Eigen::Dynamic> impact;
    impact.t = t, impact.q = z.q, impact.p_before = p_before, impact.p_after = z.p;
    impact.impulse = (z.p - p_before).norm();
    if (impact.impulse == 0) return;  // it came along the wall
    mechanism.velocity(z.q, z.p, v);
    for (std::size_t k = 0; k < touched.size(); ++k) {
      if (touched[k] == hit) {
        impact.rate_before = touching.rate_before[static_cast<int>(k)];
        impact.rate_after = touching.rates.gradients()[static_cast<int>(k)].dot(v);
      }
      if (touched[k] == hit || touching.impulse(k) != 0) impact.contacts.push_back(touched[k]);
    }
    impacts.push_back(std::move(impact));
  }

  Failure too_many() const {
    std::vector<int> names;
    for (const auto& impact : impacts)
      for (const int i : impact.contacts)
        if (std::find(names.begin(), names.end(), i) == names.end()) names.push_back(i);
    return {"more than " + std::to_string(options.most_events) +
                " impacts and releases in one step: they accumulate",
            static_cast<double>(impacts.size()), contact_names(names), "impacts"};
  }
  std::string contact_names(const std::vector<int>& which) const {
    std::string names;
    for (std::size_t k = 0; k < which.size() && k < 8; ++k)
      names += (k ? "\", \"" : "") + mechanism.contact_name(which[k]);
    if (which.size() > 8) names += "\" and \"" + std::to_string(which.size() - 8) + " more";
    return names;
  }

  MechanismSystem system;
  const Mechanism& mechanism;
  SteadyFlow flow;
  ContactOptions options;
  HeldFlow held;
  PartialMotion motion, trial_motion;
  EventSearch search;
  Touching touching;
  std::unique_ptr<FreeStep> free;

  bool begun = false;
  std::vector<int> lasting;
  std::optional<double> E;

  Z z, full_end, full_part, node, trial, end;
  double node_time = 0, work = 0, lost = 0;
  std::optional<double> node_energy;
  std::vector<int> next_lasting, node_lasting, touched, watched, late, everything;
  Gaps before, after;
  SparseRows slopes;
  Values gaps, v, p_before, J;
  std::vector<Impact<Eigen::Dynamic>> impacts;
  std::vector<ContactChange> changes;
  SteppedState<MechanismSystem> result;
};

}  // namespace carom
