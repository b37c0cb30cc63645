// The impact of one contact in space, along the path of its slip. With the normal impulse as time and dP_n =
// |u| ds,
//
//   du/ds = |u| W_tn - mu W_tt u,   dw_n/ds = |u| W_nn - mu W_nt u,   dP_t/ds = -mu u,   dA/ds = w_n |u|
//
// which is smooth where u goes to zero, as slowly as it may. By an embedded Runge-Kutta pair of orders 5 and
// 4 (Dormand and Prince, "A family of embedded Runge-Kutta formulae", 1980). Where u has ended the contact
// sticks if its cone allows, and else leaves along the one ray on which its slip keeps its direction.
// Compression ends at w_n = 0, restitution where e² of the work of compression has been returned; a slip that
// turns may compress again before that, and adds to it.
#include <array>
#include <cmath>

#include "carom/contact/friction/frictional_impact.hpp"

namespace carom {
namespace {

struct Hodograph {
  static constexpr int size = 7;  // u, w_n, P_n, P_t, work
  using State = std::array<double, size>;
  std::array<double, 9> W{};
  double mu = 0, scale = 1, work_scale = 1;
  bool pushed_back = false;  // compressed again

  static double speed(const State& y) { return std::hypot(y[0], y[1]); }
  State slope(const State& y) const {
    const double u = speed(y);
    return {u * W[3] - mu * (W[4] * y[0] + W[5] * y[1]),
            u * W[6] - mu * (W[7] * y[0] + W[8] * y[1]),
            u * W[0] - mu * (W[1] * y[0] + W[2] * y[1]),
            u,
            -mu * y[0],
            -mu * y[1],
            y[2] * u};
  }

