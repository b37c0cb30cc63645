#include "carom/contact/friction/frictional_impact.hpp"

#include <algorithm>
#include <cmath>

#include "small_least_squares.hpp"

namespace carom {

void FrictionalImpact::operator()(const ContactEquations& e, const std::vector<double>& restitution,
                                  const std::vector<double>* pressed) {
  given = restitution, way = Way::none, rounds = 0, squeezed = false;
  scale(e);
  begun = false;
  if (n == 1 && q.tangents == 2 && !pressed) return single_in_space();
  if (pressed) begin_without_collision(*pressed);
  const int most = 100 + 10 * n;
  for (; rounds < most && choose_approaching(false); ++rounds) {
    if (rounds > 0) lost_before = lost;
    if (way == Way::none) way = Way::usual;
    compress();
    limit_accounts();
    restitute();
  }
  if (rounds == most && choose_approaching(false)) {
    way = std::max(way, Way::plastic);
    choose_approaching(true);
    compress();
    for (int again = 0; again < 4 && choose_approaching(false); ++again)
      choose_approaching(true), end_convex(V);
  }
  choose_approaching(false);
  for (const int i : V) squeezed = squeezed || -w[N(i)] > 1e3 * least + rounding_of(N(i));
  for (int r = 0; r < q.rows; ++r) {
    P[r] = impulse[r] * units[r];
    if (units[r] > 0) w[r] /= units[r];
  }
}

// Rows are scaled by 1/sqrt(W_ii): the unit of all rates is then that of sqrt(energy).
void FrictionalImpact::scale(const ContactEquations& e) {
  n = e.count;
  q.resize(n, e.tangents);
  const auto rows = static_cast<std::size_t>(q.rows);
  units.resize(rows), w.resize(rows), P.resize(rows);
  for (int r = 0; r < q.rows; ++r) {
    double own = e.w(r, r);
    if (q.tangents == 2 && r % 3 == 1) own = std::fmax(own, e.w(r + 1, r + 1));  // cones stay round
    if (q.tangents == 2 && r % 3 == 2) own = std::fmax(own, e.w(r - 1, r - 1));
    units[r] = own > 0 ? 1 / std::sqrt(own) : 0;
  }
  for (int r = 0; r < q.rows; ++r)
    for (int k = 0; k < q.rows; ++k) q.w(r, k) = units[r] * e.w(r, k) * units[k];
  least = 0;
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int r = N(i); r < N(i + 1); ++r)
      w[r] = units[r] * e.b[r], largest = std::fmax(largest, std::abs(w[r]));
    q.set_mu(i, units[N(i) + 1] > 0 ? e.mu_sliding[i] * units[N(i)] / units[N(i) + 1] : 0);
    least = std::fmax(least, -w[N(i)]);
  }
  before = w;
  least = 1e-12 * least + 4e-16 * largest, standing = 1e-13 * largest;
  look_at_slips();
  impulse.assign(rows, 0.0), rate.assign(rows, 0.0), direction.assign(rows, 0.0);
  account.assign(static_cast<std::size_t>(n), 0.0), share.assign(static_cast<std::size_t>(n), 0.0);
  stops.resize(static_cast<std::size_t>(n)), ended.resize(static_cast<std::size_t>(n));
  lost = lost_before = 0;
}

// The rates anew from all impulses: what was added up piece by piece may be off by their rounding.
void FrictionalImpact::look_at_rates() {
  for (int r = 0; r < q.rows; ++r) {
    w[r] = before[r];
    for (int k = 0; k < q.rows; ++k) w[r] += q.w(r, k) * impulse[k];
  }
  look_at_slips();
}

// Of impulses that all but cancel each other.
double FrictionalImpact::rounding_of(int row) const {
  double sum = 0;
  for (int k = 0; k < q.rows; ++k) sum += std::abs(q.w(row, k) * impulse[k]);
  return 1e-14 * sum;
}

bool FrictionalImpact::choose_approaching(bool all) {
  if (rounds > 0) look_at_rates();
  V.clear();
  bool any = false;
  for (int i = 0; i < n; ++i) {
    const bool now = approaches(i) && units[N(i)] > 0;
    any = any || now;
    if (now || all) V.push_back(i);
  }
  return any;
}

