// A project of its own that has nothing but the installed carom: its own system, run by a shipped flow.
#include <carom/carom.hpp>

#include <cmath>
#include <cstdio>

struct Pendulum {
  static constexpr int dim = 1;
  double length = 1, gravity = 9.81;

  template <class S>
  S lagrangian(const carom::Vector<S, 1>& q, const carom::Vector<S, 1>& v) const {
    return 0.5 * length * length * v[0] * v[0] + gravity * length * cos(q[0]);
  }
};

int main() {
  const auto system = carom::make_system(Pendulum{});
  const auto start = carom::validated_state(*system, carom::start_at({1}, {0}));
  carom::FlowStepper stepper(*system, carom::svc(), 0.005);
  carom::Ledger ledger(*system);
  const auto ended = carom::simulate(stepper, start, carom::Grid{0, 0.005, 20000}, ledger);
  std::printf("t = %g, largest energy error %.2e\n", ended.t, ledger.energy.max_abs_error);
  return !ended.failure && ledger.energy.max_abs_error < 3e-4 ? 0 : 1;
}
