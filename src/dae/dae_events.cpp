#include "carom/dae/dae_events.hpp"

#include <algorithm>
#include <cmath>

#include "carom/numerics/cubic.hpp"

namespace carom {

DaeEvents::DaeEvents(const DaeSystem& s, DaeFlow& f, DaeTouching& c, double step)
    : system(s), dae(*s.dae), flow(f), touching(c), h(step) {
  constexpr std::size_t most_places = 64;
  const DaeSizes size = dae.sizes();
  places.assign(most_places, {0, false, Values(size.y), Values(size.z)});
}

DaeEvent DaeEvents::first(const DaePoint& from, double reach, const Values& y_end, const Values& z_end) {
  using Kind = DaeEvent::Kind;
  start = &from, end = {reach, &y_end, &z_end}, seen = 0;
  DaeEvent r{reach, Kind::none, -1};
  const auto consider = [&r](std::optional<double> tau, Kind kind, int contact) {
    if (!tau) r = {0, Kind::unknown, contact};
    if (tau && r.kind != Kind::unknown && *tau < r.tau) r = {*tau, kind, contact};
  };
  go(reach);
  if (rubs(from) && turning() < 0) consider(crossing(reach, [this] { return turning(); }), Kind::stop, -1);
  for (const int i : from.lasting) {
    go(reach);
    if (const double psi = pressure(i); !(psi >= -rounding))
      consider(crossing(reach, [this, i] { return pressure(i); }), Kind::take_off, i);
  }
  for (const int i : system.one_sided)
    if (std::find(from.lasting.begin(), from.lasting.end(), i) == from.lasting.end())
      consider(landing(i, r.tau, reach), Kind::landing, i);
  return r;
}

bool DaeEvents::rubs(const DaePoint& at_point) const {
  return dae.has_friction() && (!at_point.lasting.empty() || !system.two_sided.empty());
}

// (y, z) after tau.
bool DaeEvents::go(double tau) {
  at = tau;
  if (tau == end.tau) return y = *end.y, z = *end.z, true;
  if (tau == 0) return y = start->y, z = start->z, true;
  const auto last = places.begin() + static_cast<std::ptrdiff_t>(seen);
  const auto place = std::find_if(places.begin(), last, [tau](const Place& p) { return p.tau == tau; });
  if (place != last) return y = place->y, z = place->z, place->known;
  const bool known = take(tau);
  if (seen < places.size()) {
    Place& next = places[seen++];
    next.tau = tau, next.known = known, next.y = y, next.z = z;
  }
  return known;
}

bool DaeEvents::take(double tau) {
  y = start->y, z = start->z;
  if (stop && *stop && (*stop)()) return false;
  return flow(start->t, tau, touching.with_joints(start->lasting), y, z).ok();
}

double DaeEvents::turning() const { return flow.euler.way.dot(z); }

double DaeEvents::pressure(int i) {
  const auto& held = touching.with_joints(start->lasting);
  const double friction = z.isZero(0) ? 0 : 1;  // at rest it has no direction
  if (!touching.consistent(start->t + at, y, z, held, friction).ok()) return std::nan("");
  const auto place = std::find(held.begin(), held.end(), i) - held.begin();
  rounding = touching.consistent.rounding(static_cast<std::size_t>(place));
  return touching.consistent.psi[i];
}

double DaeEvents::gap(int i) { return dae.gaps(y, gaps), gaps[i]; }

DaeEvents::Sample DaeEvents::sample(int i) {
  return dae.constraint(y, z, constraint), Sample{at, constraint.g[i], constraint.c[i]};
}

// Where value(), positive at `from`, falls through zero before `to`, where it is negative: regula falsi in
// the Illinois form. `from` where it is not positive there; nothing where the flow or the value fails.
std::optional<double> DaeEvents::crossing(double to, FunctionRef<double()> value, double from) {
  if (!go(from)) return std::nullopt;
  double low = from, f_low = value(), high = to;
  if (f_low <= 0) return from;
  if (std::isnan(f_low) || !go(to)) return std::nullopt;
  double f_high = value();
  int side = 0;  // which end moved last
  for (int i = 0; i < 100 && high - low > 1e-16 * h; ++i) {
    double tau = high - f_high * (high - low) / (f_high - f_low);
    if (!(tau > low && tau < high)) tau = 0.5 * (low + high);
    if (tau <= low || tau >= high) break;
    const double f = go(tau) ? value() : std::nan("");
    if (std::isnan(f)) return std::nullopt;
    if (f == 0) return tau;
    if (f > 0) {
      if (side < 0) f_high *= 0.5;
      low = tau, f_low = f, side = -1;
    } else {
      if (side > 0) f_low *= 0.5;
      high = tau, f_high = f, side = 1;
    }
  }
  return low;
}

// When gap i closes within `reach`; infinite where it does not, or not before `before`; nothing where the
// flow fails. Sampled, since a gap may open and close again. A gap that opens from zero counts as open,
// however small, until its rate is negative.
std::optional<double> DaeEvents::landing(int i, double before, double reach) {
  constexpr int samples = 8;
  go(0);
  Sample from = sample(i);
  dae.motion(start->t, y, z, motion);
  const double small = 1e-13 * gap_scale(dae, constraint, motion, y, h, i);
  if (from.gap <= small && from.rate < -1e-11 * rate_scale(dae, constraint, motion, i)) return 0;
  go(reach);
  const Sample last = sample(i);
  if (stays_open(from.gap, reach * from.rate, last.gap, reach * last.rate)) return HUGE_VAL;
  for (int k = 1; k <= samples && from.tau < before; ++k) {
    if (!go(reach * k / samples)) return std::nullopt;
    const Sample to = sample(i);
    const auto tau = closing(i, from, to, small);
    if (!tau || *tau <= to.tau) return tau;
    from = to;
  }
  return HUGE_VAL;
}

std::optional<double> DaeEvents::closing(int i, const Sample& from, Sample to, double small) {
  const double length = to.tau - from.tau;
  if (to.gap >= -small) {  // at most a dip
    const double dip = turning_place_of_cubic(from.gap, length * from.rate, to.gap, length * to.rate);
    if (!(from.gap > small && from.rate < 0 && dip > 0)) return HUGE_VAL;
    if (!go(from.tau + dip * length)) return std::nullopt;
    to = sample(i);
    if (to.gap >= -small) return HUGE_VAL;
  }
  if (from.gap <= small && to.rate >= 0) return HUGE_VAL;
  ++landings;
  double open = from.tau;
  for (double part = to.tau - from.tau; part > 1e-12 * h; part *= 0.5) {
    if (!go(open)) return std::nullopt;
    // From a point that is clearly open, or the root at `from` would be found.
    if (gap(i) > small)
      return crossing(
          to.tau, [this, i] { return gap(i); }, open);
    open = from.tau + 0.5 * part;
  }
  const auto rate = [this, i] { return sample(i).rate; };
  return crossing(to.tau, rate, from.tau);  // never open: where it stops to open
}

}  // namespace carom
