#include "run/flat_gaps.hpp"

#include <cmath>

namespace carom {

int FlatGaps::find(double t, double h, const RunState& z, const Look& look) {
  const auto n = look.gaps.size();
  if (n == 0 || n > most_contacts) return -1;
  const bool first = looks.size() != static_cast<std::size_t>(n);
  if (first) {
    looks.assign(static_cast<std::size_t>(n), 0);
    largest = look.gaps.cwiseAbs(), before = look.gaps;
  }
  int found = -1;
  const System* mechanics = system.mechanics();
  for (int i = 0; i < n && found < 0; ++i) {
    largest[i] = std::fmax(largest[i], std::abs(look.gaps[i]));
    if (mechanics && mechanics->has_corners(i)) continue;
    if (looks[static_cast<std::size_t>(i)] >= most_looks || !(first || comes_down(i, look))) continue;
    ++looks[static_cast<std::size_t>(i)];
    forward = h * system.formula_velocity(z, look);
    if (is_flat_ahead(i, t, z.q, forward)) found = i;
  }
  before = look.gaps;
  return found;
}

// Whether it reaches zero within some three steps, if it goes on like that.
bool FlatGaps::comes_down(int i, const Look& look) const {
  const double now = look.gaps[i], fallen = before[i] - now;
  return fallen > 0 && now > 1e-6 * largest[i] && now < 3 * fallen;
}

double FlatGaps::gap_at(int i, double t, const RunVector& q, const RunVector& way, double s) {
  at = q + s * way;
  system.gaps(t, at, gaps);
  return gaps[i];
}

// Along the velocity, over four steps: where the gap becomes zero, or where it is lowest and nothing is left
// of it.
bool FlatGaps::is_flat_ahead(int i, double t, const RunVector& q, const RunVector& way) {
  constexpr int samples = 32;
  constexpr double reach = 4;
  if (way.size() != q.size() || way.isZero(0) || !way.allFinite()) return false;
  const double here = gap_at(i, t, q, way, 0);
  if (!(here > 0) || !std::isfinite(here)) return false;
  double low = 0, least = here, at_least = 0;
  for (int k = 1; k <= samples; ++k) {
    const double s = reach * k / samples, value = gap_at(i, t, q, way, s);
    if (!std::isfinite(value)) return false;
    if (value < 0) {
      double high = s;
      for (int j = 0; j < 60; ++j) {
        const double middle = 0.5 * (low + high);
        (gap_at(i, t, q, way, middle) > 0 ? low : high) = middle;
      }
      return loses_its_slopes(i, t, q, way, high);
    }
    if (value < least) least = value, at_least = s;
    low = s;
  }
  if (at_least == 0) return false;
  const double place = lowest_ahead(i, t, q, way, at_least - reach / samples, at_least + reach / samples);
  const double lowest = gap_at(i, t, q, way, place);
  if (!(lowest <= 1e-9 * here)) return false;
  const bool turns = lowest >= -1e-9 * here && turns_at_once(i, t, q, way, place);
  return turns || loses_its_slopes(i, t, q, way, place) ||
         loses_its_slopes(i, t, q, way, place + 0.5 * reach / samples);
}

// Whether the gap comes down to zero there without becoming slower, as a graze does, and is more than
// rounding.
bool FlatGaps::turns_at_once(int i, double t, const RunVector& q, const RunVector& way, double s) {
  const double near = 1e-3 * s, here = gap_at(i, t, q, way, 0), fall = gap_at(i, t, q, way, s - near) / near;
  if (!(fall > 0.1 * here / s)) return false;
  double size = 0;
  at = q;
  for (int k = 0; k < q.size(); ++k) {
    const double reach = std::fmax(std::abs(q[k]), std::abs(way[k]));
    if (reach > 0) size += reach * std::abs(slope(i, k, t, 1e-5 * reach));
  }
  return here > 1e-9 * size;
}

// By golden sections.
double FlatGaps::lowest_ahead(int i, double t, const RunVector& q, const RunVector& way, double low,
                              double high) {
  constexpr double golden = 0.3819660112501051;
  double left = low + golden * (high - low), right = high - golden * (high - low);
  double at_left = gap_at(i, t, q, way, left), at_right = gap_at(i, t, q, way, right);
  for (int k = 0; k < 100; ++k)
    if (at_left < at_right)
      high = right, right = left, at_right = at_left, left = low + golden * (high - low),
      at_left = gap_at(i, t, q, way, left);
    else
      low = left, left = right, at_left = at_right, right = high - golden * (high - low),
      at_right = gap_at(i, t, q, way, right);
  return at_left < at_right ? left : right;
}

bool FlatGaps::loses_its_slopes(int i, double t, const RunVector& q, const RunVector& way, double s) {
  const RunVector there = q + s * way;
  bool any = false;
  const double most = way.lpNorm<Eigen::Infinity>();
  for (int k = 0; k < q.size(); ++k) {
    // What does not move now may still have a slope.
    const double step = 1e-5 * (way[k] != 0 ? s * std::abs(way[k]) : q[k] != 0 ? std::abs(q[k]) : s * most);
    at = q;
    const double here = slope(i, k, t, step);
    at = there;
    if (std::abs(slope(i, k, t, step)) > 1e-4 * std::abs(here)) return false;
    any = any || here != 0;
  }
  return any;
}

// By a central difference around `at`.
double FlatGaps::slope(int i, int k, double t, double step) {
  const double middle = at[k];
  at[k] = middle + step;
  system.gaps(t, at, gaps);
  const double above = gaps[i];
  at[k] = middle - step;
  system.gaps(t, at, gaps);
  at[k] = middle;
  return (above - gaps[i]) / (2 * step);
}

}  // namespace carom
