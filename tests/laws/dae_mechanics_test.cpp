// Mechanical systems as DAEs: along joints the methods of 004 are those of the core, friction may couple to a
// mass that is not isotropic, and momenta need not be M v.
#include <gtest/gtest.h>

#include "support/dae_systems.hpp"
#include "support/jointed_systems.hpp"

namespace carom::test {
namespace {

using Z = Phase;

// (2.2) and (3.6) of 004 are se1 and se2 along the joints, and with the adjoint sva and svb.
template <SystemStruct Sys>
void expect_the_cores_steps(const Sys& system) {
  const auto start = validated_state(system, system.start());
  const auto dae = mechanical(system);
  const Values v = velocity(system, 0.0, start.q, start.p).x;
  for (const auto& [scheme, flow, own] :
       {std::tuple{DaeScheme{}, se1(), se1()}, std::tuple{DaeScheme{.conjugate = true}, se2(), se1()},
        std::tuple{DaeScheme{}, sva(), sva()}, std::tuple{DaeScheme{}, svb(), svb()},
        std::tuple{DaeScheme{}, yoshida4(sva()), yoshida4(sva())}}) {
    const Phase z = run_flow(as_system(system), flow, any_size(start), 0.5, 50);
    const DaeEnd end = dae_run(*dae, scheme, own, 0.01, 50, start.q, v);
    ASSERT_TRUE(end.ok);
    DaeMotion motion;
    dae->motion(0, end.y, end.z, motion);
    EXPECT_LE((end.y - z.q).norm(), 1e-12 * (1 + z.q.norm())) << flow.name;
    EXPECT_LE((motion.p - z.p).norm(), 1e-11 * (1 + z.p.norm())) << flow.name;
  }
}
TEST(DaeMechanics, AlongJointsItIsTheCoresSymplecticEuler) {
  expect_the_cores_steps(RodPendulum{});
  expect_the_cores_steps(TwoRods{});
  expect_the_cores_steps(WavyBead{});
}

// For (2.2) Lambda0 + Lambda1 converges to the multiplier, and neither of them to half of it.
TEST(DaeMechanics, OnlyTheSumOfTheMultipliersIsConsistent) {
  const RodPendulum system;
  const auto start = validated_state(system, system.start());
  const auto dae = mechanical(system);
  const Values v = velocity(system, 0.0, start.q, start.p).x;
  const double lambda = dae_run(*dae, {}, kahan_li6(sva()), 0.01, 50, start.q, v).psi[0];
  std::vector<ErrorAt> sum, first, second;
  for (const int n : {400, 800, 1600}) {
    const DaeEnd end = dae_run(*dae, {.natural = true}, se1(), 0.5 / n, n, start.q, v);
    const double Lambda0 = 0.5 * end.Psi0[0], Lambda1 = 0.5 * end.Psi1[0];
    sum.push_back({0.5 / n, std::abs(Lambda0 + Lambda1 - lambda)});
    first.push_back({0.5 / n, std::abs(Lambda0 - 0.5 * lambda)});
    second.push_back({0.5 / n, std::abs(Lambda1 - 0.5 * lambda)});
  }
  EXPECT_NEAR(observed_order(sum, 1e-12).slope, 1, 0.1) << observed_order(sum, 1e-12).table;
  EXPECT_LT(std::abs(observed_order(first, 1e-12).slope), 0.1) << observed_order(first, 1e-12).table;
  EXPECT_LT(std::abs(observed_order(second, 1e-12).slope), 0.1) << observed_order(second, 1e-12).table;
}

// Two constraints that say the same leave no unique multipliers.
struct Redundant : RodPendulum {
  template <class S>
  Vector<S, 2> joints(const Vector<S, RodPendulum::dim>& q) const {
    const auto f = RodPendulum::joints(q);
    return {f[0], 2.0 * f[0]};
  }
};
TEST(DaeMechanics, RedundantConstraintsAreSingular) {
  const auto start = validated_state(RodPendulum{}, RodPendulum{}.start());
  const auto dae = mechanical(Redundant{});
  ConsistentValues consistent(*dae);
  const int held[] = {0, 1};
  const Values v = velocity(RodPendulum{}, 0.0, start.q, start.p).x;
  EXPECT_EQ(consistent(0, start.q, v, held).status, Status::singular);
  EXPECT_LT(consistent.condition(), 1e-14);
}

// A block on the ground or a line, with a mass matrix, a total derivative A x' in L, and a force.
struct Block {
  static constexpr int dim = 2;
  double mu = 0.1, incline = 0, A = 0, m1 = 1, m12 = 0, m2 = 1, g = 9.81;

  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return 0.5 * (m1 * v[0] * v[0] + 2 * m12 * v[0] * v[1] + m2 * v[1] * v[1]) - g * q[1] + A * v[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1] - incline * q[0]);
  }
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>&, const Vector<S, 2>& v, const auto& psi) const {
    return v * (-mu * std::hypot(1, incline) * abs(psi[0]) / sqrt(v.dot(v)));
  }
};
template <SystemStruct Sys>
struct Ended {
  explicit Ended(const Sys& own, double h, double end, Values y, Values z, double e = 0.5)
      : system(mechanical(own)), stepper(system, sva(), h, {.scheme = {}, .restitution = e}) {
    DaeMotion motion;
    system.dae->motion(0, y, z, motion);
    now = {y, motion.p};
    for (int n = 0; n * h < end - 1e-9 && !failure; ++n) {
      const auto& step = stepper.step(n * h, now);
      failure = step.failure;
      now = step.step.z;
      smallest = std::fmin(smallest, system.gaps(now.q).minCoeff());
      for (const auto& impact : step.impacts) p_after = impact.p_after, ++impacts;
    }
  }
  DaeSystem system;
  DaeStepper stepper;
  Z now;
  Values p_after;
  double smallest = HUGE_VAL;
  int impacts = 0;
  std::optional<Failure> failure;
};

