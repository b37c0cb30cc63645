// A Lagrangian that is not quadratic in v: a relativistic particle over a floor, close to the speed of light,
// where velocities follow from momenta only with care and mirrors are not linear.
#include <gtest/gtest.h>

#include "support/system_cases.hpp"

namespace carom::test {
namespace {

struct Relativistic {
  static constexpr int dim = 2;
  double g = 1;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return -sqrt(1.0 - v[0] * v[0] - v[1] * v[1]) - g * q[1];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
};

TEST(NotQuadratic, VelocityOfAnyMomentum) {
  const Relativistic system;
  const Vector<double, 2> q(0, 1);
  for (const double size : {1e-6, 0.5, 3.0, 50.0, 1e4}) {
    const Vector<double, 2> p(0.6 * size, -0.8 * size);
    const auto v = velocity(system, 0.0, q, p);
    ASSERT_TRUE(v.ok) << size;
    EXPECT_LT((v.x - p / std::sqrt(1 + size * size)).norm(), 1e-12) << size;
    const double gamma = std::sqrt(1 + size * size);  // 1 - v² loses as many digits as gamma² has
    EXPECT_NEAR(hamiltonian(system, 0.0, State<double, 2>{q, p}), gamma + 1, 1e-15 * gamma * gamma * gamma)
        << size;
  }
}

// dv/dp = (1 - v v') / gamma.
TEST(NotQuadratic, DerivativesOfTheVelocity) {
  const Relativistic system;
  const Vector<double, 2> p(3, -4);
  const auto J = jacobian(
      [&](const auto& x) {
        using S = typename std::decay_t<decltype(x)>::Scalar;
        return velocity(system, 0.0, Vector<S, 2>(S(0.0), S(1.0)), x).x;
      },
      p);
  const double gamma = std::sqrt(26);
  const Vector<double, 2> v = p / gamma;
  EXPECT_LT((J - (Matrix<double, 2>::Identity() - v * v.transpose()) / gamma).norm(), 1e-13);
}

// At an impact the momentum along the floor's normal turns around, exactly.
TEST(NotQuadratic, AMirrorTurnsTheMomentumAround) {
  const auto system = as_system(Relativistic{});
  ContactStepper stepper(system, SteadyFlow(svc(), 0.01), from_impact_to_impact(continuous_energy()));
  Phase z{Vector<double, 2>(0, 1), Vector<double, 2>(2, -3)};
  const double H = hamiltonian(system, z);
  int impacts = 0;
  for (int n = 0; n < 2000; ++n) {
    const auto& r = stepper.step(0.01 * n, z);
    ASSERT_FALSE(r.failure) << r.failure->reason;
    for (const auto& impact : r.impacts) {
      ++impacts;
      EXPECT_LT((impact.p_after - Vector<double, 2>(impact.p_before[0], -impact.p_before[1])).norm(), 1e-11);
    }
    z = r.step.z;
    EXPECT_NEAR(hamiltonian(system, z), H, 1e-4);
  }
  EXPECT_GE(impacts, 3);
  EXPECT_EQ(stepper.fallbacks(), 0);
}

TEST(NotQuadratic, EveryLawFindsItsImpact) {
  const auto system = as_system(Relativistic{});
  for (const auto& law : {discrete_energy(), shadow_law(8)}) {
    ContactStepper stepper(system, SteadyFlow(svc(), 0.01), from_impact_to_impact(law));
    Phase z{Vector<double, 2>(0, 1), Vector<double, 2>(2, -3)};
    const double H = hamiltonian(system, z);
    std::size_t impacts = 0;
    for (int n = 0; n < 2000; ++n) {
      const auto& r = stepper.step(0.01 * n, z);
      ASSERT_FALSE(r.failure) << law.name << r.failure->reason;
      z = r.step.z, impacts += r.impacts.size();
      EXPECT_NEAR(hamiltonian(system, z), H, 1e-3) << law.name;
    }
    EXPECT_GE(impacts, 3u) << law.name;
    EXPECT_EQ(stepper.fallbacks(), 0) << law.name;
  }
}

}  // namespace
}  // namespace carom::test
