#include "carom/contact/friction/modes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "small_least_squares.hpp"

namespace carom {
namespace {

constexpr int most_rows = most_planar_rows;

// In space there are more equations for each, and every one is solved by iteration.
int most_at_once(const ContactEquations& e) { return e.tangents == 1 ? ModeSolver::most_enumerated : 4; }

Mode last_of(const ContactEquations& e) { return e.tangents == 1 ? Mode::backward : Mode::forward; }

}  // namespace

void ContactEquations::resize(int contacts, int tangents_of_each) {
  count = contacts, tangents = tangents_of_each, rows = (1 + tangents) * count;
  const auto n = static_cast<std::size_t>(contacts), all = static_cast<std::size_t>(rows);
  W.resize(all * all), b.resize(all), mu.resize(n), mu_sliding.resize(n), slip.resize(n);
  direction.resize(tangents == 2 ? 2 * n : 0);
}

// Numbers of groups of contacts that are coupled, one way or the other.
void ModeSolver::find_groups(const ContactEquations& e, const std::vector<int>& among) {
  group_of.assign(static_cast<std::size_t>(e.count), -1);
  for (const int i : among) group_of[i] = i;
  const auto coupled = [&e](int i, int k) {
    for (int row = e.normal(i); row < e.normal(i + 1); ++row)
      for (int column = e.normal(k); column < e.normal(k + 1); ++column)
        if (e.w(row, column) != 0) return true;
    return false;
  };
  for (const int i : among)
    for (const int k : among) {
      if (k >= i || group_of[i] == group_of[k] || !coupled(i, k)) continue;
      const int from = std::max(group_of[i], group_of[k]), to = std::min(group_of[i], group_of[k]);
      for (int& g : group_of)
        if (g == from) g = to;
    }
}

ModeSolver::Found ModeSolver::solve(const ContactEquations& e, const std::vector<int>& among, bool all,
                                    const std::vector<Mode>* expected) {
  if (e.tangents == 2) direction.resize(e.direction.size());
  if (static_cast<int>(among.size()) <= most_at_once(e)) return solve_group(e, among, all, expected);
  find_groups(e, among);
  all_modes.assign(static_cast<std::size_t>(e.count), Mode::open);
  all_f.assign(e.b.size(), 0.0), all_a.assign(e.b.begin(), e.b.end());
  Found found = Found::one;
  for (int g = 0; g < e.count; ++g) {
    group.clear();
    for (const int i : among)
      if (group_of[i] == g) group.push_back(i);
    if (group.empty()) continue;
    const Found own = solve_group(e, group, all, expected);
    if (own == Found::none) return own;
    if (own == Found::several) found = own;
    for (const int i : group) {
      all_modes[i] = modes[i];
      for (int row = e.normal(i); row < e.normal(i + 1); ++row) all_f[row] = f[row], all_a[row] = a[row];
    }
  }
  modes = all_modes, f = all_f, a = all_a;
  return found;
}

ModeSolver::Found ModeSolver::solve_group(const ContactEquations& e, const std::vector<int>& among, bool all,
                                          const std::vector<Mode>* expected) {
  bool known = false;
  if (expected) {
    modes = *expected;
    known = try_modes(e, among);
    if (known && !all) return Found::one;
    if (known) keep(0);
    followed_a = a;
  }
  const bool many_of_them = static_cast<int>(among.size()) > most_at_once(e);
  if (!known && (!all || many_of_them) &&
      (flip(e, among) || (e.tangents == 1 ? complete(e, among) : relax(e, among))))
    return Found::one;
  if (many_of_them) return known ? restore() : Found::none;
  double next_best = HUGE_VAL;
  for (bool more = first_combination(e, among); more; more = next_combination(e, among)) {
    if (!try_modes(e, among)) continue;
    if (!all) return Found::one;
    const double change = expected ? difference(e, among, followed_a) : smooth_change;
    const bool another = !known || difference(e, among, best_a) > 1e-7;
    if (known && another) next_best = std::fmin(next_best, std::fmax(change, best_change));
    if (!known || (another && change < best_change)) known = keep(change);
  }
  if (!known) return Found::none;
  restore();
  const bool goes_on = best_change < smooth_change && best_change <= 0.5 * next_best;
  return std::isfinite(next_best) && !goes_on ? Found::several : Found::one;
}

// Of accelerations, in terms of the largest.
double ModeSolver::difference(const ContactEquations& e, const std::vector<int>& among,
                              const std::vector<double>& other) const {
  double most = 0;
  for (const int i : among)
    for (int row = e.normal(i); row < e.normal(i + 1); ++row)
      most = std::fmax(most, std::abs(a[row] - other[row]));
  return most > 0 ? most / size : 0;
}

ModeSolver::Found ModeSolver::restore() {
  modes = best_modes, f = best_f, a = best_a, direction = best_direction;
  return Found::one;
}

bool ModeSolver::keep(double change) {
  best_modes = modes, best_f = f, best_a = a, best_direction = direction, best_change = change;
  return true;
}

double ModeSolver::excess(const ContactEquations& e, const std::vector<int>& among,
                          const std::vector<Mode>& of) {
  modes = of, worst = -1;
  if (e.tangents == 2) direction.resize(e.direction.size());
  if (static_cast<int>(among.size()) <= most_at_once(e))
    return solve_forces(e, among) ? judge(e, among) : HUGE_VAL;
  find_groups(e, among);
  double most = 0;
  int farthest = -1;
  for (int g = 0; g < e.count; ++g) {
    group.clear();
    for (const int i : among)
      if (group_of[i] == g) group.push_back(i);
    if (group.empty()) continue;
    const bool exist = solve_forces(e, group);
    const double own = exist ? judge(e, group) : HUGE_VAL;
    if (own > most) most = own, farthest = exist ? worst : -1;
  }
  worst = farthest;
  return most;
}

bool ModeSolver::try_modes(const ContactEquations& e, const std::vector<int>& among) {
  return solve_forces(e, among) && judge(e, among) <= tolerance;
}

// From all that stick or slide: what is wrong changes, together at first, then the worst alone.
bool ModeSolver::flip(const ContactEquations& e, const std::vector<int>& among) {
  const int n = static_cast<int>(among.size());
  first_combination(e, among);
  for (int round = 0; round < 6 * n + 6; ++round) {
    if (!solve_forces(e, among)) return false;
    if (judge(e, among) <= tolerance) return true;
    if (round > n) {
      modes[worst] = turned(e, worst);
      continue;
    }
    for (const int i : among)
      if (off(e, i) > tolerance) modes[i] = turned(e, i);
  }
  return false;
}

Mode ModeSolver::turned(const ContactEquations& e, int i) const {
  const int row = e.normal(i);
  const double n = f[row], t = f[row + 1], drive = e.slip[i] != 0 ? e.slip[i] : 0;
  if (modes[i] == Mode::open)
    return drive != 0 ? sliding(e.slip[i]) : e.mu[i] > 0 ? Mode::stick : Mode::forward;
  if (n < 0) return Mode::open;
  if (modes[i] == Mode::stick) return t > 0 && e.tangents == 1 ? Mode::backward : Mode::forward;
  return Mode::stick;
}

// Closed before open, sticking before sliding: of modes with the same accelerations the first is taken.
bool ModeSolver::first_combination(const ContactEquations& e, const std::vector<int>& among) {
  modes.assign(static_cast<std::size_t>(e.count), Mode::open);
  for (const int i : among)
    modes[i] = e.mu[i] == 0 ? Mode::forward : e.slip[i] != 0 ? sliding(e.slip[i]) : Mode::stick;
  return true;
}
bool ModeSolver::next_combination(const ContactEquations& e, const std::vector<int>& among) {
  for (const int i : among) {
    const bool free_slip = e.slip[i] == 0 && e.mu[i] > 0;
    const Mode first = e.mu[i] == 0 ? Mode::forward : free_slip ? Mode::stick : sliding(e.slip[i]);
    if (modes[i] == Mode::open) {
      modes[i] = first;
      continue;
    }
    modes[i] = !free_slip || modes[i] == last_of(e) ? Mode::open
               : modes[i] == Mode::stick            ? Mode::forward
                                                    : Mode::backward;
    return true;
  }
  return false;
}

// Column of an unknown: of a normal force with the friction that it brings along, or of friction that sticks.
double ModeSolver::column(const ContactEquations& e, int row, int unknown) const {
  const double own = e.w(row, unknown);
  const int i = unknown / (1 + e.tangents), sign = slip_sign(modes[i]);
  if (unknown != e.normal(i) || sign == 0) return own;
  const double mu = e.mu_sliding[i];
  if (e.tangents == 1) return own - sign * mu * e.w(row, unknown + 1);
  return own - mu * (direction[2 * i] * e.w(row, unknown + 1) + direction[2 * i + 1] * e.w(row, unknown + 2));
}

bool ModeSolver::solve_forces(const ContactEquations& e, const std::vector<int>& among) {
  return e.tangents == 1 ? solve_once(e, among) : aim_slides(e, among);
}

bool ModeSolver::solve_once(const ContactEquations& e, const std::vector<int>& among) {
  unknowns.clear();
  for (const int i : among)
    if (modes[i] != Mode::open) unknowns.push_back(e.normal(i));
  for (const int i : among)
    for (int row = e.normal(i) + 1; modes[i] == Mode::stick && row < e.normal(i + 1); ++row)
      unknowns.push_back(row);
  const int n = static_cast<int>(unknowns.size());
  K.resize(static_cast<std::size_t>(n * n)), x.resize(static_cast<std::size_t>(n));
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) K[r * n + c] = column(e, unknowns[r], unknowns[c]);
    x[r] = -e.b[unknowns[r]];
  }
  f.assign(static_cast<std::size_t>(e.rows), 0.0);
  existing = !eliminate(n);
  // Where they do not exist, by as little as they miss it.
  const bool exist = !existing || (e.tangents == 1 ? solve_on_edges(e) : solve_on_rays(e));
  if (!existing)
    for (int k = 0; k < n; ++k) {
      const int row = unknowns[k], i = row / (1 + e.tangents);
      f[row] = x[k];
      if (row != e.normal(i) || modes[i] == Mode::stick) continue;
      if (e.tangents == 1)
        f[row + 1] = -slip_sign(modes[i]) * e.mu_sliding[i] * x[k];
      else
        for (const int t : {0, 1}) f[row + 1 + t] = -direction[2 * i + t] * e.mu_sliding[i] * x[k];
    }
  answer(e, among);
  return exist;
}

