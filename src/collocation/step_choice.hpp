// Stages and step for an accuracy that is asked for. The stages follow from the tolerance alone. The step
// stays as it is while it errs by less than its budget and a step of twice its length would not do, so that
// most are equal; at an impact it becomes what the flight before would have needed. What a step errs by shows
// in how the Legendre coefficients a_k of its slopes fall off, coordinate by coordinate:
//
//   e = max(|a_(s-1)|, |a_(s-2)|),  f = max(|a_(s-3)|, |a_(s-4)|)
//
//   A = max(|K - K_s|) of both ends
//
//   error ≈ h max(A A/|K| / (2s + 1),  A ρ^s),  ρ² = min(1, max(√(A/f), min(e/f, A/e)))
//
// In pairs, since every other one may vanish by symmetry; both ends are such a pair. K_s is the polynomial,
// which misses the slope K by about a_s P_s: by all of a_s at the ends. The error of a collocation polynomial
// is orthogonal to all lower degrees and counts only against what is left of the motion there, A/|K| of it,
// by ∫P_s² = 1/(2s + 1); and the slopes themselves have been summed up by a quadrature that is blind for
// degrees from 2s on, where they have fallen to A ρ^s. Of a smooth motion these are alike. Where a slope has
// a kink or a jump, ρ is near 1, and where that lies before the first stage or behind the last one only A
// tells of it. A kink that is smaller than A is not told at all, though it errs by more than A²: where a
// system has kinks, a step must agree with two of half its length.
//
// All is relative to the largest values that each coordinate and each momentum has had so far: units do not
// matter, nor does what else moves. Measured against true errors in tests/laws/collocation_test.cpp.
#pragma once

#include "collocation.hpp"

namespace carom {

template <int N>
class StepChoice {
  using Local = Vector<double, N>;

 public:
  // The slopes are solved for to `accuracy` where nothing is asked for.
  StepChoice(double asked, double longest_step, double accuracy)
      : budget(std::fmax(0.1 * asked, 4 * rounding)),
        of_slopes(std::fmax(2e-3 * asked, accuracy)),
        asked_for(asked > 0),
        longest(longest_step),
        h(longest_step) {}

  bool active() const { return asked_for; }
  double step() const { return h; }
  double accuracy_of_slopes() const { return of_slopes; }

  // Before the first step: tries until its error is a fitting one. Walls are not looked at.
  void begin(Collocation<N>& stages, double t, const State<double, N>& z) {
    constexpr int most_trials = 40;
    if (stages.mechanics().is_forced())
      at_start.t = at_end.t = std::nan("");  // a force that is held may be another one now
    if (begun || !active()) return;
    stages.forget(), stages.prepare(t, longest, z);  // which measures its units
    h = std::fmin(longest, time_of_change(stages.mechanics(), stages.units(), t, z));
    for (int i = 0; i < most_trials; ++i) {
      stages.forget();
      stages.prepare(t, h, z);
      const bool solved = stages.solve(t, h, z, of_slopes).ok();
      const double factor = solved ? fitting(look(stages, t, z), stages.stages(), 0.1, 16) : 0.25;
      const bool longer = factor > 1.5 && h < longest && refused == 0;
      if (factor >= 0.8 && !longer) break;
      refused += factor < 0.8;
      h = std::fmin(longest, h * factor);
    }
    stages.forget();
    begun = true;
  }

  // Whether the solved step from (t, z) may stand; otherwise step() is shorter from now on. What stands is
  // counted among what the state has been, and may make the next steps longer.
  bool accepts(const Collocation<N>& stages, double t, const State<double, N>& z) {
    const Estimate seen = look(stages, t, z);
    const double length = stages.length();
    if (!(seen.error <= budget)) {
      h = length * fitting(seen, stages.stages(), seen.rough ? 0.02 : 0.1, seen.rough ? 0.5 : 0.8);
      worst = 0, calm = false, ++refused;
      return false;
    }
    remember(z), remember(at_end.z);
    std::swap(at_start, at_end);
    worst = std::fmax(worst, seen.error);
    const double longer = length * fitting(seen, stages.stages(), 1, 4);
    if (calm && longer >= 2 * h && h < longest) h = std::fmin(longest, 0.75 * longer), worst = 0;
    calm = true, refused = 0;
    return true;
  }

