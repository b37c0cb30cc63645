// A system is a plain struct that says its Lagrangian once. Here: a pendulum whose thread is a spring.
#include <carom/carom.hpp>

#include <cmath>
#include <cstdio>

using namespace carom;

// snippet: system
struct SpringPendulum {
  static constexpr int dim = 2;  // length r, angle θ from the vertical
  double m = 1, k = 40, rest = 1, g = 9.81;

  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    const S kinetic = 0.5 * m * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]);
    const S stretch = q[0] - rest;
    return kinetic - 0.5 * k * stretch * stretch + m * g * q[0] * cos(q[1]);
  }
};
// snippet end

int main() {
  // snippet: run
  const auto system = make_system(SpringPendulum{});
  const auto start = validated_state(*system, start_at({1.2, 0.6}, {0, 0}));  // r and θ, and how fast

  FlowStepper stepper(*system, yoshida4(sva()), 0.01);
  Ledger ledger(*system);
  const auto ended = simulate(stepper, start, Grid{0, 0.01, 100000}, ledger);
  // snippet end

  std::printf("t = %g: H = %.10f, largest error %.1e, drift %.1e per unit of time\n", ended.t,
              ledger.energy.final, ledger.energy.max_abs_error, ledger.drift.value());
  return !ended.failure && ledger.energy.max_abs_error < 1e-4 && std::abs(ledger.drift.value()) < 1e-8 ? 0
                                                                                                       : 1;
}
