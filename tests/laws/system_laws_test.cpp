// What every system must satisfy: the Legendre transform inverts, H and L agree, Hamilton's equations are the
// derivatives of H, both forms of a Lagrangian give the same derivatives, and the papers' numbers come out.
#include <gtest/gtest.h>

#include "support/flow_cases.hpp"

namespace carom::test {
namespace {

template <class Sys>
class SystemLaws : public testing::Test {};

using BuiltIn = testing::Types<PointMass, Particle, Star, DoublePendulum, CartPendulum, Billiard>;
TYPED_TEST_SUITE(SystemLaws, BuiltIn);

// The same physics, stated as L(q, v) only.
template <SystemStruct Sys>
struct AsLagrangian {
  static constexpr int dim = Sys::dim;
  Sys system;
  template <class S>
  S lagrangian(const Vector<S, dim>& q, const Vector<S, dim>& v) const {
    return carom::lagrangian(system, 0.0, q, v);
  }
};

// The same physics with its size known at run time only.
template <SystemStruct Sys>
struct AtRunTime {
  static constexpr int dim = Eigen::Dynamic;
  Sys system;
  int dimension() const { return Sys::dim; }
  template <class S>
  S lagrangian(const Vector<S, dim>& q, const Vector<S, dim>& v) const {
    return carom::lagrangian(system, 0.0, Vector<S, Sys::dim>(q), Vector<S, Sys::dim>(v));
  }
};

TYPED_TEST(SystemLaws, LegendreTransformInverts) {
  const TypeParam system;
  for (const auto& z : some_states(system, 10)) {
    const auto v = velocity(system, 0.0, z.q, z.p);
    ASSERT_TRUE(v.ok);
    EXPECT_LT((momentum(system, 0.0, z.q, v.x) - z.p).norm(), 1e-13 * (1 + z.p.norm()));
    EXPECT_NEAR(hamiltonian(system, 0.0, z), z.p.dot(v.x) - lagrangian(system, 0.0, z.q, v.x), 1e-12);
  }
}

TYPED_TEST(SystemLaws, HamiltonsEquationsAreTheDerivativesOfH) {
  constexpr int N = TypeParam::dim;
  const TypeParam system;
  for (const auto& z : some_states(system, 10)) {
    Vector<double, 2 * N> x;
    x << z.q, z.p;
    const auto H = gradient(
        [&system](const auto& y) {
          using S = typename std::decay_t<decltype(y)>::Scalar;
          return hamiltonian(system, 0.0, State<S, N>{y.template head<N>(), y.template tail<N>()});
        },
        x);
    const auto rate = rates(system, 0.0, z);
    EXPECT_LT((rate.q - H.gradient.template tail<N>()).norm(), 1e-12 * (1 + rate.q.norm()));
    EXPECT_LT((rate.p + H.gradient.template head<N>()).norm(), 1e-12 * (1 + rate.p.norm()));
  }
}

TYPED_TEST(SystemLaws, EveryWayToStateItGivesTheSameDerivatives) {
  constexpr int N = TypeParam::dim;
  const TypeParam system;
  const AsLagrangian<TypeParam> general{system};
  for (const auto& z : some_states(system, 5)) {
    const Vector<double, N>& v = z.p;
    const auto a = LagrangianAt<TypeParam, double, Need::all>(system, 0.0, z.q).jet(v);
    const auto b = LagrangianAt<AsLagrangian<TypeParam>, double, Need::all>(general, 0.0, z.q).jet(v);
    for (const auto& [x, y] : {std::pair{a.Lqq, b.Lqq}, {a.Lqv, b.Lqv}, {a.Lvv, b.Lvv}})
      EXPECT_LT((x - y).norm(), 1e-12 * (1 + x.norm()));
    EXPECT_LT((a.Lq - b.Lq).norm() + (a.Lv - b.Lv).norm() + std::abs(a.L - b.L),
              1e-12 * (1 + std::abs(a.L) + a.Lq.norm()));
  }
}

template <SystemStruct Sys>
void expect_same_steps() {
  const Sys system;
  const AsLagrangian<Sys> general{system};
  const AtRunTime<Sys> dynamic{system};
  const auto z = validated_state(system, system.start());
  for (const char* name : {"se1", "svc", "midpoint", "yoshida4", "gauss"}) {
    const Flow flow = make_flow(name);
    const auto a = run_flow(system, flow, z, 0.2, 10);
    const auto b = run_flow(general, flow, z, 0.2, 10);
    const auto c = run_flow(dynamic, flow, Phase{z.q, z.p}, 0.2, 10);
    EXPECT_LT(distance(a, b), 2e-13) << name;
    EXPECT_LT(distance(a, {c.q, c.p}), 2e-13) << name;
  }
}
TEST(SystemLaws, EveryWayToStateItGivesTheSameSteps) {
  expect_same_steps<Star>();
  expect_same_steps<DoublePendulum>();
}

TYPED_TEST(SystemLaws, DefaultStartIsAdmissibleAndParametersAreNamed) {
  TypeParam system;
  EXPECT_NO_THROW(validated_state(system, system.start()));
  int count = 0;
  system.parameters([&count](const char* name, double& value, Range) {
    EXPECT_STRNE(name, "");
    EXPECT_TRUE(std::isfinite(value)) << name;
    ++count;
  });
  EXPECT_GE(count, 2);
  EXPECT_EQ(TypeParam::gap_names.size(), static_cast<std::size_t>(system.gaps(system.start().q).size()));
}

// L = -m c² sqrt(1 - v²/c²) - k q²/2 is not quadratic in v: the inverse Legendre transform iterates.
struct RelativisticOscillator {
  static constexpr int dim = 1;
  template <class S>
  S lagrangian(const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    return -sqrt(1 - v[0] * v[0]) - 0.5 * q[0] * q[0];
  }
};
TEST(SystemLaws, LagrangianThatIsNotQuadraticInTheVelocity) {
  const RelativisticOscillator system;
  const State<double, 1> z{Vector<double, 1>(0.3), Vector<double, 1>(0.9)};
  const auto v = velocity(system, 0.0, z.q, z.p);
  ASSERT_TRUE(v.ok);
  EXPECT_NEAR(v.x[0], 0.9 / std::sqrt(1 + 0.81), 1e-14);
  EXPECT_NEAR(hamiltonian(system, 0.0, z), std::sqrt(1 + 0.81) + 0.045, 1e-14);
  for (const char* name : {"svc", "midpoint", "gauss"}) {
    const auto x = run_flow(system, make_flow(name), z, 50, 2500);
    EXPECT_NEAR(hamiltonian(system, 0.0, x), hamiltonian(system, 0.0, z), 1e-4) << name;
  }
}

// reference/: energies of the papers' starts, known to all digits.
TEST(SystemLaws, EnergiesOfThePapersStarts) {
  const DoublePendulum pendulum;
  EXPECT_NEAR(hamiltonian(pendulum, 0.0, validated_state(pendulum, pendulum.start())), 17.342618358938054,
              1e-13);
  const CartPendulum cart;
  EXPECT_NEAR(hamiltonian(cart, 0.0, validated_state(cart, CartPendulum::family(3.2))), 37.8199104, 1e-13);
}

// 002, (81): the lowest of the four vertices touches when y = L/2 (|sin θ| + |cos θ|).
TEST(SystemLaws, StarTouchesWhereThePaperSays) {
  const Star star;
  for (double theta = -4; theta < 4; theta += 0.137) {
    const Vector<double, 3> q(0.3, 0.5 * star.L * (std::abs(std::sin(theta)) + std::abs(std::cos(theta))),
                              theta);
    EXPECT_NEAR(star.gaps(q).minCoeff(), 0, 1e-14) << theta;
  }
}

}  // namespace
}  // namespace carom::test
