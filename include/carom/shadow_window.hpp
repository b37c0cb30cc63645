// The shadow energy along a run, at the price of one more step per grid point: the iterates around a point
// are those around the next one, shifted, as long as no impact comes between. Tested against shadow_energy()
// in tests/laws/shadow_window_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "carom/shadow.hpp"

namespace carom {

struct ShadowValue {
  double energy = 0;
  double uncertainty = 0;  // difference to the energy of two orders less
};

template <System Sys>
class ShadowWindow {
  static constexpr int N = Sys::dim;

 public:
  // Order 2 `half`, from the nodes -half .. half.
  ShadowWindow(const Sys& sys, const SteadyFlow& f, int half)
      : system(sys),
        flow(f),
        m(half),
        count(2 * half + 1),
        weights{interpolation_weights(-m, count, 0), interpolation_weights(1 - m, count - 2, 0)} {
    for (auto& state : z) state.q.setZero(), state.p.setZero();
  }

  ShadowValue at(std::int64_t n, double t, const State<double, N>& point) {
    const bool follows = valid && n == centre + 1 && z[m + 1].q == point.q && z[m + 1].p == point.p;
    centre = n;
    valid = follows ? shift(t) : rebuild(t, point);
    if (!valid) return {shadow_energy(system, flow, t, point, m), 0};
    const double energy = of_order(m);
    return {energy, m > 1 ? std::abs(energy - of_order(m - 1)) : 0};
  }

  // Calls f with each number that a run must keep to go on later as if it had never stopped.
  void numbers(auto&& f) {
    f(centre), f(valid);
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i < N; ++i) f(z[j].q[i]), f(z[j].p[i]);
      f(action[j]);
    }
  }

 private:
  bool rebuild(double t, const State<double, N>& point) {
    const auto nodes = iterate(system, flow, t, point, -m, m);
    if (!nodes.ok) return false;
    z = nodes.z;
    for (int j = 0; j + 1 < count; ++j) action[j] = nodes.action[j + 1] - nodes.action[j];
    return true;
  }

  bool shift(double t) {
    std::copy(z.begin() + 1, z.begin() + count, z.begin());
    std::copy(action.begin() + 1, action.begin() + count - 1, action.begin());
    const auto step = flow_step(system, flow.forward, t + (m - 1) * flow.h, flow.h, z[count - 2]);
    z[count - 1] = step.z, action[count - 2] = step.action;
    return step.outcome.ok();
  }

  // H~ = p·q' - A' from the nodes -k .. k.
  double of_order(int k) const {
    const Weights& w = weights[m - k];
    double ahead = 0, behind = 0, sum = 0;
    for (int j = 1; j <= k; ++j) {
      ahead += action[m + j - 1], behind -= action[m - j];
      sum += w.slope[k + j] * (z[m].p.dot(z[m + j].q) - ahead);
      sum += w.slope[k - j] * (z[m].p.dot(z[m - j].q) - behind);
    }
    return (sum + w.slope[k] * z[m].p.dot(z[m].q)) / flow.h;
  }

  Sys system;
  SteadyFlow flow;
  int m, count;
  std::array<Weights, 2> weights;  // of this order and the one below
  std::int64_t centre = -1, valid = 0;
  std::array<State<double, N>, most_shadow_nodes> z;
  std::array<double, most_shadow_nodes> action{};  // of the step from node j to j + 1
};

}  // namespace carom