void FrictionalImpact::compress() {
  if (!begun) std::fill(share.begin(), share.end(), 0.0), std::fill(account.begin(), account.end(), 0.0);
  begun = false;
  const bool plastic = way >= Way::plastic;
  for (int pieces = 0, without = 0; without <= 10 + 5 * n && pieces < most_pieces(); ++pieces) {
    on.clear();
    bool any = false;
    for (const int i : V)
      if (w[N(i)] <= least) on.push_back(i), any = any || approaches(i);
    if (!any) return;
    for (int r = 0; r < q.rows; ++r) q.b[r] = r % (1 + q.tangents) == 0 ? w[r] : 0;
    const bool by_modes = piece_by_modes();
    if (!by_modes) way = std::max(way, plastic ? way : Way::without_modes), ++without, piece_without_modes();
    double end = by_modes ? 1 : HUGE_VAL;
    if (!by_modes)
      for (const int i : V)
        if (approaches(i) && direction[N(i)] > 0) end = std::fmin(end, -w[N(i)] / direction[N(i)]);
    double s = until_events(end, pushed_now);
    if (!std::isfinite(s)) break;
    if (q.tangents == 2) s = by_middle(s, end, [&] { by_modes ? (void)piece_by_modes() : friction_again(); });
    advance(s, false);
  }
  end_convex(V);
}

// What is pressed slides on, and is compressed, until its slip ends.
void FrictionalImpact::begin_without_collision(const std::vector<double>& pressed) {
  pushed_now.clear(), on.clear();
  for (int i = 0; i < n; ++i)
    if (pressed[i] > 0) rate[N(i)] = pressed[i], pushed_now.push_back(i), on.push_back(i);
  friction_for_rates(pushed_now);
  answer();
  V.clear();
  const int sliding = slips_now();
  for (int pieces = 0; pieces < most_pieces(); ++pieces) {  // in space a slip turns on its way to its end
    double s = until_events(HUGE_VAL, pushed_now);
    if (!std::isfinite(s)) return;
    if (q.tangents == 2) s = by_middle(s, HUGE_VAL, [&] { friction_again(); });
    advance(s, false);
    if (slips_now() < sliding) break;
    friction_again();
  }
  way = Way::without_modes, begun = true;
  double fastest = 0;
  for (int i = 0; i < n; ++i) fastest = std::fmax(fastest, -w[N(i)]);
  least = std::fmax(least, 1e-12 * fastest);
}

// Rates of impulse over `on`, by which w_n goes to zero in proportion.
bool FrictionalImpact::piece_by_modes() {
  if (solver.solve(q, on, false) == ModeSolver::Found::none) return false;
  rate = solver.f;
  pushed_now.clear();
  for (const int i : on)
    if (rate[N(i)] > 0) pushed_now.push_back(i);
  answer();
  return true;
}

// Normal rates as without friction, over those that approach: 0 <= y ⟂ W_nn y + w_n >= 0.
void FrictionalImpact::piece_without_modes() {
  pushed_now.clear();
  for (const int i : on)
    if (approaches(i)) pushed_now.push_back(i);
  const int k = static_cast<int>(pushed_now.size());
  first.assign(static_cast<std::size_t>(k), 0);
  nonnegative.shape(first);
  bias.resize(k), y.resize(k);
  for (int i = 0; i < k; ++i) {
    bias[i] = w[N(pushed_now[i])];
    for (int j = 0; j <= i; ++j) nonnegative.add(i, j, q.w(N(pushed_now[i]), N(pushed_now[j])));
  }
  if (!nonnegative.solve(bias, y, 1e-3 * least)) y = (-bias).cwiseMax(0.0);
  std::fill(rate.begin(), rate.end(), 0.0);
  for (int i = 0; i < k; ++i) rate[N(pushed_now[i])] = y[i];
  friction_for_rates(pushed_now);
  answer();
}

// Friction for given normal rates y: slipping -mu y sign(u); of the others the minimum of ½ λ'W_tt λ +
// λ'(rates of slip by all else) over |λ| <= mu y, by sets of those at their bounds.
void FrictionalImpact::friction_for_rates(const std::vector<int>& pushed) {
  if (q.tangents == 2) return friction_in_space(pushed);
  for (const int i : pushed) rate[2 * i + 1] = -q.slip[i] * q.mu[i] * rate[2 * i];
  const auto drive = [this](int i) {
    double sum = 0;
    for (int r = 0; r < 2 * n; ++r) sum += q.w(2 * i + 1, r) * rate[r];
    return sum;
  };
  double change = HUGE_VAL, largest = 0;
  for (const int i : pushed) largest = std::fmax(largest, q.mu[i] * rate[2 * i]);
  for (int sweep = 0; sweep < 1000 && change > 1e-16 * largest; ++sweep) {
    change = 0;
    for (const int i : pushed) {
      if (q.slip[i] != 0 || q.mu[i] == 0) continue;
      const double bound = q.mu[i] * rate[2 * i], now = rate[2 * i + 1];
      const double to = std::clamp(now - drive(i), -bound, bound);  // the diagonal of W is one
      rate[2 * i + 1] = to, change = std::fmax(change, std::abs(to - now));
    }
  }
}

