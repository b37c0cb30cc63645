// What ContactStepper does at events where contacts have friction.
#include "carom/contact/contact_stepper.hpp"

namespace carom {

void ContactStepper::validate_friction() const {
  if (!friction) return;
  if (!options.lasting)
    throw InvalidInput("stepper", "event-driven",
                       "has no friction, which needs contacts that last: take \"contact\"");
  if (!system.quadratic())
    throw InvalidInput("mu", detail::to_text(system.mu(0)),
                       "friction is for Lagrangians that are quadratic in the velocities");
}

// Of a part this short the velocity is what rounding makes of it, and its friction no work.
double ContactStepper::friction_of(const CurvePoint& end) const {
  return end.tau > 1e-6 * flow.h ? end.spent.friction : 0;
}

// What lasts from now on, and how.
void ContactStepper::change_rough(double t, const Hit* hit) {
  // Of what is hit: the bounces that are not followed, a geometric series.
  change_lasting(t, [this, hit](int i) {
    const double back = restitution[i], a = friction->push_of(i);
    const bool bounces = hit && hit->contact == i && back < 1 && hit->rate < 0 && a > 0;
    return bounces ? 2 * back * -hit->rate / (a * (1 - back)) : 0.0;
  });
  for (const int i : lasting) {
    Mode& told = told_modes[static_cast<std::size_t>(i)];
    const Mode now = friction->modes.mode[i];
    if (now == told || system.mu(i) == 0) continue;
    told = now;
    const auto mode = now == Mode::stick         ? ContactChange::sticks
                      : system.slips_each() == 2 ? ContactChange::slides
                      : now == Mode::forward     ? ContactChange::forward
                                                 : ContactChange::backward;
    changes.push_back({t, i, true, t, mode});
  }
  for (std::size_t i = 0; i < told_modes.size(); ++i)
    if (friction->modes.mode[i] == Mode::open) told_modes[i] = Mode::open;
}

// What there is an impact without collision of goes on from behind it.
void ContactStepper::begin_rough(double t) {
  change_rough(t);
  jolted_at_start = !impacts.all().empty();
  if (jolted_at_start) jolted_from = z;
}

// Of those whose gap is closed and does not change, or so slowly that its bounce would not be followed.
std::optional<Failure> ContactStepper::choose_modes(double t, const Z* further, double t_further) {
  if (!touched.empty() && !touching.prepare(t, z.q, z.p, touched))
    return about_touched(describe(Status::singular));
  alone.clear();
  for (std::size_t k = 0; k < touched.size(); ++k) {
    const int place = static_cast<int>(k);
    const double rate = touching.rates.rate[place];
    if (touching.rates.is_tangent(place) || std::abs(rate) <= touching.slow[place])
      alone.push_back(touched[k]);
  }
  if (auto why = friction->choose(t, z, alone, further, t_further, next_lasting)) return jolted(t, *why);
  return std::nullopt;
}

// No modes: an impact without collision, and modes behind it. Each ends a slip at least; of several contacts
// others may jam then.
std::optional<Failure> ContactStepper::jolted(double t, const Failure& why) {
  std::optional<Failure> still = why;
  const std::size_t most = 2 * alone.size() + 2;
  for (std::size_t count = 0; still && friction->jammed && count < most; ++count) {
    touched = alone;
    e.resize(static_cast<Eigen::Index>(touched.size()));
    for (std::size_t k = 0; k < touched.size(); ++k) e[static_cast<int>(k)] = restitution[touched[k]];
    p_before = z.p;
    if (!friction->jolt(t, z, touched, e)) return still;
    record_rough(t, touched.front(), 0);
    if (!touching.prepare(t, z.q, z.p, touched)) return about_touched(describe(Status::singular));
    std::erase_if(alone, [this](int i) {
      const int place = static_cast<int>(place_of(i));
      return !touching.rates.is_tangent(place) && std::abs(touching.rates.rate[place]) > touching.slow[place];
    });
    still = friction->choose(t, z, alone, nullptr, t, next_lasting);
  }
  return still;
}

// Modes that no longer hold are chosen anew, by the accelerations a little further along the motion as it
// was.
std::optional<Failure> ContactStepper::change_modes(double t) {
  alone.clear();
  const int broken = friction->broken;
  for (const int i : lasting)
    if (holds(t, z, {&i, 1})) alone.push_back(i);
  motion.begin(t, z, lasting, Kind::flow);
  const double ahead_of = Friction::ahead * flow.h;
  const bool known = motion(ahead_of, part_end).outcome.ok();
  if (auto why = friction->choose(t, z, alone, known ? &part_end : nullptr, t + ahead_of, next_lasting))
    if (auto still = jolted(t, *why)) return still;
  // As they were, at the same instant again and again: what is wrong with them is rounding.
  constexpr int patience = 20;
  const bool again = t == changed_at && friction->modes.mode == changed_from && next_lasting == lasting;
  unchanged = again ? unchanged + 1 : 0;
  if (unchanged >= patience) hold_late(t, broken);
  changed_at = t, changed_from = friction->modes.mode;
  change_rough(t);
  return std::nullopt;
}

// To the end of the step; all that last where it is not one. What does not slip sticks then, which takes and
// gives no energy.
void ContactStepper::hold_late(double t, int contact) {
  for (const int i : lasting) {
    if (contact >= 0 && i != contact) continue;
    if (!std::binary_search(late.begin(), late.end(), i))
      late.insert(std::upper_bound(late.begin(), late.end(), i), i);
    if (friction->modes.mode[i] != Mode::stick) friction->hold(t, z, i, lasting);
  }
}

// A contact that touches and whose curve does not leave it, though its modes say so, is held to the end of
// the step.
std::optional<Failure> ContactStepper::hold_stuck(double t, int contact) {
  next_lasting = lasting;
  next_lasting.insert(std::upper_bound(next_lasting.begin(), next_lasting.end(), contact), contact);
  late.insert(std::upper_bound(late.begin(), late.end(), contact), contact);
  friction->hold(t, z, contact, next_lasting);
  change_rough(t);
  return std::nullopt;
}

std::optional<Failure> ContactStepper::resolve_rough(double t, double rest, int hit) {
  find_touching(t, z, hit);
  if (system.has_conditions())
    std::erase_if(touched, [&](int i) { return i != hit && !holds(t, z, {&i, 1}); });
  if (!touching.prepare(t, z.q, z.p, touched)) return about_touched(describe(Status::singular));
  e.resize(static_cast<Eigen::Index>(touched.size()));
  for (std::size_t k = 0; k < touched.size(); ++k) {
    const int place = static_cast<int>(k);
    const double own = restitution[touched[k]], back = std::fmin(1, own) * -touching.rates.rate[place];
    e[place] = own;
    if (back <= touching.slow[place] || accumulates(touched[k], t, rest)) touching.stop(place);
  }
  count_short_bounces();
  for (std::size_t k = 0; k < touched.size(); ++k)
    if (std::isinf(touching.slowest_followed(static_cast<int>(k)))) e[static_cast<int>(k)] = 0;
  p_before = z.p;
  touching.rate_before = touching.rates.rate;
  const int at = static_cast<int>(place_of(hit));
  const Hit now{hit, touching.rate_before[at], touching.slow[at], t};
  if (auto why = friction->hit(t, z, touched, e)) return why;
  Impact* const impact = record_rough(t, hit, now.rate);
  if (auto why = choose_modes(t, nullptr, t)) return why;
  if (impact) {
    impact->p_after = z.p, impact->loss = kinetic_loss(t) + impact->work;
    impact->impulse = (z.p - p_before).norm();
  }
  hits.push_back(now), earlier.push_back(now);
  change_rough(t, &now);
  return std::nullopt;
}

Impact* ContactStepper::record_rough(double t, int hit, double rate_before) {
  const double impulse = (z.p - p_before).norm();
  if (impulse == 0) return nullptr;
  Impact& impact = impacts.add();
  impact.t = t, impact.q = z.q, impact.p_before = p_before, impact.p_after = z.p;
  impact.impulse = impulse, impact.work = 0, impact.rate_before = rate_before;
  system.velocity(t, z.q, z.p, v);
  const auto& space = friction->space;
  for (std::size_t k = 0; k < touched.size(); ++k) {
    const int n = space.equations.normal(static_cast<int>(k));
    for (int row = n; row <= n + system.slips_each(); ++row)
      impact.work -= space.unit[row] * friction->impact.P[row] * space.rows[row].drift;
    if (touched[k] == hit) impact.rate_after = space.rows[n].rate(v);
    if (touched[k] == hit || friction->impact.P[n] > 0) impact.contacts.push_back(touched[k]);
  }
  impact.loss = kinetic_loss(t) + impact.work;
  return &impact;
}

// A piece of a slip in space that ends: from z, in place. False where something else comes first, or it
// fails.
bool ContactStepper::follow_end(double now, double rest, double& tau) {
  if (!friction->follow_end(now, z, rest, lasting)) return false;
  SlipEnd& piece = *friction->ending;
  tau = piece.tau;
  system.gaps(now + tau, piece.to.q, gaps);
  scales.look(now, z);
  for (int i = 0; i < gaps.size(); ++i)
    if (exists(i) && !contains(lasting, i) && gaps[i] <= scales.touching(i)) return false;
  if (!holds(now + tau, piece.to, lasting)) return false;
  energy.add_leg(now, z, lasting, Kind::flow, tau, piece.work);
  rubbed += piece.friction, z = piece.to;
  return true;
}

// A step in which a slip in space ends.
const Stepped& ContactStepper::walk_in_parts(double t, const Z& start) {
  if (system.has_conditions()) find_absent(t, start, nullptr);
  Spent unknown;
  unknown.outcome.status = Status::no_convergence;
  return walk(t, start, unknown);
}

void ContactStepper::follow_part(double& now, Kind kind, const CurvePoint& end) {
  energy.add_leg(now, z, lasting, kind, end.tau, end.spent.work);
  rubbed += friction_of(end), z = end.z, now += end.tau;
}

// Along slips in space that end, as far as they do within `rest`; the flow may follow what is left for
// `part`.
std::optional<Failure> ContactStepper::follow_ends(double& now, double& rest, double& part, bool& in_parts) {
  constexpr int most = 10000;
  double tau = 0;
  for (int pieces = 0; pieces < most; ++pieces) {
    part = std::fmin(rest, friction->time_left(now, z, lasting));
    if (part >= rest || !follow_end(now, rest, tau)) break;
    now += tau, rest -= tau, in_parts = true;
    hits.clear(), struck.clear();
    if (friction->ending->ended)
      if (auto why = change_modes(now)) return why;
    if (rest <= 0) break;
  }
  return std::nullopt;
}

bool ContactStepper::stays_rough(double t, const Z& at) { return friction->stay(t, at, lasting, late); }

}  // namespace carom
