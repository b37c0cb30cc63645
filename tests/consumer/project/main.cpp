// A project of its own that has nothing but the installed carom: its own system, run by a shipped flow.
#include <carom/contact/dense_mechanism.hpp>
#include <carom/contact/mechanism_system.hpp>
#include <carom/flow_stepper.hpp>
#include <carom/flows.hpp>
#include <carom/ledger.hpp>
#include <carom/validated_start.hpp>

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
  using carom::Values;
  const carom::MechanismSystem system{std::make_shared<carom::DenseMechanism<Pendulum>>(Pendulum{})};
  const auto start =
      carom::validated_state(*system.mechanism, {Values::Ones(1), Values::Zero(1), std::nullopt});
  carom::FlowStepper stepper(*system.mechanism, carom::svc(), 0.005);
  carom::Ledger<carom::MechanismSystem> ledger(system);
  const auto ended = carom::simulate(stepper, start, carom::Grid{0, 0.005, 20000}, ledger);
  std::printf("t = %g, largest energy error %.2e\n", ended.t, ledger.energy.max_abs_error);
  return !ended.failure && ledger.energy.max_abs_error < 3e-4 ? 0 : 1;
}
