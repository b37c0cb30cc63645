#include "carom/contact/event_search.hpp"

#include <algorithm>

#include "carom/numerics/cubic.hpp"
#include "carom/system/validate.hpp"

namespace carom {

const EventSearch::Event& EventSearch::first(double length, const std::vector<int>& contacts,
                                             const std::vector<int>& spent, int samples,
                                             const Pressed& pressed) {
  rest = length, watched = contacts;
  make_room();
  mark_leaving(spent);
  scales.look(motion.time(), motion.from(), watched);
  found.kind = Kind::clear;
  if (!sample(0, from)) return fail(from);
  if (closes_at_once()) return found;
  if (goes_astray()) return found;
  for (int k = 1; k <= samples;) {
    const bool reached = sample(rest * k / samples, to);
    if (!reached && !find_last_good()) return fail(failed_end);
    look_between(pressed);
    if (found.kind != Kind::clear) return found;
    std::swap(from, to);
    k += reached;
    if (k <= samples && closes_at_once()) return found;
  }
  found.at = from;
  return found;
}

// Points are exchanged with each other: each gets its memory at once, or one would ask for it some impacts
// later.
void EventSearch::make_room() {
  const auto n = static_cast<Eigen::Index>(watched.size());
  for (CurvePoint* point : {&from, &to, &open, &closed, &trial, &failed_end, &lowest, &found.at}) {
    point->gap.resize(n), point->rate.resize(n), point->slow.resize(n);
    point->z.q.resize(system.size()), point->z.p.resize(system.size());
  }
}

void EventSearch::mark_leaving(const std::vector<int>& spent) {
  leaves.assign(watched.size(), 0);
  for (const int i : spent) {
    const auto place = std::lower_bound(watched.begin(), watched.end(), i);
    if (place != watched.end() && *place == i) leaves[place - watched.begin()] = 1;
  }
}

bool EventSearch::add_rates(CurvePoint& point) {
  if (!system.velocity(time(point), point.z.q, point.z.p, v)) return false;
  slopes.clear();
  system.gap_slopes(time(point), point.z.q, watched, slopes);
  point.rate.resize(point.gap.size()), point.slow.resize(point.gap.size());
  for (int i = 0; i < slopes.size(); ++i) {
    point.rate[i] = slopes[i].rate(v);
    point.slow[i] = 1e-10 * (slopes[i].size_along(v) + std::abs(slopes[i].drift) + scales.kick(watched[i]));
  }
  return true;
}
bool EventSearch::step_to(double tau, CurvePoint& point) {
  point.tau = tau;
  point.spent = motion(tau, point.z);
  if (!point.ok()) return false;
  system.gaps(time(point), point.z.q, all);
  point.gap.resize(static_cast<Eigen::Index>(watched.size()));
  for (std::size_t i = 0; i < watched.size(); ++i) {
    point.gap[i] = all[watched[i]];
    if (std::isnan(point.gap[i])) point.spent.outcome = {Status::not_finite, point.gap[i], 0};
  }
  return point.ok();
}

const EventSearch::Event& EventSearch::tell(Kind kind, std::size_t i, const CurvePoint& at) {
  found.kind = kind, found.contact = watched[i], found.rate = at.rate[i], found.at = at;
  return found;
}
const EventSearch::Event& EventSearch::fail(const CurvePoint& at) {
  found.kind = Kind::failed, found.contact = -1, found.at = at;
  return found;
}

// A contact that touches at `from` and closes there, as one does that is reached exactly at a sample.
bool EventSearch::closes_at_once() {
  for (std::size_t i = 0; i < watched.size(); ++i)
    if (!leaves[i] && from.gap[i] <= rounding(i) && from.rate[i] < -from.slow[i])
      return tell(Kind::impact, i, from), true;
  return false;
}

// A motion that cannot be computed up to `to` (a singular potential behind a wall): a part of the way.
bool EventSearch::find_last_good() {
  failed_end = to;
  while (to.tau - from.tau > 1e-9 * rest)
    if (sample(0.5 * (from.tau + to.tau), to)) return true;
  return false;
}

// Substeps that go back and forth start along the modified flow, not along the momentum, whose velocity
// differs by h²: where a contact opens more slowly than that, into the wall, or too fast.
bool EventSearch::goes_astray() {
  using Part = PartialMotion::Kind;
  if (motion.kind != Part::composition && motion.kind != Part::polynomial) return false;
  const double tau = 1e-3 * rest;
  bool touches = false;
  for (std::size_t i = 0; i < watched.size(); ++i) touches = touches || from.gap[i] <= touching(i);
  if (!touches || !step_to(tau, trial)) return false;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    const double off = trial.gap[i] - (from.gap[i] + from.rate[i] * tau);
    if (from.gap[i] <= touching(i) && std::abs(off) > 0.05 * from.rate[i] * tau + rounding(i))
      return tell(Kind::stuck, i, from), true;
  }
  return false;
}

