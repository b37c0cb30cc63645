// A flow is a list of quadrature rules and fractions of the step, so a new method is data. Here: Simpson's
// rule as a discrete Lagrangian, and the fourth-order composition of it. The order is measured, not believed.
#include <carom/carom.hpp>

#include <cmath>
#include <cstdio>

using namespace carom;

namespace {

State<double, 2> run(const DoublePendulum& system, const Flow& flow, State<double, 2> z, int steps) {
  const double h = 0.8 / steps;
  for (int n = 0; n < steps; ++n) {
    const auto r = flow_step(system, flow, n * h, h, z);
    if (!r.outcome.ok()) std::printf("step %d: %s\n", n, describe(r.outcome.status));
    z = r.z;
  }
  return z;
}

double order(const DoublePendulum& system, const Flow& flow) {
  const auto start = validated_state(system, system.start());
  const auto exact = run(system, gauss(6), start, 100);
  const double coarse = (run(system, flow, start, 160).q - exact.q).norm();
  const double fine = (run(system, flow, start, 320).q - exact.q).norm();
  return std::log2(coarse / fine);
}

}  // namespace

int main() {
  // snippet: flow
  const Flow simpson{"simpson", 2, true, {{Rule{{0, 1.0 / 6}, {0.5, 4.0 / 6}, {1, 1.0 / 6}}}}};
  const Flow simpson4 = yoshida4(simpson);
  // snippet end

  const DoublePendulum system;
  const double low = order(system, simpson), high = order(system, simpson4);
  std::printf("Simpson's rule: order %.2f; composed: order %.2f\n", low, high);
  return std::abs(low - 2) < 0.1 && std::abs(high - 4) < 0.1 ? 0 : 1;
}