// K x = x in place, with pivots; false where rows depend on each other.
bool ModeSolver::eliminate(int n) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(K[i * n + k]) > std::abs(K[best * n + k])) best = i;
    if (!(std::abs(K[best * n + k]) > 1e-10)) return false;
    if (best != k) {
      for (int j = k; j < n; ++j) std::swap(K[k * n + j], K[best * n + j]);
      std::swap(x[k], x[best]);
    }
    for (int i = k + 1; i < n; ++i) {
      const double l = K[i * n + k] / K[k * n + k];
      if (l == 0) continue;
      for (int j = k + 1; j < n; ++j) K[i * n + j] -= l * K[k * n + j];
      x[i] -= l * x[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= K[i * n + j] * x[j];
    x[i] /= K[i * n + i];
  }
  return true;
}

// Some forces within their cones, sums of the edges N ± mu T with coefficients that are not negative.
bool ModeSolver::solve_on_edges(const ContactEquations& e) {
  const int rows = static_cast<int>(unknowns.size());
  if (rows > most_rows) return solve_on_many_edges(e);
  struct Edge {
    int contact, sign;
    double mu;
  };
  std::array<Edge, most_rows> edges{};
  int count = 0;
  for (const int row : unknowns) {
    const int i = row / 2;
    if (row != e.normal(i)) continue;
    if (modes[i] == Mode::stick)
      edges[count++] = {i, 1, e.mu[i]}, edges[count++] = {i, -1, e.mu[i]};
    else
      edges[count++] = {i, -slip_sign(modes[i]), e.mu_sliding[i]};
  }
  SmallMatrix A(rows, count);
  SmallVector c(rows), y(count);
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < count; ++k) {
      const auto [i, sign, mu] = edges[k];
      A(r, k) = e.w(unknowns[r], 2 * i) + sign * mu * e.w(unknowns[r], 2 * i + 1);
    }
    c[r] = -e.b[unknowns[r]];
  }
  const double left = nonnegative_least_squares(A, c, y);
  for (int k = 0; k < count; ++k)
    f[2 * edges[k].contact] += y[k], f[2 * edges[k].contact + 1] += edges[k].sign * edges[k].mu * y[k];
  return left <= tolerance * (c.norm() + y.sum());
}