// The earliest event between `from` and `to` into `found`. What happens brings `to` nearer, so that of
// several only those are located that are earlier than the ones before. A gap that had opened again at the
// old `to` may be closed at the new one: then it comes first.
void EventSearch::look_between(const Pressed& pressed) {
  for (std::size_t i = 0; i < watched.size();) {
    const Bracket bracket = closing(i);
    if (bracket == Bracket::stuck) return void(tell(Kind::stuck, i, from));
    if (bracket == Bracket::found) {
      refine(i);
      std::swap(to, open);
      add_rates(to);
      if (is_flat(i, to)) return void(tell(Kind::flat, i, to));
      tell(Kind::impact, i, to);
    }
    if (bracket == Bracket::flat) return void(tell(Kind::flat, i, lowest));
    i = bracket == Bracket::found ? std::min(i + 1, first_closed(to)) : i + 1;
  }
  if (motion.held_contacts().empty()) return;
  const bool kink = system.branch_count() > 0 && find_kink();
  if (kink) std::swap(to, open);
  if (pressed(time(to), to.z)) return;
  find_release(pressed);
  if (first_closed(found.at) == watched.size()) return;
  if (to.tau - found.at.tau <= 1e-9 * rest) return;  // no nearer: what is closed there only leaves its wall
  to = found.at;
  add_rates(to);
  look_between(pressed);
}
std::size_t EventSearch::first_closed(const CurvePoint& point) const {
  std::size_t i = 0;
  while (i < watched.size() && !(point.gap[i] < -rounding(i))) ++i;
  return i;
}

// Whether gap i closes between `from` and `to`; if so, `open` and `closed` bracket it.
EventSearch::Bracket EventSearch::closing(std::size_t i) {
  if (!std::isfinite(from.gap[i]) && !std::isfinite(to.gap[i])) return Bracket::none;  // too far away
  const bool on_wall = from.tau == 0
                           ? from.gap[i] <= touching(i) && (leaves[i] || from.rate[i] >= -from.slow[i])
                           : from.gap[i] <= rounding(i);
  if (to.gap[i] < 0) {
    if (to.gap[i] >= -rounding(i) && on_wall) return Bracket::none;
    if (!on_wall) return open = from, closed = to, Bracket::found;
    if (!find_beyond(i, 1, open))  // it does not rise before it falls
      return keeps_leaving(i) ? Bracket::none : Bracket::stuck;
    closed = to;
    return Bracket::found;
  }
  if (!std::isfinite(from.gap[i]) || !std::isfinite(to.gap[i])) return Bracket::none;
  const double length = to.tau - from.tau;
  if (on_wall) return find_dip_after_rise(i, length) ? closing(i) : Bracket::none;
  if (stays_open(from.gap[i], from.rate[i] * length, to.gap[i], to.rate[i] * length)) return Bracket::none;
  if (from.rate[i] >= 0) return Bracket::none;
  if (!find_beyond(i, -1, closed))
    return touches_without_slope(i) ? Bracket::flat : Bracket::none;  // nor does it dip
  open = from;
  return Bracket::found;
}

// Another contact that lasts is pulled to its wall at once, and may have taken this one behind its own by as
// much: there it opens all the same, but not yet beyond rounding.
bool EventSearch::keeps_leaving(std::size_t i) const {
  return from.rate[i] > from.slow[i] && to.rate[i] > to.slow[i] && to.gap[i] >= -touching(i);
}

// A gap that leaves its wall, dips behind it and is open again at `to`: what its ends tell must dip clearly.
// Moves `to` into the dip.
bool EventSearch::find_dip_after_rise(std::size_t i, double length) {
  if (lowest_of_cubic(from.gap[i], from.rate[i] * length, to.gap[i], to.rate[i] * length) >= -touching(i) ||
      !find_beyond(i, -1, closed))
    return false;
  std::swap(to, closed);
  add_rates(to);
  return true;
}

// Where gap i is above the wall (sign 1) or behind it (-1) between `from` and `to`: its extremum, until a
// point beyond rounding is found; first where the cubic has it, then by golden sections.
bool EventSearch::find_beyond(std::size_t i, double sign, CurvePoint& point) {
  const double length = to.tau - from.tau;
  const double at =
      turning_place_of_cubic(from.gap[i], from.rate[i] * length, to.gap[i], to.rate[i] * length);
  if (at > 0 && at < 1 && step_to(from.tau + at * length, point) && sign * point.gap[i] > rounding(i))
    return true;
  return search_beyond(i, sign, point);
}
bool EventSearch::search_beyond(std::size_t i, double sign, CurvePoint& point) {
  constexpr double golden = 0.3819660112501051;
  double height = 0;
  const auto beyond = [&](double tau) {
    height = step_to(tau, point) ? sign * point.gap[i] : -HUGE_VAL;
    return height > rounding(i);
  };
  double low = from.tau, high = to.tau;
  double left = low + golden * (high - low), right = high - golden * (high - low);
  if (beyond(left)) return true;
  double at_left = height;
  if (beyond(right)) return true;
  double at_right = height;
  while (high - low > 1e-9 * rest) {
    const bool keep_left = at_left > at_right;
    if (keep_left)
      high = right, right = left, at_right = at_left, left = low + golden * (high - low);
    else
      low = left, left = right, at_left = at_right, right = high - golden * (high - low);
    if (beyond(keep_left ? left : right)) return true;
    (keep_left ? at_left : at_right) = height;
  }
  lowest.tau = 0.5 * (low + high);
  return false;
}