  // At an impact: the step that the flight before would have needed, and not much more: doubled, a step of 8
  // stages errs by 2^17 times as much, and may lie where its estimate is no longer one.
  void begin_flight(int stages) {
    if (worst > 0) h = std::fmin(longest, h * fitting({worst, false}, stages, 0.2, 1.25));
    worst = 0;
  }

  // Counts a state among those that errors are relative to.
  void remember(const State<double, N>& z) {
    size.q = size.q.cwiseMax(z.q.cwiseAbs()), size.p = size.p.cwiseMax(z.p.cwiseAbs());
  }

  // How much the solved step from (t, z) errs by, relative to the size of the state so far.
  double error(const Collocation<N>& stages, double t, const State<double, N>& z) {
    return look(stages, t, z).error;
  }

  void numbers(auto&& f) {
    std::int64_t has_begun = begun, was_calm = calm;
    f(has_begun), f(was_calm), f(h), f(worst);
    begun = has_begun != 0, calm = was_calm != 0;
    for (int k = 0; k < N; ++k) f(size.q[k]), f(size.p[k]);
  }

 private:
  struct Estimate {
    double error = 0;
    bool rough = false;  // the slopes are not smooth over the step
  };
  // Slopes at an end of a step, kept for the next one.
  struct AtEnd {
    double t = std::nan("");
    State<double, N> z, slopes;
    void look(const SizedSystem<N>& system, double at, const State<double, N>& there) {
      if (t == at && z.q == there.q && z.p == there.p) return;
      const auto r = rates(system, at, there);
      t = at, z = there, slopes = {r.q, r.p};
    }
  };
  // How the slopes fall off, relative to the state: A of all that is smooth, A ρ^s, and the slopes
  // themselves.
  struct Fall {
    double next = 0, blind = 0, slope = 0, slowest = 0;
  };

  Estimate look(const Collocation<N>& stages, double t, const State<double, N>& z) {
    const double length = stages.length();
    at_start.look(stages.mechanics(), t, z);
    at_end.look(stages.mechanics(), t + length, stages.reached(length, z));
    const auto& table = stages.weights();
    const auto of_v = [&](const StageTable::Row& w) { return stages.velocities(w); };
    const auto of_f = [&](const StageTable::Row& w) { return stages.forces(w); };
    const auto largest = stages.largest_slopes();
    const Local size_q = larger(size.q, z.q, at_end.z.q, length, largest.q);
    const Local size_p = larger(size.p, z.p, at_end.z.p, length, largest.p);
    Fall fall;
    const StageUnits& units = stages.units();
    const Local all_q = beside(units, units.v, units.f, largest.q),
                all_p = beside(units, units.f, units.v, largest.p);
    add(fall, table, of_v, at_start.slopes.q, at_end.slopes.q, largest.q, all_q, size_q);
    add(fall, table, of_f, at_start.slopes.p, at_end.slopes.p, largest.p, all_p, size_p);
    const double smooth =
        fall.next > 0 ? fall.next * (fall.next / fall.slope) / (2 * stages.stages() + 1) : 0;
    const Estimate r{length * std::fmax(smooth, fall.blind), fall.blind > smooth && fall.slowest > 0.3};
    if (!stages.has_kinks() || !(r.error <= budget)) return r;
    const auto halves = stages.in_halves(t, z, of_slopes);
    const double apart = halves.solved
                             ? std::fmax(difference(halves.end.q, at_end.z.q, size_q, length * all_q),
                                         difference(halves.end.p, at_end.z.p, size_p, length * all_p))
                             : HUGE_VAL;
    return apart > budget ? Estimate{apart, true} : r;
  }

  // What is more than rounding, of values that moved by so much.
  static double difference(const Local& a, const Local& b, const Local& sizes, const Local& moved) {
    double r = 0;
    for (int k = 0; k < N; ++k) {
      const double apart = std::abs(a[k] - b[k]);
      if (apart > 8 * rounding * sizes[k] + 32 * rounding * moved[k]) r = std::fmax(r, apart / sizes[k]);
    }
    return r;
  }

  // For each coordinate the largest of those that motion couples to it, in its unit.
  static Local beside(const StageUnits& units, const StageUnits::Factors& by, const StageUnits::Factors& back,
                      const Local& x) {
    StageUnits::Factors largest;
    units.find_largest(
        N, by, back, [&x](int k) { return x[k]; }, largest);
    Local r;
    for (int k = 0; k < N; ++k) r[k] = largest[k];
    return r;
  }

