// Friction in the event loop, over structs: orders through sticking and sliding, what is held stays in place,
// energy, and what there is no continuation for. References of scenarios are in tests/cli/friction_test.py.
#include <gtest/gtest.h>

#include "support/contact_runs.hpp"
#include "support/order.hpp"
#include "support/rough_systems.hpp"

namespace carom::test {
namespace {

// 8th-order Runge-Kutta per mode: the foot sticks until t = 0.2138, slides, and slides the other way from
// 0.5010 on.
Phase tipped_rod() {
  Phase z{Values(3), Values(3)};
  z.q << 0.477642771669679, 0.0955181031577316, 1.37857864028947;
  z.p << 0.860153665152004, -2.22699419100294, 4.53755660360743 / 12;
  return z;
}

TEST(FrictionLaws, ARodTipsWithTheOrderOfTheFlow) {
  for (const auto& [flow, order] : {std::pair{svc(), 2},
                                    {make_flow("yoshida4", {.base = "svc"}), 4},
                                    {make_flow("kahan-li6", {.base = "svc"}), 6}}) {
    std::vector<ErrorAt> errors;
    for (const int steps : {29, 58, 116}) {
      const RoughRod rod;
      const auto r = run_contact(dense(rod), flow, 0.58 / steps, steps, rod.leaning(0.3), {.restitution = 0});
      ASSERT_FALSE(r.failure) << r.failure->reason;
      errors.push_back({0.58 / steps, distance(r.z, tipped_rod())});
      EXPECT_GE(r.least_gap, -1e-15);
    }
    const auto observed = observed_order(errors, 1e-13);
    EXPECT_NEAR(observed.slope, order, order < 6 ? 0.2 : 0.4) << flow.name << '\n' << observed.table;
  }
}

TEST(FrictionLaws, WhatSticksStaysInPlaceToRoundingAndTheFlowIsReversible) {
  const RoughRod rod{.friction = 1};
  const auto system = dense(rod);
  FrictionModes modes{{Mode::stick, Mode::open}, {0.0, 0.0}};
  HeldFlow held(*system);
  held.rub(&modes);
  const std::vector<int> foot{0};
  Phase z = rod.leaning(0.3);
  const Phase start = z;
  for (int n = 0; n < 50; ++n) {
    ASSERT_TRUE(held(svc(), 0, 0.01, z, foot, HeldFlow::Hold::bilateral).outcome.ok());
    EXPECT_NEAR(z.q[0] - rod.l * std::sin(z.q[2]), 0, 1e-15);
  }
  for (int n = 0; n < 50; ++n)
    ASSERT_TRUE(held(svc(), 0, -0.01, z, foot, HeldFlow::Hold::bilateral).outcome.ok());
  EXPECT_LE(distance(z, start), 1e-12);
  z = rod.leaning(0.3), z.p << -0.5, 0, 0;  // and where it slides
  modes.mode[0] = Mode::backward;
  FrictionStep step(*system);
  ASSERT_TRUE(step.project(0, z.q, z.p, foot, modes));
  const Phase sliding = z;
  for (int n = 0; n < 10; ++n)
    ASSERT_TRUE(held(svc(), 0, 0.01, z, foot, HeldFlow::Hold::bilateral).outcome.ok());
  for (int n = 0; n < 10; ++n)
    ASSERT_TRUE(held(svc(), 0, -0.01, z, foot, HeldFlow::Hold::bilateral).outcome.ok());
  EXPECT_LE(distance(z, sliding), 1e-12);
}

// Energy is accounted for with the order of the flow: H changes by what belt and friction do.
TEST(FrictionLaws, BeltAndFrictionExplainTheEnergy) {
  const OnBelt mass;
  double before = 0;
  for (const double h : {0.01, 0.005}) {
    double work = 0, friction = 0;
    const auto r = run_contact(
        dense(mass), make_flow("yoshida4", {.base = "svc"}), h, std::llround(5 / h),
        {values({0.6, 0}), values({0, 0})}, {.restitution = 0},
        [&](double, const Stepped& now) { work += now.step.work, friction += now.step.friction; });
    ASSERT_FALSE(r.failure) << r.failure->reason;
    EXPECT_LT(friction, -0.1);
    const double off = std::abs(hamiltonian(dense(mass), r.z) - r.H0 - work - friction);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / off), 4, 0.4);
    }
    EXPECT_LE(off, 1e-4);
    before = off;
    EXPECT_GE(r.changes.size(), 4u);
  }
}