// A x' is a total derivative: it changes p, and no motion.
TEST(DaeMechanics, MomentaThatAreNotMassTimesVelocity) {
  for (const double A : {0.0, -0.5, -3.0, 3.0}) {
    const Ended run(Block{.mu = 0.05, .A = A}, 0.01, 1, values({0, 0}), values({1, 0}));
    ASSERT_FALSE(run.failure) << A << run.failure->reason;
    EXPECT_NEAR(run.now.q[0], 1 - 0.5 * 0.05 * 9.81, 1e-9) << A;
  }
}

// Friction couples to the normal direction: sticking is what fits, with Lambda and friction worked out by
// hand from p+ = 0 along the line.
TEST(DaeMechanics, LandingWithACoupledMass) {
  const Block block{.mu = 1, .incline = 0.5174, .m12 = -0.8};
  const Ended run(block, 0.01, 0.02, values({0, 1e-3}), values({2.43, -4.53}), 0);
  ASSERT_FALSE(run.failure) << run.failure->reason;
  ASSERT_EQ(run.impacts, 1);
  EXPECT_LE(run.p_after.norm(), 1e-12);
}

// A puck on a plane that slides in two directions: one of them turns round, the other goes on.
struct Puck {
  static constexpr int dim = 3;
  double mu = 0;
  Matrix<double, 3> mass() const { return Matrix<double, 3>::Identity(); }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return 4.0 * q[1] + 9.81 * q[2];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 3>& q) const {
    return Vector<S, 1>(q[2]);
  }
  template <class S>
  Vector<S, 3> friction(const Vector<S, 3>&, const Vector<S, 3>& v, const auto& psi) const {
    return v * (-mu * abs(psi[0]) / sqrt(v.dot(v)));
  }
};
TEST(DaeMechanics, TurningInOneDirectionDoesNotStopTheOther) {
  for (const double h : {0.02, 0.01}) {
    const Ended run(Puck{}, h, 1, values({0, 0, 0}), values({0.02, 1, 0}));
    ASSERT_FALSE(run.failure);
    EXPECT_NEAR(run.now.p[0], 0.02, 1e-12);
    EXPECT_NEAR(run.now.p[1], -3, 1e-12);
  }
  const Ended rough(Puck{0.01}, 0.01, 1, values({0, 0, 0}), values({0.02, 1, 0}));
  const Ended fine(Puck{0.01}, 0.001, 1, values({0, 0, 0}), values({0.02, 1, 0}));
  ASSERT_FALSE(rough.failure || fine.failure);
  EXPECT_NEAR(rough.now.p[0], fine.now.p[0], 1e-3);
  EXPECT_NEAR(fine.now.p[0], 0.0154, 1e-4);
}

