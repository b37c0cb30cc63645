// The cubic through values and slopes at both ends of [0, 1]: what a gap does inside of a step, as far as its
// ends tell.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace carom {

// Where in [0, 1] it turns from falling to rising (r0 < 0) or from rising to falling; NaN where it does not.
inline double turning_place_of_cubic(double g0, double r0, double g1, double r1) {
  const double c2 = 3 * (g1 - g0) - 2 * r0 - r1, c3 = r0 + r1 - 2 * (g1 - g0);
  const double sum = c2 + std::copysign(std::sqrt(c2 * c2 - 3 * c3 * r0), c2);
  const double first = -r0 / sum, second = -sum / (3 * c3);
  const auto inside = [](double x) { return x > 0 && x < 1; };
  if (inside(first) && (!inside(second) || first < second)) return first;
  return inside(second) ? second : std::nan("");
}

[[gnu::always_inline]] inline double lowest_of_cubic(double g0, double r0, double g1, double r1) {
  double lowest = std::fmin(g0, g1);
  const double c2 = 3 * (g1 - g0) - 2 * r0 - r1, c3 = r0 + r1 - 2 * (g1 - g0);
  const double root = c2 * c2 - 3 * c3 * r0;  // of the slope r0 + 2 c2 x + 3 c3 x²
  if (root < 0) return lowest;
  const double sum = c2 + std::copysign(std::sqrt(root), c2);  // no cancellation
  for (const double at : {-r0 / sum, -sum / (3 * c3)})
    if (at > 0 && at < 1) lowest = std::fmin(lowest, g0 + at * (r0 + at * (c2 + at * c3)));
  return lowest;
}

// Whether a gap stays clearly open: its lowest point must keep a tenth of its swing from zero, far more than
// a resolved motion differs from its cubic. A gap that turns may do so sharply, as that of two small discs
// does when one would fly through the other: then it is as low as where the tangents at its ends meet.
[[gnu::always_inline]] inline bool stays_open(double g0, double r0, double g1, double r1) {
  const bool turns = r0 < 0 && r1 > 0;
  // The cubic is not below any of Bézier's points; what is not a number is above nothing.
  const double least = 0.0911 * std::fmax(g0, g1);
  if (!turns && least > 0 && g0 > least && g0 + r0 / 3 > least && g1 - r1 / 3 > least && g1 > least)
    return true;
  double lowest = lowest_of_cubic(g0, r0, g1, r1);
  if (turns) lowest = std::fmin(lowest, g0 + r0 * (g1 - r1 - g0) / (r0 - r1));
  const double swing = std::fmax(g0, g1) - lowest;
  return lowest > 0 && lowest >= 0.1 * swing;
}

// Whether a gap that is open at both ends may yet close in between: it turns there, and not clearly above
// zero.
inline bool may_dip(double g0, double r0, double g1, double r1) {
  const bool turns = (r0 < 0 && r1 > 0) || lowest_of_cubic(g0, r0, g1, r1) < std::fmin(g0, g1);
  return turns && !stays_open(g0, r0, g1, r1);
}

// Where a gap that is open at 0 and closed at 1 closes, to a few digits.
inline double closing_place_of_cubic(double g0, double r0, double g1, double r1) {
  const double c2 = 3 * (g1 - g0) - 2 * r0 - r1, c3 = r0 + r1 - 2 * (g1 - g0);
  double open = 0, closed = 1, x = g0 / (g0 - g1);
  for (int k = 0; k < 12; ++k) {
    const double g = g0 + x * (r0 + x * (c2 + x * c3)), r = r0 + x * (2 * c2 + x * 3 * c3);
    (g > 0 ? open : closed) = x;
    const double next = x - g / r;
    if (std::abs(next - x) < 1e-6) return next;
    x = next > open && next < closed ? next : 0.5 * (open + closed);
  }
  return x;
}

// Whether a gap stays clearly open that begins on the wall (g0 = 0, r0 > 0), or ends on it, or both: as
// stays_open, of what is left when the roots at the ends are divided out.
inline bool opens_clearly(double r0, double g1, double r1) {
  const double c2 = 3 * g1 - 2 * r0 - r1, c3 = r0 + r1 - 2 * g1;  // of r0 + c2 x + c3 x²
  const double turn = -0.5 * c2 / c3, middle = turn > 0 && turn < 1 ? r0 + 0.5 * c2 * turn : r0;
  const double lowest = std::fmin(std::fmin(r0, g1), middle);
  return lowest > 0 && lowest >= 0.1 * std::fmax(std::fmax(r0, g1), middle);
}
inline bool closes_at_end_only(double g0, double r0, double r1) { return opens_clearly(-r1, g0, -r0); }
inline bool opens_and_closes(double r0, double r1) { return r0 > 0 && r1 < 0; }

}  // namespace carom