void FrictionalImpact::answer() {
  for (int r = 0; r < q.rows; ++r) {
    direction[r] = 0;
    for (int k = 0; k < q.rows; ++k) direction[r] += q.w(r, k) * rate[k];
  }
}

// How long the piece lasts: until a slip of what is pressed stops, or an open contact of V closes.
double FrictionalImpact::until_events(double end, const std::vector<int>& pushed) {
  std::fill(stops.begin(), stops.end(), 0);
  if (q.tangents == 2) end = until_turned(end, pushed);
  for (int i = 0; i < n && q.tangents == 1; ++i) {
    const double u = w[2 * i + 1], du = direction[2 * i + 1];
    if (q.slip[i] == 0 || !std::binary_search(pushed.begin(), pushed.end(), i) || !(u * du < 0)) continue;
    const double at = -u / du;
    if (at > end) continue;
    if (at < end) std::fill(stops.begin(), stops.end(), 0);
    end = at, stops[i] = 1;
  }
  for (const int i : V) {
    const double rise = w[N(i)], by = direction[N(i)];
    if (!(rise > least && by < 0) || std::binary_search(on.begin(), on.end(), i)) continue;
    if (-rise / by < end) end = -rise / by, std::fill(stops.begin(), stops.end(), 0);
  }
  return end;
}

void FrictionalImpact::advance(double s, bool returns) {
  for (int i = 0; i < n; ++i) {
    const double work = rate[N(i)] * s * (w[N(i)] + 0.5 * s * direction[N(i)]);
    if (!returns && work < 0) account[i] -= given[i] * given[i] * work;
    if (returns) account[i] = ended[i] ? 0 : std::fmin(account[i], account[i] - work);
    if (!returns) share[i] += s * rate[N(i)];
  }
  lost -= kinetic_change(s);
  for (int r = 0; r < q.rows; ++r) impulse[r] += s * rate[r], w[r] += s * direction[r];
  for (int i = 0; i < n; ++i)
    for (int r = N(i) + 1; stops[i] && r < N(i + 1); ++r) w[r] = 0;
  look_at_slips();
}

// Slips below rounding are none: the modes decide what becomes of them.
void FrictionalImpact::look_at_slips() {
  for (int i = 0; i < n; ++i) {
    if (q.tangents == 2) {
      look_at_direction(i);
      continue;
    }
    const double u = w[2 * i + 1];
    q.slip[i] = std::abs(u) <= standing ? 0 : u > 0 ? 1 : -1;
  }
}

// Of ½ w'W⁻¹w, by s rates.
double FrictionalImpact::kinetic_change(double s) const {
  double sum = 0;
  for (int r = 0; r < q.rows; ++r) sum += s * rate[r] * (w[r] + 0.5 * s * direction[r]);
  return sum;
}

// No more is given back than was lost: after paths that are not those of the modes.
void FrictionalImpact::limit_accounts() {
  double claimed = 0;
  for (int i = 0; i < n; ++i)
    if (account[i] > 0) claimed += account[i] / (given[i] * given[i]);
  const double taken = std::fmax(0, lost - lost_before);
  if (claimed > taken)
    for (double& A : account) A *= taken / claimed;
}

void FrictionalImpact::restitute() {
  for (int pieces = 0; pieces < (q.tangents == 1 ? 20 + 10 * n : most_pieces()); ++pieces) {
    pushed_now.clear();
    std::fill(rate.begin(), rate.end(), 0.0);
    for (int i = 0; i < n; ++i)
      if (account[i] > 0 && share[i] > 0 && given[i] > 0)
        rate[N(i)] = given[i] * share[i], pushed_now.push_back(i);
    if (pushed_now.empty()) return;
    friction_for_rates(pushed_now);
    answer();
    int spends = -1;
    double end = until_spent(spends);
    std::fill(ended.begin(), ended.end(), 0);
    double s = until_events(end, pushed_now);
    if (!std::isfinite(s)) return;
    if (q.tangents == 2) {
      s = by_middle(s, HUGE_VAL, [&] { friction_again(); });
      end = until_spent(spends);
      if (end <= s) s = end;
    }
    if (spends >= 0 && s == end) ended[spends] = 1;
    advance(s, true);
    for (const int i : pushed_now)  // pushed back by others: to the next round
      if (approaches(i) && direction[N(i)] < 0) account[i] = 0;
  }
}