  // y over s; returns the error in terms of what is allowed. k1 is the slope at y.
  double step(const State& y, const State& k1, double s, State& to) const {
    static constexpr double a[6][6] = {
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    std::array<State, 7> k;
    k[0] = k1;
    for (int stage = 1; stage < 7; ++stage) {
      to = y;
      for (int j = 0; j < stage; ++j)
        for (int i = 0; i < size; ++i) to[i] += s * a[stage - 1][j] * k[j][i];
      k[stage] = slope(to);
    }
    constexpr double allowed = 1e-9;
    double error = 0;
    for (int i = 0; i < 3; ++i) {
      double own = 0;
      for (int j = 0; j < 7; ++j) own += s * e[j] * k[j][i];
      error = std::fmax(error, std::abs(own) / (i < 2 ? std::fmax(speed(to), 1e-6 * scale) : scale));
    }
    return error / allowed;
  }

  // Forces of sticking per unit of normal force; false outside of the cone.
  bool sticks(std::array<double, 2>& friction) const {
    const double det = W[4] * W[8] - W[5] * W[7];
    if (!(det > 1e-14)) return friction = {0, 0}, std::hypot(W[3], W[6]) <= 1e-12;
    friction = {-(W[8] * W[3] - W[5] * W[6]) / det, -(W[4] * W[6] - W[7] * W[3]) / det};
    return std::hypot(friction[0], friction[1]) <= mu;
  }

  // W_tn - mu W_tt σ ∥ σ, by σ <- (W_tn - mu W_tt σ + r σ)/|...|.
  std::array<double, 2> leaving(std::array<double, 2> from) const {
    const double length = std::hypot(from[0], from[1]);
    std::array<double, 2> s =
        length > 0 ? std::array{-from[0] / length, -from[1] / length} : std::array{1.0, 0.0};
    const double r = mu * (0.5 * (W[4] + W[8]) + std::hypot(0.5 * (W[4] - W[8]), W[5]));
    for (int pass = 0; pass < 1000; ++pass) {
      const double x = W[3] - mu * (W[4] * s[0] + W[5] * s[1]) + r * s[0],
                   y = W[6] - mu * (W[7] * s[0] + W[8] * s[1]) + r * s[1], now = std::hypot(x, y);
      if (!(now > 0)) break;
      const double change = std::hypot(x / now - s[0], y / now - s[1]);
      s = {x / now, y / now};
      if (change < 1e-15) break;
    }
    return s;
  }

  // Normal rates and friction constant from here on: until w_n = 0 (`goal` < 0), or until the work is `goal`.
  // False where neither comes.
  bool go_straight(State& y, const std::array<double, 2>& friction, double goal) const {
    const double rise = W[0] + W[1] * friction[0] + W[2] * friction[1];
    const double w = y[2];
    double P = HUGE_VAL;
    if (goal < 0) {
      if (rise > 0) P = -w / rise;
    } else {  // w P + ½ rise P² = what is left
      const double left = goal - y[6], root = w * w + 2 * rise * left;
      if (root >= 0 && (w > 0 || rise > 0)) P = 2 * left / (w + std::sqrt(root));
    }
    if (!(std::isfinite(P) && P >= 0)) return false;
    const State before = y;
    y[6] += P * (w + 0.5 * rise * P), y[3] += P, y[4] += P * friction[0], y[5] += P * friction[1];
    y[2] = goal < 0 ? 0 : w + rise * P;
    y[0] = before[0] + P * (W[3] + W[4] * friction[0] + W[5] * friction[1]);
    y[1] = before[1] + P * (W[6] + W[7] * friction[0] + W[8] * friction[1]);
    return true;
  }

  // As go_straight(), for a contact that slips.
  bool go(State& y, double goal) {
    pushed_back = false;
    double s = 0.05 / (1 + mu);
    constexpr int most = 2000;
    for (int count = 0; count < most && speed(y) > 1e-12 * scale; ++count) {
      const State k = slope(y);
      State to;
      const double error = step(y, k, s, to);
      if (error > 1) {
        s *= std::fmax(0.2, 0.9 * std::pow(error, -0.2));
        continue;
      }
      const auto off = [goal](const State& at) { return goal < 0 ? at[2] : at[6] - goal; };
      if (off(to) >= 0) return locate(y, k, s, off);
      if (goal >= 0 && to[2] < 0 && k[2] < 0) {
        if (y[2] > 0) locate(y, k, s, [](const State& at) { return -at[2]; });
        return y[2] = 0, pushed_back = true, false;
      }
      y = to, s *= std::fmin(4.0, 0.9 * std::pow(error + 1e-10, -0.2));
    }
    std::array<double, 2> friction{};
    if (sticks(friction)) return y[0] = y[1] = 0, go_straight(y, friction, goal);
    const auto ray = leaving(friction);
    y[0] = y[1] = 0;
    return go_straight(y, {-mu * ray[0], -mu * ray[1]}, goal);
  }

  // The part of the step at whose end `off` vanishes, by the Illinois method.
  bool locate(State& y, const State& k, double s, auto off) const {
    double low = 0, high = s, at_low = off(y);
    State to;
    step(y, k, s, to);
    double at_high = off(to);
    for (int pass = 0, side = 0; pass < 60 && at_high != 0 && high - low > 1e-15 * s; ++pass) {
      const double middle = (low * at_high - high * at_low) / (at_high - at_low);
      step(y, k, middle, to);
      const double now = off(to);
      if (now >= 0) {
        high = middle, at_high = now;
        if (side == 1) at_low *= 0.5;
        side = 1;
        if (now <= 1e-15 * work_scale) break;
      } else {
        low = middle, at_low = now;
        if (side == -1) at_high *= 0.5;
        side = -1;
      }
    }
    step(y, k, high, to);
    return y = to, true;
  }
};

}  // namespace

void FrictionalImpact::single_in_space() {
  Hodograph path;
  std::copy(q.W.begin(), q.W.end(), path.W.begin());
  path.mu = q.mu[0];
  for (rounds = 0; rounds < 10 && choose_approaching(false); ++rounds) {
    way = std::max(way, Way::usual);
    Hodograph::State y{w[1], w[2], w[0], 0, 0, 0, 0};
    path.scale = std::hypot(w[0], w[1], w[2]), path.work_scale = w[0] * w[0];
    bool ends = false;
    double back = 0;
    constexpr int most_turns = 10;
    for (int turn = 0; turn < most_turns; ++turn) {
      ends = path.go(y, -1);
      if (!ends || given[0] == 0) break;
      y[2] = 0, back -= given[0] * given[0] * y[6], y[6] = 0;
      if (path.go(y, back) || !path.pushed_back) break;
      back -= y[6], y[6] = 0;
    }
    if (!ends) way = Way::convex;
    for (const int r : {0, 1, 2}) impulse[r] += y[3 + r];
    // The cone, to rounding.
    const double across = std::hypot(impulse[1], impulse[2]), most = path.mu * impulse[0];
    if (across > most)
      for (const int r : {1, 2}) impulse[r] *= most / across;
    look_at_rates();
    if (!ends) choose_approaching(true), end_convex(V), look_at_rates();
  }
  choose_approaching(false);
  for (const int i : V) squeezed = squeezed || -w[N(i)] > 1e3 * least + rounding_of(N(i));
  for (int r = 0; r < q.rows; ++r) {
    P[r] = impulse[r] * units[r];
    if (units[r] > 0) w[r] /= units[r];
  }
}

}  // namespace carom
