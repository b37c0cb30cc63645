// One step through one impact, differentiated exactly: with discrete-energy (VCI) it is symplectic, with
// continuous-energy (CVA) it is not (000, Table I). The stepper works in doubles; so its unknowns u = (tau,
// s), the time of the impact and the size of the impulse, are differentiated implicitly. With R(z, u) = 0
// their equations and Z(z, u) the end of the step, A = Z_z - Z_u R_u^-1 R_z.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

enum class Kept { discrete_energy, hamiltonian };

// The step's equations and its end at (z, u), with derivatives in the 2N + 2 variables (q, p, tau, s).
template <SystemStruct Sys>
struct Through {
  static constexpr int N = Sys::dim;
  using D = Dual<double, 2 * N + 2>;
  Vector<D, 2> R;
  State<D, N> Z;

  Through(const Sys& system, const Flow& flow, double h, const State<double, N>& z, double tau, double s,
          Kept kept) {
    State<D, N> start;
    for (int i = 0; i < N; ++i) start.q[i] = D::variable(z.q[i], i), start.p[i] = D::variable(z.p[i], N + i);
    const D first = D::variable(tau, 2 * N), size = D::variable(s, 2 * N + 1);
    const auto before = flow_step(system, flow, D(0.0), first, start);
    State<D, N> left = before.z;
    left.p += jacobian([&system](const auto& x) { return system.gaps(x); }, left.q).row(0).transpose() * size;
    const auto after = flow_step(system, flow, first, D(h - first), left);
    R[0] = system.gaps(left.q)[0];
    R[1] = kept == Kept::discrete_energy
               ? after.energy - before.energy
               : hamiltonian(system, 0.0, left) - hamiltonian(system, 0.0, before.z);
    Z = after.z;
  }

  Matrix<double, 2 * N> derivative() const {
    Eigen::Matrix<double, 2, 2 * N + 2> dR;
    Eigen::Matrix<double, 2 * N, 2 * N + 2> dZ;
    for (int k = 0; k < 2 * N + 2; ++k) {
      for (int i = 0; i < 2; ++i) dR(i, k) = R[i].d[k];
      for (int i = 0; i < N; ++i) dZ(i, k) = Z.q[i].d[k], dZ(N + i, k) = Z.p[i].d[k];
    }
    const Matrix<double, 2> Ru = dR.template rightCols<2>();
    return dZ.template leftCols<2 * N>() -
           dZ.template rightCols<2>() * Ru.inverse() * dR.template leftCols<2 * N>();
  }
};

template <int M>
double symplectic_defect(const Matrix<double, M>& A) {
  Matrix<double, M> J = Matrix<double, M>::Zero();
  for (int i = 0; i < M / 2; ++i) J(i, M / 2 + i) = 1, J(M / 2 + i, i) = -1;
  return (A.transpose() * J * A - J).template lpNorm<Eigen::Infinity>();
}

struct Defect {
  double symplectic = NAN, residual = NAN, end = NAN, difference = NAN;
};

// The first step of a run that has one impact well inside it, differentiated.
template <SystemStruct Sys>
Defect through_first_impact(const Sys& own, const Flow& base, double h, Kept kept) {
  constexpr int N = Sys::dim;
  auto [name, system, z] = system_case("system", own);
  const ImpactLaw law = kept == Kept::discrete_energy ? discrete_energy() : continuous_energy();
  ContactStepper stepper(system, SteadyFlow(base, h), from_impact_to_impact(law));
  for (int n = 0; n < 2000; ++n) {
    const auto& r = stepper.step(0, z);
    if (r.failure) break;
    const bool inside = r.impacts.size() == 1 && r.impacts[0].t > 0.2 * h && r.impacts[0].t < 0.8 * h;
    if (!inside) {
      z = r.step.z;
      continue;
    }
    const Impact impact = r.impacts[0];
    const Phase end = r.step.z;
    const auto g =
        jacobian([&own](const auto& x) { return own.gaps(x); }, Vector<double, N>(impact.q)).row(0).eval();
    const double s = g.dot(impact.p_after - impact.p_before) / g.squaredNorm();
    const Through<Sys> step(own, base, h, {z.q, z.p}, impact.t, s, kept);
    const auto A = step.derivative();
    Defect d;
    d.symplectic = symplectic_defect<2 * N>(A);
    d.residual = std::max(std::abs(step.R[0].a), std::abs(step.R[1].a));
    d.end = d.difference = 0;
    for (int i = 0; i < N; ++i)
      d.end = std::max({d.end, std::abs(step.Z.q[i].a - end.q[i]), std::abs(step.Z.p[i].a - end.p[i])});
    // The same derivative from the stepper itself, by central differences.
    for (int k = 0; k < 2 * N; ++k) {
      constexpr double small = 1e-5;
      auto up = z, down = z;
      (k < N ? up.q[k] : up.p[k - N]) += small, (k < N ? down.q[k] : down.p[k - N]) -= small;
      const Phase a = stepper.step(0, up).step.z, b = stepper.step(0, down).step.z;
      for (int i = 0; i < N; ++i)
        d.difference = std::max({d.difference, std::abs((a.q[i] - b.q[i]) / (2 * small) - A(i, k)),
                                 std::abs((a.p[i] - b.p[i]) / (2 * small) - A(N + i, k))});
    }
    return d;
  }
  return {};
}

template <SystemStruct Sys>
void expect_symplectic(const Flow& base) {
  const auto d = through_first_impact(Sys{}, base, 0.02, Kept::discrete_energy);
  EXPECT_LT(d.residual, 1e-11) << base.name;   // the stepper solves these equations
  EXPECT_LT(d.end, 1e-11) << base.name;        // and ends where they say
  EXPECT_LT(d.difference, 1e-5) << base.name;  // and its differences agree to their own error
  EXPECT_LT(d.symplectic, 1e-9) << base.name;
}
TEST(VciSymplectic, DiscreteEnergyOnTheCartPendulum) {
  expect_symplectic<CartPendulum>(svc());
  expect_symplectic<CartPendulum>(midpoint());
}
TEST(VciSymplectic, DiscreteEnergyOnTheDoublePendulum) {
  expect_symplectic<DoublePendulum>(svc());
  expect_symplectic<DoublePendulum>(midpoint());
}

template <SystemStruct Sys>
void expect_not_symplectic() {
  const auto d = through_first_impact(Sys{}, svc(), 0.02, Kept::hamiltonian);
  EXPECT_LT(d.residual, 1e-11);
  EXPECT_LT(d.end, 1e-11);
  EXPECT_LT(d.difference, 1e-5);
  EXPECT_GT(d.symplectic, 1e-6);
}
TEST(VciSymplectic, ContinuousEnergyIsNot) {
  expect_not_symplectic<CartPendulum>();
  expect_not_symplectic<DoublePendulum>();
}

}  // namespace
}  // namespace carom::test