// A bead on a rod over a floor: friction at the joint and at the contact, down to rest.
struct BeadOnRod {
  static constexpr int dim = 2;
  double mu = 0.5;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.81 * q[1];
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1] - 1.0 + q[0]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>&, const Vector<S, 2>& v, const auto& psi) const {
    return v * (-mu * (abs(psi[0]) + abs(psi[1])) / sqrt(v.dot(v)));
  }
};
TEST(DaeMechanics, ABeadOnARodComesToRestOnTheFloor) {
  for (const double mu : {0.0, 0.2, 0.5, 0.8})
    for (const double h : {0.1, 0.03, 0.01, 0.003, 0.001}) {
      const Ended run(BeadOnRod{mu}, h, 5, values({0, 1}), values({0, 0}));
      ASSERT_FALSE(run.failure) << mu << ' ' << h << ' ' << run.failure->reason;
      EXPECT_TRUE(run.stepper.rests()) << mu << ' ' << h;
      EXPECT_LE(std::abs(run.now.q[1]), 1e-12) << mu << ' ' << h;
      EXPECT_GE(run.smallest, -1e-12) << mu << ' ' << h;
      const Values psi = run.system.multipliers(5, run.now);
      EXPECT_NEAR(psi[0], 0, 1e-9) << mu << ' ' << h;  // the floor carries all
      EXPECT_NEAR(psi[1], 9.81, 1e-9) << mu << ' ' << h;
    }
}

// Gentle slopes, where all forces nearly cancel: at rest and in motion.
TEST(DaeMechanics, NearlyFlatPlacesAreNoDifficulty) {
  for (const double s : {1e-4, 1e-5, 1e-7, 1e-9, 0.0}) {
    const Ended rest(Block{.incline = s}, 0.01, 1, values({0.3, 0.3 * s}), values({0, 0}));
    EXPECT_FALSE(rest.failure) << s;
    EXPECT_TRUE(rest.stepper.rests()) << s;
    const Ended slides(Block{.incline = s}, 0.01, 2, values({0.3, 0.3 * s}), values({1, s}));
    ASSERT_FALSE(slides.failure) << s << slides.failure->reason;
    EXPECT_TRUE(slides.stepper.rests()) << s;
    EXPECT_NEAR(slides.now.q[0], 0.3 + 1 / (2 * 0.981), 1e-2) << s;
    EXPECT_TRUE(slides.system.multipliers(2, slides.now).allFinite()) << s;
  }
}

// In a corner, pushed against the wall less and less: it is left, and friction of the floor holds on.
struct PushedInCorner {
  static constexpr int dim = 2;
  double mu = 0.1;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.81 * q[1];
  }
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>&) const {
    return {-2.0 + 2.0 * t, S(0.0)};
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {q[1], q[0]};
  }
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>&, const Vector<S, 2>& v, const auto& psi) const {
    return v * (-mu * (abs(psi[0]) + abs(psi[1])) / sqrt(v.dot(v)));
  }
};
TEST(DaeMechanics, AWallIsLeftAtRest) {
  const double slip = 1 + 0.981 / 2, end = 2.5, since = end - slip;
  const Ended run(PushedInCorner{}, 0.01, end, values({0, 0}), values({0, 0}));
  ASSERT_FALSE(run.failure) << run.failure->reason;
  EXPECT_NEAR(run.now.p[0], since * since, 1e-6);
}

// Three contacts of a plane at one point: two are enough.
struct Wedge3 {
  static constexpr int dim = 2;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.81 * q[1];
  }
  template <class S>
  Vector<S, 3> gaps(const Vector<S, 2>& q) const {
    return {q[1] - q[0], q[1] + q[0], q[1]};
  }
};
TEST(DaeMechanics, ContactsThatDependOnEachOther) {
  const Ended run(Wedge3{}, 0.01, 1, values({0, 0}), values({0, 0}));
  ASSERT_FALSE(run.failure) << run.failure->reason;
  EXPECT_LE(run.now.q.norm(), 1e-12);
  EXPECT_TRUE(run.system.multipliers(0, run.now).allFinite());
}

}  // namespace
}  // namespace carom::test
