// The law suite of joints: every flow but Gauss collocation, on systems held together by f(q) = 0, stays on
// the joints, is symplectic there, is inverted by its inverse, and keeps momenta. Derivatives of the step are
// exact, by dual numbers. Orders are measured in joint_order_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/jointed_systems.hpp"
#include "support/sixths.hpp"

namespace carom::test {
namespace {

template <class Sys>
class JointLaws : public testing::Test {};

using Jointed = testing::Types<RodPendulum, SphericalPendulum, TwoRods, WavyBead, FastPendulum, TwiceHeld>;
TYPED_TEST_SUITE(JointLaws, Jointed);

constexpr double h = 0.02;

TYPED_TEST(JointLaws, StaysOnTheJoints) {
  const TypeParam system;
  for (const auto& [label, flow] : jointed_flows()) {
    auto z = validated_state(system, system.start());
    double worst = 0;
    for (int n = 0; n < 1000; ++n) {
      const auto r = flow_step(system, flow, n * h, h, z);
      ASSERT_TRUE(r.outcome.ok()) << label << ", step " << n << ": " << describe(r.outcome.status);
      z = r.z;
      worst = std::fmax(worst, largest_violation(system, z));
    }
    EXPECT_LT(worst, 2e-14) << label;
  }
}

// The derivative A of a step, and a basis of the tangents to {f = 0, F'v = 0} at its start and what is normal
// to it at its end.
template <System Sys>
struct Linearised {
  static constexpr int N = Sys::dim;
  using Moved = Dual<double, 2 * N>;

  Linearised(const Sys& system, const Flow& flow, const State<double, N>& z) {
    State<Moved, N> x;
    Vector<double, 2 * N> start, end;
    start << z.q, z.p;
    for (int i = 0; i < N; ++i) x.q[i] = Moved::variable(z.q[i], i), x.p[i] = Moved::variable(z.p[i], N + i);
    step = flow_step(system, flow, Moved(0.0), Moved(h), x);
    for (int i = 0; i < N; ++i) {
      end[i] = step.z.q[i].a, end[N + i] = step.z.p[i].a;
      for (int k = 0; k < 2 * N; ++k) A(i, k) = step.z.q[i].d[k], A(N + i, k) = step.z.p[i].d[k];
    }
    const auto normals = [&system](const Vector<double, 2 * N>& at) -> Eigen::MatrixXd {
      return jacobian([&system](const auto& y) { return held(system, y); }, at);
    };
    Eigen::FullPivLU<Eigen::MatrixXd> lu(normals(start));
    lu.setThreshold(1e-9);
    tangents = lu.kernel();
    leaves = (normals(end) * A * tangents).template lpNorm<Eigen::Infinity>();
  }

