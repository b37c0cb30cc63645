// Finding the first contact on a part of a step. A search never starts at tau = 0, where a gap is zero to
// rounding after every impact; it looks inside the step and not only at its end, so that grazes are found;
// and all rates are derivatives of the searched curve itself. Tested in
// tests/laws/impact_edge_cases_test.cpp.
#pragma once

#include <functional>
#include <optional>

#include "carom/impact_law.hpp"

namespace carom {

// Gaps and their rates at a state that moves with a given velocity.
template <System Sys>
struct GapRates {
  using Gaps = decltype(std::declval<const Sys&>().gaps(std::declval<const Coordinates<Sys>&>()));
  Gaps gap, rate;
};

template <System Sys>
GapRates<Sys> gap_rates(const Sys& system, const Coordinates<Sys>& q, const Coordinates<Sys>& velocity) {
  Vector<Dual<double, 1>, Sys::dim> x(q.size());
  for (int i = 0; i < q.size(); ++i) x[i].a = q[i], x[i].d[0] = velocity[i];
  const auto g = system.gaps(x);
  GapRates<Sys> r;
  r.gap.resize(g.size()), r.rate.resize(g.size());
  for (int i = 0; i < g.size(); ++i) r.gap[i] = g[i].a, r.rate[i] = g[i].d[0];
  return r;
}

// How large the terms are that add up to a gap, at least 1: rounding errors of the gap are this times 1e-16.
// (The largest coordinate would be no measure: an angle that has turned a thousand times does not blur a
// floor.)
template <System Sys>
typename GapRates<Sys>::Gaps gap_sizes(const Sys& system, const Coordinates<Sys>& q) {
  const auto G = jacobian([&system](const auto& x) { return system.gaps(x); }, q);
  typename GapRates<Sys>::Gaps r = (G.cwiseAbs() * q.cwiseAbs()).cwiseMax(1.0);
  return r;
}

enum class SearchEnd {
  clear,    // no contact closes
  contact,  // one does, at tau
  lasting,  // a contact neither opens nor closes: it stays, or impacts accumulate on it
  failed,   // the motion itself could not be computed
};

template <System Sys>
struct Found {
  SearchEnd end = SearchEnd::clear;
  double tau = 0;
  int contact = -1;
  Passage<Sys::dim> at = {};
};

template <System Sys>
class GapSearch {
  static constexpr int N = Sys::dim, samples = 4;

 public:
  // Impact times are good to `accuracy` of the length searched; less than rounding costs the order of the
  // method.
  GapSearch(const Sys& sys, const ImpactLaw<Sys>& l, const Leg<N>& start, double length,
            double accuracy_of_time)
      : system(sys),
        law(l),
        leg(start),
        rest(length),
        accuracy(accuracy_of_time),
        size(gap_sizes(sys, start.z.q)) {}

  Found<Sys> first() {
    Sample from = start();
    if (from.passage.outcome.ok())
      if (const auto now = touching_and_closing(from)) return {SearchEnd::contact, 0, *now, from.passage};
    for (int k = 1; k <= samples; ++k) {
      Sample to = sample(rest * k / samples);
      const Outcome reached = to.passage.outcome;
      if (!reached.ok()) to = last_good(from, to);
      if (!to.passage.outcome.ok()) return {SearchEnd::failed, to.tau, -1, to.passage};
      if (auto found = between(from, to); found.end != SearchEnd::clear) return found;
      from = to;
      if (!reached.ok() && k == samples) {  // no wall came before the end of what can be computed
        from.passage.outcome = reached;
        return {SearchEnd::failed, from.tau, -1, from.passage};
      }
    }
    return {SearchEnd::clear, rest, -1, from.passage};
  }

 private:
  struct Sample {
    double tau = 0;
    Passage<N> passage;
    GapRates<Sys> gaps;
    double gap(int i) const { return gaps.gap[i]; }
    double rate(int i) const { return gaps.rate[i]; }
  };

  double touching(int i) const { return 1e-10 * size[i]; }
  double rounding(int i) const { return 4e-15 * size[i]; }

  Sample sample(double tau) {
    Sample s{tau, law.advance(leg, tau), {}};
    if (s.passage.outcome.ok()) s.gaps = gap_rates(system, s.passage.z.q, s.passage.rate.q);
    return s;
  }