void ModeSolver::answer(const ContactEquations& e, const std::vector<int>& among) {
  a.assign(e.b.begin(), e.b.end());
  force_size = size = 0;
  for (const int i : among)
    for (int row = e.normal(i); row < e.normal(i + 1); ++row) {
      for (const int k : among) {
        const int n = e.normal(k);
        a[row] += e.w(row, n) * f[n] + e.w(row, n + 1) * f[n + 1];
        if (e.tangents == 2) a[row] += e.w(row, n + 2) * f[n + 2];
      }
      size = std::fmax(size, std::abs(e.b[row])), force_size = std::fmax(force_size, std::abs(f[row]));
    }
  size = std::fmax(size, force_size), force_size = size;
}

// By how much contact i breaks its law, relative to the largest of all.
double ModeSolver::off(const ContactEquations& e, int i) const {
  if (e.tangents == 2) return off_in_space(e, i);
  const double n = f[2 * i], t = f[2 * i + 1];
  double most = 0;
  if (modes[i] == Mode::open) return std::fmax(0, -a[2 * i]) / size;
  if (existing)
    return modes[i] != Mode::stick && e.slip[i] == 0
               ? std::fmax(0, -slip_sign(modes[i]) * a[2 * i + 1]) / size
               : 0;
  most = std::fmax(most, -n);
  if (modes[i] == Mode::stick) most = std::fmax(most, std::abs(t) - e.mu[i] * n);
  if (modes[i] != Mode::stick && e.slip[i] == 0 && e.mu[i] > 0)
    most = std::fmax(most, -slip_sign(modes[i]) * a[2 * i + 1]);
  return most / size;
}
double ModeSolver::judge(const ContactEquations& e, const std::vector<int>& among) {
  worst = -1;
  if (!(size > 0)) return 0;
  double most = 0;
  for (const int i : among) {
    const double now = off(e, i);
    if (now > most || std::isnan(now)) most = now, worst = i;
  }
  return most;
}

}  // namespace carom