// A rod at 60° whose foot slides to the right: for mu = 2 no forces keep it on the floor, or two combinations
// do.
TEST(FrictionLaws, PainlevesRodIsCaughtByAnImpactWithoutCollision) {
  for (const auto& [e, T] : {std::pair{0.5, 0.288}, {0.0, 0.281}}) {
    const RoughRod rod{.friction = 2, .l = 0.5};
    Phase z = rod.leaning(-std::numbers::pi / 6);
    z.p << 1, 0, 0;
    ContactStepper stepper(dense(rod), SteadyFlow(svc(), 1e-3), {.restitution = e});
    const auto& r = stepper.step(0, z);
    ASSERT_FALSE(r.failure) << r.failure->reason;
    ASSERT_FALSE(r.impacts.empty());
    const Values& p = r.impacts[0].p_after;
    EXPECT_NEAR(0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] / rod.inertia), T, 5e-4);
    EXPECT_NEAR(p[0] - rod.l * std::cos(z.q[2]) * p[2] / rod.inertia, 0, 1e-12);
  }
}

// The same block as a struct in space and as a sum of local terms, of which there are three.
struct BlockInSpace {
  static constexpr int dim = 3, slips_each = 2;
  Eigen::Matrix3d mass() const { return Eigen::Matrix3d::Identity(); }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return 9.0 * q[2] - 3.0 * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 3>& q) const {
    return Vector<S, 1>(q[2]);
  }
  double mu(int) const { return 0.5; }
  template <class S>
  Vector<S, 2> slides(const Vector<S, 3>& q) const {
    return {q[0], q[1]};
  }
};

struct BlocksInSpace : LocalSystem<BlocksInSpace> {
  Values mass = Values::Ones(9);
  const Values& masses() const { return mass; }
  int contacts_in_all() const { return 3; }
  int joints_in_all() const { return 0; }
  void potential(auto&& term) const {
    for (int i = 0; i < 3; ++i)
      term(std::array{3 * i, 3 * i + 2}, [](const auto& y) { return 9.0 * y[1] - 3.0 * y[0]; });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i < 3; ++i) gap(i, std::array{3 * i + 2}, [](const auto& y) { return y[0]; });
  }
  void each_joint(auto&&) const {}
  int slips_each() const override { return 2; }
  double mu(int) const override { return 0.5; }
  void each_slide(auto&& slide) const {
    for (int i = 0; i < 3; ++i)
      for (const int k : {0, 1}) slide(i, std::array{3 * i + k}, [](const auto& y) { return y[0]; });
  }
};

TEST(FrictionLaws, StructsAndLocalTermsRubInSpace) {
  const auto flow = make_flow("kahan-li6", {.base = "svc"});
  const auto one = run_contact(dense(BlockInSpace{}), flow, 0.01, 100,
                               {values({0, 0, 0}), values({-1, 2, 0})}, {.restitution = 0});
  ASSERT_FALSE(one.failure) << one.failure->reason;
  EXPECT_EQ(one.z.p.norm(), 0);  // it has stopped
  Phase start{Values::Zero(9), Values::Zero(9)};
  for (int i = 0; i < 3; ++i) start.p[3 * i] = i == 0 ? -1 : 0.5 * i, start.p[3 * i + 1] = i == 0 ? 2 : 0;
  const auto all = run_contact(std::make_shared<BlocksInSpace>(), flow, 0.01, 100, start, {.restitution = 0});
  ASSERT_FALSE(all.failure) << all.failure->reason;
  EXPECT_LE((all.z.q.head(3) - one.z.q).norm(), 1e-10);
  for (const int i : {1, 2}) EXPECT_NEAR(all.z.q[3 * i], 0.5 * 0.25 * i * i / 1.5, 1e-12);  // v²/2a
}

TEST(FrictionLaws, AHeapOfFiftyDiscsThatCanSpinRestsToTheLastBit) {
#ifdef __SANITIZE_ADDRESS__
  const std::vector rows{6, 5, 4};
#else
  const std::vector rows{12, 11, 10, 9, 8};
#endif
  const auto pile = std::make_shared<RoughPile>(rows);
  const Phase start{pile->start, Values::Zero(pile->size())};
  ContactStepper stepper(pile, SteadyFlow(svc(), 0.01), {.restitution = 0});
  Phase z = start;
  for (int n = 0; n < 20; ++n) {
    const auto& r = stepper.step(0.01 * n, z);
    ASSERT_FALSE(r.failure) << n << ": " << r.failure->reason;
    z = r.step.z;
  }
  EXPECT_TRUE(z.q == start.q);
  EXPECT_TRUE(z.p == start.p);
}

TEST(FrictionLaws, RefusesWhatItIsNotFor) {
  const RoughRod rod;
  EXPECT_THROW(ContactStepper(dense(rod), SteadyFlow(svc(), 0.01), {.lasting = false}), InvalidInput);
}

}  // namespace
}  // namespace carom::test