  // The start, with the velocity that its momentum means.
  Sample start() {
    Sample s{0, {leg.z, leg.z}, {}};
    const auto v = velocity(system, leg.z.q, leg.z.p);
    s.passage.rate.q = v.x;
    if (!v.ok) s.passage.outcome.status = Status::singular;
    s.passage.energy = hamiltonian(system, leg.z);  // what -D3 L_d tends to
    s.gaps = gap_rates(system, leg.z.q, v.x);
    return s;
  }

  double fast(const Sample& s) const { return 1e-10 * (s.passage.rate.q.norm() + 1e-300); }

  std::optional<int> touching_and_closing(const Sample& s) const {
    for (int i = 0; i < s.gaps.gap.size(); ++i)
      if (s.gap(i) <= rounding(i) && s.rate(i) < -fast(s)) return i;
    return std::nullopt;
  }

  // A motion that cannot be computed up to `to` (a singular potential behind the wall): as far as it can be.
  Sample last_good(const Sample& from, Sample to) {
    for (int i = 0; i < 30 && !to.passage.outcome.ok(); ++i) to = sample(0.5 * (from.tau + to.tau));
    return to;
  }

  // The earliest closing between two samples.
  Found<Sys> between(const Sample& from, const Sample& to) {
    Found<Sys> first;
    for (int i = 0; i < to.gaps.gap.size(); ++i) {
      const auto bracket = closing(i, from, to);
      if (bracket.lasting) return {SearchEnd::lasting, from.tau, i, from.passage};
      if (!bracket.found) continue;
      const Sample root = refine(i, bracket.open, bracket.closed);
      if (first.end == SearchEnd::clear || root.tau < first.tau)
        first = {SearchEnd::contact, root.tau, i, root.passage};
    }
    return first;
  }

  struct Bracket {
    bool found = false, lasting = false;
    Sample open, closed;  // gap > 0, gap < 0
  };

  Bracket closing(int i, const Sample& from, const Sample& to) {
    const bool on_wall =
        from.gap(i) <= (from.tau == 0 ? touching(i) : rounding(i)) && from.rate(i) >= -fast(from);
    if (to.gap(i) < 0) {
      if (!on_wall) return {true, false, from, to};
      // It starts on the wall: if it opens at all, its highest point is in between.
      if (to.gap(i) >= -rounding(i)) return {};
      const Sample top = turning_point(i, from, to);
      if (top.gap(i) > 1e-3 * touching(i)) return {true, false, top, to};
      return {false, true, from, to};
    }
    if (from.rate(i) < 0 && to.rate(i) > 0 && !on_wall) {
      const Sample bottom = turning_point(i, from, to);
      if (bottom.gap(i) < -rounding(i)) return {true, false, from, bottom};
    }
    return {};
  }

  // Where the rate of gap i changes sign between two samples, by bisection and the secant.
  Sample turning_point(int i, Sample a, Sample b) {
    const double sign = a.rate(i) > 0 ? 1 : -1;
    Sample best = a;
    for (int k = 0; k < 60 && b.tau - a.tau > 1e-14 * rest; ++k) {
      const double ra = sign * a.rate(i), rb = sign * b.rate(i);
      double fraction = k % 3 == 2 || !(ra > 0 && rb < 0) ? 0.5 : ra / (ra - rb);
      fraction = std::clamp(fraction, 1e-3, 1 - 1e-3);
      best = sample(a.tau + fraction * (b.tau - a.tau));
      if (!best.passage.outcome.ok() || best.rate(i) == 0) return best;
      (sign * best.rate(i) > 0 ? a : b) = best;
    }
    return best;
  }

  // The root of gap i between an open and a closed sample: Newton's method, kept inside by bisection.
  Sample refine(int i, Sample open, Sample closed) {
    Sample now = closed;
    for (int k = 0; k < 80; ++k) {
      double tau = now.tau - now.gap(i) / now.rate(i);
      if (!(tau > open.tau && tau < closed.tau)) tau = 0.5 * (open.tau + closed.tau);
      if (closed.tau - open.tau <= 4 * accuracy * rest || tau == now.tau) break;
      now = sample(tau);
      if (!now.passage.outcome.ok() || now.gap(i) == 0) break;
      (now.gap(i) > 0 ? open : closed) = now;
      if (std::abs(now.gap(i)) <= accuracy * rest * std::abs(now.rate(i))) break;
    }
    return now;
  }

  const Sys& system;
  const ImpactLaw<Sys>& law;
  const Leg<N>& leg;
  double rest, accuracy;
  typename GapRates<Sys>::Gaps size;
};

}  // namespace carom
