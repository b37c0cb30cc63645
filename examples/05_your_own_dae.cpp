// A bead on a parabolic wire with Coulomb friction, as a mechanical system whose friction depends on what the
// wire exerts, stepped as an overdetermined DAE: it slides, is held by the wire on either side, and comes to
// rest. What friction took is what is missing.
#include <carom/dae.hpp>

#include <cstdio>

using namespace carom;

struct Bead {
  static constexpr int dim = 2;
  double mu = 0.2, g = 9.81;

  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return g * q[1];
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1] - 0.5 * q[0] * q[0]);
  }
  // The wire pushes with psi times the gradient (-x, 1) of the joint; friction is mu times that, backwards.
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>& q, const Vector<S, 2>& v, const auto& psi) const {
    const S normal = abs(psi[0]) * sqrt(1.0 + q[0] * q[0]);
    return v * (-mu * normal / sqrt(v.dot(v)));
  }
};

int main() {
  const DaeSystem system(std::make_shared<MechanicalDae>(make_system(Bead{})));
  Phase z{Values::Zero(2), Values::Zero(2)};
  z.q << 1, 0.5;  // at rest, where the wire is steep
  const double H0 = hamiltonian(system, z);

  DaeStepper stepper(system, yoshida4(sva()), 0.01, {});
  DaeLedger ledger(system);
  const auto ended = simulate(stepper, z, Grid{0, 0.01, 1000}, ledger);
  if (ended.failure) return std::puts(ended.failure->reason.c_str()), 1;
  const double H = hamiltonian(system, ended.z);
  std::printf("rests at x = %.6f; H fell by %.6f, friction took %.6f\n", ended.z.q[0], H0 - H,
              -ledger.friction);
  return stepper.rests() && std::abs(ledger.remainder()) < 1e-5 ? 0 : 1;
}