// Whether every slope of gap i has all but vanished where it is zero, against what it was at `from`.
bool EventSearch::is_flat(std::size_t i, const CurvePoint& at) {
  slopes.clear();
  system.gap_slopes(time(from), from.z.q, {&watched[i], 1}, slopes);
  system.gap_slopes(time(at), at.z.q, {&watched[i], 1}, slopes);
  const auto before = slopes[0], there = slopes[1];
  bool any = before.drift != 0, flat = std::abs(there.drift) <= 1e-4 * std::abs(before.drift);
  for (std::size_t k = 0; k < there.at.size() && k < before.at.size(); ++k) {
    any = any || before.slopes[k] != 0;
    flat = flat && std::abs(there.slopes[k]) <= 1e-4 * std::abs(before.slopes[k]);
  }
  return any && flat;
}

// A gap such as y² or |y| comes down to zero and rises again, though nothing has slowed it down.
bool EventSearch::touches_without_slope(std::size_t i) {
  if (system.has_corners(watched[i])) return false;
  if (!(lowest.tau > from.tau && lowest.tau < to.tau) || !sample(lowest.tau, lowest)) return false;
  if (!(lowest.gap[i] <= touching(i))) return false;
  const double fastest = std::fmax(-from.rate[i], to.rate[i]);
  return to.rate[i] > to.slow[i] && (std::abs(lowest.rate[i]) > 0.5 * fastest || is_flat(i, lowest));
}

// The root of gap i between `open` and `closed` into `open`: the secant of the bracket, with the end that
// does not move weighted down (Illinois).
void EventSearch::refine(std::size_t i) {
  double above = open.gap[i], below = closed.gap[i], width = closed.tau - open.tau;
  const double least = 0.1 * rounding(i);
  int side = 0;  // which end moved last
  for (int k = 0; k < 100 && width > 2e-16 * rest; ++k) {
    double tau = open.tau + width * (above / (above - below));
    if (!(tau > open.tau && tau < closed.tau)) tau = 0.5 * (open.tau + closed.tau);
    if (!(tau > open.tau && tau < closed.tau) || !step_to(tau, trial)) return;
    if (std::abs(trial.gap[i]) <= least) return std::swap(open, trial);
    if (trial.gap[i] > 0) {
      std::swap(open, trial);
      above = open.gap[i], below *= side == 1 ? 0.5 : 1, side = 1;
    } else {
      std::swap(closed, trial);
      below = closed.gap[i], above *= side == -1 ? 0.5 : 1, side = -1;
    }
    width = closed.tau - open.tau;
  }
}

// The first kink of a held contact between `from` and `to`, which is moved right behind it; `open` is right
// before. The branch that is held goes on behind the kink, so that the motion is smooth.
bool EventSearch::find_kink() {
  bool any = false;
  for (int k = 0; k < system.branch_count(); ++k) {
    const auto& held = motion.held_contacts();
    if (std::find(held.begin(), held.end(), system.branch_contact(k)) == held.end()) continue;
    system.branches(time(from), from.z.q, sides), system.branches(time(to), to.z.q, sides_there);
    const double before = sides[k];
    if (sides_there[k] == before) continue;
    open = from;
    for (int i = 0; i < 60 && to.tau - open.tau > 1e-15 * rest; ++i) {
      if (!step_to(0.5 * (open.tau + to.tau), trial)) break;
      system.branches(time(trial), trial.z.q, sides_there);
      std::swap(sides_there[k] == before ? open : to, trial);
    }
    found.kind = Kind::kink, found.contact = system.branch_contact(k), found.at = to, any = true;
  }
  return any;
}

// By halves: what is left of a bracket is 1e-14 of the part searched.
void EventSearch::find_release(const Pressed& pressed) {
  double holds = from.tau, fails = to.tau;
  closed = to;
  for (int k = 0; k < 60 && fails - holds > 1e-14 * rest; ++k) {
    const double middle = 0.5 * (holds + fails);
    if (!step_to(middle, trial)) break;
    if (pressed(motion.time() + middle, trial.z))
      holds = middle;
    else
      fails = middle, std::swap(closed, trial);
  }
  found.kind = Kind::release, found.contact = -1, found.at = closed;
}

}  // namespace carom
