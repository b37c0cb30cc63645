// The shadow energy: what a flow really conserves, without a series and without derivatives of L beyond those
// of the flow. The iterates z_k = Φ_h^k(z) lie on the modified flow already, so with A_k the action spent
// until z_k
//
//   H~(z) = p·q' - A'      ' = d/dt of the polynomial through the nodes -m .. m,   error O(h^2m)
//
// Fractional steps of the modified flow come from the same iterates (polynomial) or from three substeps of
// the flow itself (composition). Tested in tests/laws/modified_test.cpp.
#pragma once

#include <array>
#include <cmath>

#include "carom/flow_step.hpp"

namespace carom {

inline constexpr int most_shadow_nodes = 17;  // order 16

// A flow together with its inverse and the step they are used with.
struct SteadyFlow {
  SteadyFlow(Flow f, double step) : forward(std::move(f)), backward(inverse(forward)), h(step) {}
  Flow forward, backward;
  double h;
};

// Iterates z_first .. z_(first+count-1) of a state z_0, and the action from z_0 to each.
template <int N>
struct Iterates {
  int first = 0, count = 0;
  std::array<State<double, N>, most_shadow_nodes> z;
  std::array<double, most_shadow_nodes> action{};
  bool ok = true;
};

template <System Sys>
Iterates<Sys::dim> iterate(const Sys& system, const SteadyFlow& flow, double t,
                           const State<double, Sys::dim>& z, int first, int last) {
  Iterates<Sys::dim> r;
  r.first = first, r.count = last - first + 1;
  const auto walk = [&](const Flow& direction, int sign, int until) {
    auto state = z;
    double action = 0;
    for (int k = 0; k != until; k += sign) {
      const auto step = flow_step(system, direction, t + k * flow.h, flow.h, state);
      r.ok = r.ok && step.outcome.ok();
      if (!r.ok) return;
      state = step.z, action += step.action;
      const int next = k + sign;
      if (next >= first && next <= last) r.z[next - first] = state, r.action[next - first] = action;
    }
  };
  if (first <= 0 && last >= 0) r.z[-first] = z, r.action[-first] = 0;
  if (last > 0) walk(flow.forward, 1, last);
  if (first < 0) walk(flow.backward, -1, first);
  return r;
}

// Weights of the polynomial through the nodes first .. first+count-1 at x: of its value and of its
// derivative.
struct Weights {
  std::array<double, most_shadow_nodes> value{}, slope{};
};
inline Weights interpolation_weights(int first, int count, double x) {
  Weights w;
  for (int j = 0; j < count; ++j) {
    double value = 1, slope = 0;
    for (int k = 0; k < count; ++k) {
      if (k == j) continue;
      const double scale = 1.0 / (j - k), factor = (x - first - k) * scale;
      slope = slope * factor + value * scale;
      value *= factor;
    }
    w.value[j] = value, w.slope[j] = slope;
  }
  return w;
}

// H~(z) to order 2m in h. Where the system is not defined on one side (a singular potential behind a wall),
// the nodes are shifted to the other; NaN where even that fails.
template <System Sys>
double shadow_energy(const Sys& system, const SteadyFlow& flow, double t, const State<double, Sys::dim>& z,
                     int m) {
  for (const int shift : {0, m, -m}) {
    const auto nodes = iterate(system, flow, t, z, shift - m, shift + m);
    if (!nodes.ok) continue;
    const auto w = interpolation_weights(nodes.first, nodes.count, 0);
    double energy = 0;
    for (int j = 0; j < nodes.count; ++j) energy += w.slope[j] * (z.p.dot(nodes.z[j].q) - nodes.action[j]);
    return energy / flow.h;
  }
  return std::nan("");
}

// Fractions (-b, α+2b, -b) of three substeps whose leading errors add up to those of α of a step: Σ τ = α and
// Σ τ^(r+1) = α, r the order of the flow. (That is (a, α-2a, a) with a = -b < 0.)
template <class S>
S outer_fraction(const S& alpha, int order) {
  const int r = order;
  const double x = base_value(alpha);
  const auto power = [](double y, int n) { return std::pow(y, n); };
  double b = std::cbrt(x * (1 - x)) / 4;
  if (r > 4)  // from so far below the root Newton's method leaps too far to return; this is above it
    b = std::pow(x / (power(2, r + 1) - 2 * (r % 2 ? -1 : 1)), 1.0 / (r + 1));
  for (int i = 0; i < 100; ++i) {
    const double f = power(x + 2 * b, r + 1) - 2 * power(b, r + 1) * (r % 2 ? -1 : 1) - x;
    const double slope = 2 * (r + 1) * (power(x + 2 * b, r) - power(b, r) * (r % 2 ? -1 : 1));
    const double change = f / slope;
    b -= change;
    if (!(std::abs(change) > 1e-10 * std::abs(b))) break;  // quadratic: the next change would be rounding
  }
  S result(b);
  if constexpr (DualNumber<S>) {  // implicit differentiation
    const double along = (r + 1) * power(x + 2 * b, r) - 1,
                 across = 2 * (r + 1) * (power(x + 2 * b, r) - power(b, r) * (r % 2 ? -1 : 1));
    result = S(b) + (alpha - x) * (-along / across);
  }
  return result;
}

}  // namespace carom
