// A flow is a list of quadrature rules and fractions of the step, so a new method is data. Here: Simpson's
// rule as a discrete Lagrangian, and the fourth-order composition of it. The order is measured, not believed.
#include <carom/carom.hpp>

#include <cmath>
#include <cstdio>

using namespace carom;

namespace {

// q at t = 0.8, before the first impact.
Values run(const Flow& flow, int steps) {
  const auto system = make_system(DoublePendulum{});
  const auto start = validated_state(*system, DoublePendulum{}.start());
  FlowStepper stepper(*system, flow, 0.8 / steps);
  const auto ended = simulate(stepper, start, Grid{0, 0.8 / steps, steps});
  if (ended.failure) std::printf("t = %g: %s\n", ended.t, ended.failure->reason.c_str());
  return ended.z.q;
}

double order(const Flow& flow) {
  const Values exact = run(gauss(6), 100);
  return std::log2((run(flow, 160) - exact).norm() / (run(flow, 320) - exact).norm());
}

}  // namespace

int main() {
  // snippet: flow
  const Flow simpson{"simpson", 2, true, {{Rule{{0, 1.0 / 6}, {0.5, 4.0 / 6}, {1, 1.0 / 6}}}}};
  const Flow simpson4 = yoshida4(simpson);
  // snippet end

  const double low = order(simpson), high = order(simpson4);
  std::printf("Simpson's rule: order %.2f; composed: order %.2f\n", low, high);
  return std::abs(low - 2) < 0.1 && std::abs(high - 4) < 0.1 ? 0 : 1;
}
