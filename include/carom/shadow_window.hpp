// The shadow energy along a run: the iterates around a point are those around the next one, shifted, as long
// as no impact comes between. That takes one step of the flow per grid point, ahead of the run, which need
// not take it again. Tested against shadow_energy() in tests/laws/shadow_window_test.cpp.
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
    if (n != followed && !follow(n, t, point)) centre = n, valid = rebuild(t, point);
    followed = -1;
    if (!valid) return {shadow_energy(system, flow, t, point, m), 0};
    const double energy = of_order(m);
    return {energy, m > 1 ? std::abs(energy - of_order(m - 1)) : 0};
  }

  // Moves on to the next grid point, by one step of the flow; false where the run has not gone there.
  bool follow(std::int64_t n, double t, const State<double, N>& point) {
    if (!valid || n != centre + 1 || z[m + 1].q != point.q || z[m + 1].p != point.p) return false;
    centre = followed = n, valid = shift(t);
    return true;
  }

  // The step of the flow from here, if it has been taken.
  const StepResult<double, N>* step_from(const State<double, N>& point) const {
    const bool known = valid && m >= first_known && z[m].q == point.q && z[m].p == point.p;
    return known ? &steps[m] : nullptr;
  }

  // Calls f with each number that a run must keep to go on later as if it had never stopped.
  void numbers(auto&& f) {
    f(centre), f(valid);
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i < N; ++i) f(z[j].q[i]), f(z[j].p[i]);
      f(action[j]);
    }
    first_known = count;  // steps are not kept
  }

 private:
  bool rebuild(double t, const State<double, N>& point) {
    const auto before = iterate(system, flow, t, point, -m, 0);
    if (!before.ok) return false;
    std::copy(before.z.begin(), before.z.begin() + m + 1, z.begin());
    for (int j = 0; j < m; ++j) action[j] = before.action[j + 1] - before.action[j];
    first_known = m;
    double spent = 0;
    for (int k = 0; k < m; ++k) {
      if (!take_step(m + k, t + k * flow.h)) return false;
      const double so_far = spent;
      spent += steps[m + k].action;
      action[m + k] = spent - so_far;
    }
    return true;
  }

  bool shift(double t) {
    std::copy(z.begin() + 1, z.begin() + count, z.begin());
    std::copy(action.begin() + 1, action.begin() + count - 1, action.begin());
    for (int j = std::max(first_known, m + 1); j < count - 1; ++j) steps[j - 1] = steps[j];
    first_known = std::min(first_known, count - 1) - 1;
    return take_step(count - 2, t + (m - 1) * flow.h);
  }

  // From node j to the next.
  bool take_step(int j, double t) {
    steps[j] = flow_step(system, flow.forward, t, flow.h, z[j]);
    z[j + 1] = steps[j].z, action[j] = steps[j].action;
    return steps[j].outcome.ok();
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
  std::int64_t centre = -1, valid = 0, followed = -1;
  std::array<State<double, N>, most_shadow_nodes> z;
  std::array<double, most_shadow_nodes> action{};              // of the step from node j to j + 1
  std::array<StepResult<double, N>, most_shadow_nodes> steps;  // the same, from node `first_known` on
  int first_known = most_shadow_nodes;
};

// The step of a flow, from what has been taken ahead of the run if there is such.
template <System Sys>
StepResult<double, Sys::dim> flow_step(const ShadowWindow<Sys>* ahead, const Sys& system, const Flow& flow,
                                       double t, double h, const State<double, Sys::dim>& z) {
  const auto* taken = ahead ? ahead->step_from(z) : nullptr;
  return taken ? *taken : flow_step(system, flow, t, h, z);
}

}  // namespace carom