  // The velocities, or the forces. Below `unknown` a coefficient is rounding, or what the iteration has left.
  void add(Fall& fall, const StageTable& table, auto&& slopes, const Local& first, const Local& last,
           const Local& largest, const Local& of_all, const Local& sizes) const {
    const Local a1 = slopes(table.legendre[0]), a2 = slopes(table.legendre[1]),
                a3 = slopes(table.legendre[2]), a4 = slopes(table.legendre[3]);
    const Local d0 = slopes(table.begin) - first, d1 = slopes(table.end) - last;
    for (int k = 0; k < N; ++k) {
      const double unknown = 32 * rounding * of_all[k] + 4 * of_slopes * largest[k];
      const auto known = [unknown](double x, double y) {
        const double a = std::fmax(std::abs(x), std::abs(y));
        return a > unknown ? a : 0;
      };
      const double f = known(a3[k], a4[k]), e = known(a1[k], a2[k]);
      const double A = known(d0[k], d1[k]);
      if (!(A > 0)) continue;
      const double at_once = e > 0 && f > 0 ? std::fmin(e / f, A / e) : 0;
      const double falls = f > 0 ? std::fmin(1, std::fmax(std::sqrt(A / f), at_once)) : 1;
      double blind = A / sizes[k];
      fall.next = std::fmax(fall.next, blind), fall.slope = std::fmax(fall.slope, largest[k] / sizes[k]);
      for (int i = 0; i < table.stages; i += 2) blind *= falls;
      if (blind > fall.blind) fall.blind = blind, fall.slowest = falls;
    }
  }

  // What begins at zero as a power of time errs by the same part of itself in steps of any length; then it is
  // measured by where it is going.
  Local larger(const Local& before, const Local& start, const Local& end, double length,
               const Local& slope) const {
    Local r = before.cwiseMax(start.cwiseAbs()).cwiseMax(end.cwiseAbs()).cwiseMax(length * slope);
    for (int k = 0; k < N && refused >= patience; ++k)
      if (before[k] == 0 && start[k] == 0) r[k] = longest * slope[k];
    return r;
  }

  // In which state or slopes change by as much as they are: a first guess. What is zero tells nothing of it.
  double time_of_change(const SizedSystem<N>& system, const StageUnits& units, double t,
                        const State<double, N>& z) const {
    double r = longest;
    const auto shorten = [&](const StageUnits::Factors& by, const StageUnits::Factors& back, const Local& x,
                             const Local& slope) {
      const Local all = beside(units, by, back, x.cwiseAbs()),
                  slopes = beside(units, by, back, slope.cwiseAbs());
      for (int k = 0; k < N; ++k) {
        const double time = all[k] / slopes[k];
        if (time > 0 && time < r) r = time;
      }
    };
    const auto here = rates(system, t, z);
    shorten(units.v, units.f, z.q, here.q), shorten(units.f, units.v, z.p, here.p);
    const double little = 1e-4 * r;
    const auto there =
        rates(system, t + little, State<double, N>{z.q + little * here.q, z.p + little * here.p});
    shorten(units.v, units.f, here.q, (there.q - here.q) / little);
    shorten(units.f, units.v, here.p, (there.p - here.p) / little);
    return r;
  }

  // By how much the step is to change. A step of s stages errs by h^(2s + 1) where all is smooth; across a
  // kink by h² or so.
  double fitting(const Estimate& seen, int stages, double least, double most) const {
    if (!(seen.error > 0)) return std::isnan(seen.error) ? least : most;
    return std::clamp(std::pow(0.2 * budget / seen.error, seen.rough ? 0.4 : 0.5 / stages), least, most);
  }

  static constexpr int patience = 8;
  static constexpr double rounding = std::numeric_limits<double>::epsilon();
  double budget;     // what a step may err by: many of them add up to the tolerance
  double of_slopes;  // what the iteration may leave
  bool asked_for;
  double longest, h;
  bool begun = false, calm = true;  // calm: the last step was taken at once
  int refused = 0;                  // trials since then
  double worst = 0;                 // error of the steps of this flight, as long as they are now
  State<double, N> size{Local::Zero(), Local::Zero()};  // of the state so far
  AtEnd at_start, at_end;
};

}  // namespace carom
