// Stages and step for an accuracy that is asked for. The stages follow from the tolerance alone; the step
// stays as it is from impact to impact and is chosen at each from what the flight before needed. What a step
// errs by shows in how its slopes' Legendre coefficients a_k fall off:
//
//   e = max(|a_(s-1)|, |a_(s-2)|),  f = max(|a_(s-3)|, |a_(s-4)|),  |a_s| <~ e √(e/f),  error ≈ h a_s² /
//   |a_0|
//
// (in pairs, since every other one may vanish by symmetry), because the error of a collocation polynomial is
// orthogonal to all lower degrees and counts only against what is left of the motion there. Measured against
// true errors in tests/laws/collocation_test.cpp.
#pragma once

#include "collocation.hpp"

namespace carom {

template <int N>
class StepChoice {
 public:
  StepChoice(double asked, double longest) : tolerance(asked), h(longest) {}

  bool active() const { return tolerance > 0; }
  double step() const { return h; }

  // Before the first step: tries until its error is a fitting one. Walls are not looked at.
  void begin(Collocation<N>& stages, double t, const State<double, N>& z, double tolerance_of_slopes) {
    if (begun || !active()) return;
    const double longest = h;
    h = std::fmin(longest, time_of_change(stages.mechanics(), t, z));
    for (int i = 0; i < 20; ++i) {
      stages.forget();
      stages.prepare(t, h, z);
      const bool solved = stages.solve(t, h, z, tolerance_of_slopes).ok();
      const double factor = solved ? fitting(error(stages, z), stages.stages(), 0.1, 4) : 0.25;
      const bool longer = factor > 1.5 && h < longest;
      if (factor >= 0.8 && !longer) break;
      h = std::fmin(longest, h * factor);
    }
    stages.forget();
    begun = true;
  }

  // Whether the solved step may stand; otherwise step() is shorter from now on.
  bool accepts(const Collocation<N>& stages, const State<double, N>& z) {
    const double err = error(stages, z);
    worst = std::fmax(worst, err);
    if (err <= 5 * tolerance) return true;
    h = stages.length() * fitting(err, stages.stages(), 0.1, 0.8), worst = 0;
    return false;
  }

  // At an impact: the step that the flight before would have needed, and not much more: doubled, a step of 8
  // stages errs by 2^17 times as much, and may lie where its estimate is no longer one.
  void begin_flight(int stages, double longest) {
    if (worst > 0) h = std::fmin(longest, h * fitting(worst, stages, 0.2, 1.25));
    worst = 0;
  }

  // How much the solved step errs by, relative to the size of the state so far.
  double error(const Collocation<N>& stages, const State<double, N>& z) {
    const auto& table = stages.weights();
    const double length = stages.length();
    const double mean_v = largest(stages.velocities(table.b)), mean_f = largest(stages.forces(table.b));
    size_q = std::fmax(size_q, std::fmax(largest(z.q), length * mean_v));
    size_p = std::fmax(size_p, std::fmax(largest(z.p), length * mean_f));
    const auto size = [&](const StageTable::Row& w) {
      return std::fmax(largest(stages.velocities(w)) / size_q, largest(stages.forces(w)) / size_p);
    };
    slope = std::fmax(slope, std::fmax(mean_v / size_q, mean_f / size_p));
    const double last = std::fmax(size(table.legendre[0]), size(table.legendre[1]));
    const double before = std::fmax(size(table.legendre[2]), size(table.legendre[3]));
    const double next = last * std::sqrt(std::fmin(1, last / std::fmax(before, tiny)));
    return length * next * next / std::fmax(slope, tiny);
  }

  void numbers(auto&& f) {
    std::int64_t has_begun = begun;
    f(has_begun), f(h), f(worst), f(size_q), f(size_p), f(slope);
    begun = has_begun != 0;
  }

 private:
  // In which the slopes change by as much as they are: a first guess.
  static double time_of_change(const SizedSystem<N>& system, double t, const State<double, N>& z) {
    const auto here = rates(system, t, z);
    const double size = largest(here.q) + largest(here.p);
    const double little = 1e-4 * std::fmax(1e-10, largest(z.q) + largest(z.p)) / std::fmax(size, tiny);
    const auto there = rates(system, t, State<double, N>{z.q + little * here.q, z.p + little * here.p});
    const double change = (largest(there.q - here.q) + largest(there.p - here.p)) / little;
    return size / std::fmax(change, tiny);
  }

  static double largest(const Vector<double, N>& x) { return x.template lpNorm<Eigen::Infinity>(); }

  double fitting(double err, int stages, double least, double most) const {
    return std::clamp(std::pow(0.2 * tolerance / std::fmax(err, tiny), 0.5 / stages), least, most);
  }

  static constexpr double tiny = 1e-100;
  double tolerance, h;
  bool begun = false;
  double worst = 0;                                // of the steps of this flight
  double size_q = tiny, size_p = tiny, slope = 0;  // of the state and its relative slope, so far
};

}  // namespace carom