// Until the first account is spent, and whose: rate (w s + ½ s² dw) = A.
double FrictionalImpact::until_spent(int& spends) const {
  double end = HUGE_VAL;
  for (const int i : pushed_now) {
    const double w0 = w[N(i)], dw = direction[N(i)], need = 2 * account[i] / rate[N(i)];
    const double root = w0 * w0 + dw * need;
    if (!(root >= 0) || (dw <= 0 && w0 <= 0)) continue;
    const double at = w0 >= 0 ? need / (w0 + std::sqrt(root)) : (std::sqrt(root) - w0) / dw;
    if (at > 0 && at < end) end = at, spends = i;
  }
  return end;
}

// min ½ P'W P + w'P over the cones, as sums of their edges with coefficients that are not negative.
void FrictionalImpact::end_convex(const std::vector<int>& among) {
  way = Way::convex;
  std::fill(rate.begin(), rate.end(), 0.0), std::fill(stops.begin(), stops.end(), 0);
  if (q.tangents == 2)
    convex_in_space(among);
  else if (static_cast<int>(among.size()) <= ModeSolver::most_enumerated)
    convex_by_roots(among);
  else
    convex_by_pivots(among);
  answer();
  double slope = 0, bend = 0;  // of T along it: no path may gain, however well it was solved
  for (int r = 0; r < q.rows; ++r) slope += rate[r] * w[r], bend += rate[r] * direction[r];
  if (slope < 0 && bend > 0) advance(std::fmin(1, -slope / bend), false);
}

void FrictionalImpact::add_edge(int row, const std::vector<int>& among, double by) {
  const int i = among[row / 2];
  rate[2 * i] += by, rate[2 * i + 1] += (row % 2 == 0 ? 1 : -1) * q.mu[i] * by;
}

// As least squares, by the root of W: |R P + r|² with W = R'R, w = R'r.
void FrictionalImpact::convex_by_roots(const std::vector<int>& among) {
  const int k = 2 * static_cast<int>(among.size());
  SmallMatrix own(k, k);
  SmallVector drive(k), x(k);
  for (int r = 0; r < k; ++r) {
    const int row = 2 * among[r / 2] + r % 2;
    drive[r] = w[row];
    for (int c = 0; c < k; ++c) own(r, c) = q.w(row, 2 * among[c / 2] + c % 2);
  }
  const Eigen::SelfAdjointEigenSolver<SmallMatrix> parts(own);
  SmallMatrix root = parts.eigenvectors().transpose();
  SmallVector aim = -(root * drive);
  for (int r = 0; r < k; ++r) {
    const double value = parts.eigenvalues()[r],
                 size = value > 1e-13 * parts.eigenvalues()[k - 1] ? std::sqrt(value) : 0;
    root.row(r) *= size, aim[r] = size > 0 ? aim[r] / size : 0;
  }
  SmallMatrix edges(k, k);
  for (int c = 0; c < k; ++c)
    edges.col(c) =
        root.col(2 * (c / 2)) + (c % 2 == 0 ? 1 : -1) * q.mu[among[c / 2]] * root.col(2 * (c / 2) + 1);
  nonnegative_least_squares(edges, aim, x);
  for (int c = 0; c < k; ++c) add_edge(c, among, x[c]);
}

void FrictionalImpact::convex_by_pivots(const std::vector<int>& among) {
  const int k = 2 * static_cast<int>(among.size());
  first.assign(static_cast<std::size_t>(k), 0);
  nonnegative.shape(first);
  bias.resize(k), y.resize(k);
  const auto along = [this](int row, int i, int sign) {
    return q.w(row, 2 * i) + sign * q.mu[i] * q.w(row, 2 * i + 1);
  };
  for (int r = 0; r < k; ++r) {
    const int i = among[r / 2], sign = r % 2 == 0 ? 1 : -1;
    bias[r] = w[2 * i] + sign * q.mu[i] * w[2 * i + 1];
    for (int c = 0; c <= r; ++c) {
      const int j = among[c / 2], other = c % 2 == 0 ? 1 : -1;
      nonnegative.add(r, c, along(2 * i, j, other) + sign * q.mu[i] * along(2 * i + 1, j, other));
    }
  }
  if (!nonnegative.solve(bias, y, 0.1 * least)) return;
  for (int r = 0; r < k; ++r) add_edge(r, among, y[r]);
}

}  // namespace carom
