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

#include "carom/flow/flow_step.hpp"

namespace carom {

inline constexpr int most_shadow_nodes = 17;  // order 16

// A flow together with its inverse and the step they are used with.
struct SteadyFlow {
  SteadyFlow(Flow f, double step) : forward(std::move(f)), backward(inverse(forward)), h(step) {}
  Flow forward, backward;
  double h;
};

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