  StepResult<Moved, N> step;
  Matrix<double, 2 * N> A;
  Eigen::MatrixXd tangents;
  double leaves;  // how far A takes tangents of the manifold off it
};

// A'JA = J between vectors tangent to the manifold, and there alone.
TYPED_TEST(JointLaws, StepIsSymplecticOnTheManifold) {
  constexpr int N = TypeParam::dim;
  const TypeParam system;
  const auto start = validated_state(system, system.start());
  Matrix<double, 2 * N> J = Matrix<double, 2 * N>::Zero();
  for (int i = 0; i < N; ++i) J(i, N + i) = 1, J(N + i, i) = -1;
  for (const auto& [label, flow] : jointed_flows()) {
    const Linearised<TypeParam> d(system, flow, start);
    ASSERT_TRUE(d.step.outcome.ok()) << label << ": " << describe(d.step.outcome.status);
    const Eigen::MatrixXd change = d.tangents.transpose() * (d.A.transpose() * J * d.A - J) * d.tangents;
    EXPECT_LT(change.lpNorm<Eigen::Infinity>(), 1e-9) << label;
    EXPECT_LT(d.leaves, 1e-9) << label;
  }
}

// dA = p1·dq1 - p0·dq0 along the manifold.
TYPED_TEST(JointLaws, ActionGeneratesTheStep) {
  constexpr int N = TypeParam::dim;
  const TypeParam system;
  const auto start = validated_state(system, system.start());
  for (const auto& [label, flow] : jointed_flows()) {
    const Linearised<TypeParam> d(system, flow, start);
    Vector<double, 2 * N> form;
    for (int k = 0; k < 2 * N; ++k) {
      form[k] = d.step.action.d[k] + (k < N ? start.p[k] : 0);
      for (int i = 0; i < N; ++i) form[k] -= d.step.z.p[i].a * d.A(i, k);
    }
    EXPECT_LT((d.tangents.transpose() * form).template lpNorm<Eigen::Infinity>(), 1e-10) << label;
  }
}

TYPED_TEST(JointLaws, InverseInverts) {
  const TypeParam system;
  const auto z = validated_state(system, system.start());
  for (const auto& [label, flow] : jointed_flows()) {
    const auto there = flow_step(system, flow, 0.0, h, z),
               back = flow_step(system, inverse(flow), h, h, there.z);
    ASSERT_TRUE(there.outcome.ok() && back.outcome.ok()) << label;
    EXPECT_LT(distance(back.z, z), 1e-13) << label;
    EXPECT_NEAR(back.action, -there.action, 1e-13) << label;
  }
}

// With duals in the step alone: dq1/dh and dp1/dh are those of difference quotients, also at h = 0.
TYPED_TEST(JointLaws, DerivativeInTheStep) {
  using D = Dual<double, 1>;
  constexpr int N = TypeParam::dim;
  const TypeParam system;
  const auto z = validated_state(system, system.start());
  State<D, N> x;
  for (int i = 0; i < N; ++i) x.q[i] = D(z.q[i]), x.p[i] = D(z.p[i]);
  for (const auto& [label, flow] : jointed_flows())
    for (const double tau : {0.0, 1e-9, h}) {
      if (tau == 0 && flow.substeps.size() > 1) continue;
      const double e = 1e-5;
      const auto r = flow_step(system, flow, D(0.0), D::variable(tau, 0), x);
      const auto ahead = flow_step(system, flow, 0.0, tau + e, z),
                 behind = flow_step(system, flow, 0.0, tau - e, z);
      ASSERT_TRUE(r.outcome.ok() && ahead.outcome.ok() && behind.outcome.ok()) << label;
      for (int i = 0; i < N; ++i) {
        EXPECT_NEAR(r.z.q[i].d[0], (ahead.z.q[i] - behind.z.q[i]) / (2 * e), 1e-7)
            << label << ", tau " << tau;
        EXPECT_NEAR(r.z.p[i].d[0], (ahead.z.p[i] - behind.z.p[i]) / (2 * e), 1e-6)
            << label << ", tau " << tau;
      }
    }
}

TEST(Joints, AngularMomentumAboutTheVerticalIsKept) {
  const SphericalPendulum system;
  for (const auto& [label, flow] : jointed_flows()) {
    auto z = validated_state(system, system.start());
    const double spin = z.q[0] * z.p[1] - z.q[1] * z.p[0];
    double worst = 0;
    for (int n = 0; n < 1000; ++n) {
      z = flow_step(system, flow, n * h, h, z).z;
      worst = std::fmax(worst, std::abs(z.q[0] * z.p[1] - z.q[1] * z.p[0] - spin));
    }
    EXPECT_LT(worst, 1e-12) << label;
  }
}

// RATTLE (HLW, VII.1.4) for two rods, written out: multipliers by Newton's method on f(q1(nu)) = 0.
TEST(Joints, SvcIsRattle) {
  const TwoRods system;
  const Vector<double, 4> weight(0, -gravity, 0, -0.5 * gravity);
  const Eigen::Matrix4d W = Vector<double, 4>(1, 1, 2, 2).asDiagonal();  // M^-1
  const auto joints = [&system](const auto& q) { return system.joints(q); };
  auto z = validated_state(system, system.start()), rattle = z;
  for (int n = 0; n < 200; ++n) {
    z = flow_step(system, svc(), 0.0, h, z).z;
    const Eigen::Matrix<double, 2, 4> F0 = jacobian(joints, rattle.q);
    Eigen::Vector2d nu = Eigen::Vector2d::Zero();
    Vector<double, 4> half, q;
    for (int k = 0; k < 20; ++k) {
      half = rattle.p + 0.5 * h * weight + F0.transpose() * nu, q = rattle.q + h * W * half;
      nu -= (h * jacobian(joints, q) * W * F0.transpose()).partialPivLu().solve(system.joints(q));
    }
    const Eigen::Matrix<double, 2, 4> F1 = jacobian(joints, q);
    const Vector<double, 4> p = half + 0.5 * h * weight;
    const Eigen::Vector2d mu = (F1 * W * F1.transpose()).partialPivLu().solve(F1 * W * p);
    rattle = {q, p - F1.transpose() * mu};
    ASSERT_LT(distance(z, rattle), 1e-13 * (n + 10)) << "step " << n;
  }
}

// q1 = q0 + h v0 + nu q0 misses the circle where |h v0| > 1.
TEST(Joints, AStepWithoutSolutionSaysSo) {
  const RodPendulum system;
  State<double, 2> z{{0, -1}, {30, 0}};
  for (const char* name : {"svc", "se1", "sva"}) {
    EXPECT_TRUE(flow_step(system, make_flow(name), 0.0, 0.01, z).outcome.ok()) << name;
    const auto r = flow_step(system, make_flow(name), 0.0, 0.1, z);
    EXPECT_FALSE(r.outcome.ok()) << name;
    EXPECT_EQ(distance(r.z, z), 0) << name;
  }
}
TEST(Joints, WhatIsNotFiniteIsSaid) {
  const RodPendulum system;
  State<double, 2> z{{0, -1}, {std::nan(""), 0}};
  for (const char* name : {"svc", "midpoint"})
    EXPECT_FALSE(flow_step(system, make_flow(name), 0.0, 0.1, z).outcome.ok()) << name;
}
TEST(Joints, GaussRefuses) {
  const RodPendulum system;
  const auto r = flow_step(system, gauss(2), 0.0, 0.01, validated_state(system, system.start()));
  EXPECT_EQ(r.outcome.status, Status::no_joints);
  EXPECT_NE(std::string(describe(r.outcome.status)).find("Gauss"), std::string::npos);
}

// 60 degrees, h = 0.01, to T = 1000: the energy has a band and no trend.
TEST(Joints, PendulumEnergyHasNoTrendOver1e5StepsOfSvc) {
  const RodPendulum system;
  auto z = validated_state(system, {{std::sqrt(0.75), -0.5}, Vector<double, 2>(0, 0), std::nullopt});
  const double H0 = hamiltonian(system, z);
  const std::int64_t steps = 100000;
  Sixths sixths(steps);
  double joint = 0;
  for (std::int64_t n = 0; n < steps; ++n) {
    const auto r = flow_step(system, svc(), 0.0, 0.01, z);
    ASSERT_TRUE(r.outcome.ok());
    z = r.z;
    sixths.add(n, hamiltonian(system, z) - H0);
    joint = std::fmax(joint, largest_joint(system, z.q));
  }
  RecordProperty("band", std::to_string(sixths.band()));
  EXPECT_LE(joint, 1e-15);
  EXPECT_LT(sixths.band(), 2e-3) << "of H = " << H0;
  EXPECT_LT(sixths.trend(), 1e-3 * sixths.band_within()) << sixths.table();
}

// A size that is known at run time only.
TEST(Joints, AChainOfManyLinks) {
  const HangingChain system{6};
  EXPECT_EQ(joint_count(system), 6);
  for (const char* name : {"svc", "midpoint", "yoshida4"}) {
    auto z = validated_state(system, system.start());
    const double H0 = hamiltonian(system, z);
    for (int n = 0; n < 200; ++n) {
      const auto r = flow_step(system, make_flow(name), 0.0, 0.005, z);
      ASSERT_TRUE(r.outcome.ok()) << name << ": " << describe(r.outcome.status);
      z = r.z;
      ASSERT_LT(largest_joint(system, z.q), 1e-14) << name;
    }
    EXPECT_NEAR(hamiltonian(system, z), H0, 0.05) << name;
  }
}

TEST(Joints, CountedAndNamed) {
  EXPECT_EQ(joint_count(RodPendulum{}), 1);
  EXPECT_EQ(joint_count(TwoRods{}), 2);
  EXPECT_EQ(joint_count(PointMass{}), 0);
  EXPECT_EQ(joint_name(RodPendulum{}, 0), "rod");
  EXPECT_EQ(joint_name(TwoRods{}, 1), "joint 2");
  EXPECT_EQ(largest_joint(RodPendulum{}, {2, 0}), 3);
  EXPECT_TRUE(std::isnan(largest_joint(RodPendulum{}, {std::nan(""), 0})));
  EXPECT_EQ(largest_joint(PointMass{}, Coordinates<PointMass>::Zero()), 0);
}

}  // namespace
}  // namespace carom::test
