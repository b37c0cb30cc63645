// The law suite of joints: every flow but Gauss collocation, on systems held together by f(q) = 0, stays on
// the joints, is symplectic there, is inverted by its inverse, and keeps momenta. Derivatives of the step are
// differences along the manifold. Orders are measured in joint_order_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include "support/jointed_systems.hpp"
#include "support/sixths.hpp"

namespace carom::test {
namespace {

class JointLaws : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Jointed, JointLaws,
                         testing::Values(system_case("RodPendulum", RodPendulum{}),
                                         system_case("SphericalPendulum", SphericalPendulum{}),
                                         system_case("TwoRods", TwoRods{}),
                                         system_case("WavyBead", WavyBead{}),
                                         system_case("FastPendulum", FastPendulum{}),
                                         system_case("TwiceHeld", TwiceHeld{})),
                         [](const auto& of) { return of.param.name; });

constexpr double h = 0.02;

TEST_P(JointLaws, StaysOnTheJoints) {
  const auto& [name, system, start] = GetParam();
  HeldFlow held(*system);
  for (const auto& [label, flow] : jointed_flows()) {
    Phase z = start;
    double worst = 0;
    for (int n = 0; n < 1000; ++n) {
      const auto spent = held(flow, n * h, h, z, {}, HeldFlow::Hold::bilateral);
      ASSERT_TRUE(spent.outcome.ok()) << label << ", step " << n << ": " << describe(spent.outcome.status);
      worst = std::fmax(worst, largest_violation(system, z));
    }
    EXPECT_LT(worst, 2e-14) << label;
  }
}

Values joined(const Phase& z) {
  Values r(2 * z.q.size());
  r << z.q, z.p;
  return r;
}

// Derivatives of a step along tangents of the manifold {f = 0, F'v = 0}: differences of eighth order between
// points that are taken back onto it.
class Linearised {
 public:
  Linearised(const SystemCase& c, const Flow& flow) : held(*c.system) {
    const int n = static_cast<int>(c.start.q.size());
    tangents = tangents_at(c);
    along.resize(2 * n, tangents.cols()), ahead = along, action.resize(tangents.cols());
    for (int k = 0; k < tangents.cols(); ++k) differentiate(c, flow, k);
    end = c.start;
    ok = ok && held(flow, 0, h, end, {}, HeldFlow::Hold::bilateral).outcome.ok();
  }

  bool ok = true;
  Phase end;
  Eigen::MatrixXd tangents, along, ahead;  // along: of the start itself; ahead: of the end of the step
  Values action;

 private:
  static constexpr double size = 5e-3;
  static constexpr std::array<double, 4> weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

  static Eigen::MatrixXd tangents_at(const SystemCase& c) {
    const Values z = joined(c.start);
    const int n = static_cast<int>(z.size()) / 2;
    Eigen::MatrixXd normals(2 * c.system->joint_count(), 2 * n);
    for (int k = 0; k < 2 * n; ++k) {
      const auto off = [&](double step) {
        const Values x = z + step * Values::Unit(2 * n, k);
        return off_joints(c.system, {x.head(n), x.tail(n)});
      };
      normals.col(k).setZero();
      for (int i = 0; i < 4; ++i)
        normals.col(k) += weights[i] / size * (off((i + 1) * size) - off(-(i + 1) * size));
    }
    Eigen::FullPivLU<Eigen::MatrixXd> lu(normals);
    lu.setThreshold(1e-9);
    return Eigen::HouseholderQR<Eigen::MatrixXd>(lu.kernel()).householderQ() *
           Eigen::MatrixXd::Identity(2 * n, lu.dimensionOfKernel());
  }

  void differentiate(const SystemCase& c, const Flow& flow, int k) {
    const int n = static_cast<int>(c.start.q.size());
    along.col(k).setZero(), ahead.col(k).setZero(), action[k] = 0;
    for (int i = 0; i < 4; ++i)
      for (const double sign : {-1.0, 1.0}) {
        const double weight = sign * weights[i] / size;
        const Values x = joined(c.start) + sign * (i + 1) * size * tangents.col(k);
        Phase z = validated_state(*c.system, {x.head(n), {}, Values(x.tail(n))}, true);
        along.col(k) += weight * joined(z);
        const auto spent = held(flow, 0, h, z, {}, HeldFlow::Hold::bilateral);
        ok = ok && spent.outcome.ok();
        ahead.col(k) += weight * joined(z), action[k] += weight * spent.action;
      }
  }

  HeldFlow held;
};

// The step keeps dq∧dp between vectors tangent to the manifold.
TEST_P(JointLaws, StepIsSymplecticOnTheManifold) {
  const auto n = GetParam().start.q.size();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity(), J.bottomLeftCorner(n, n) = -J.topRightCorner(n, n);
  for (const auto& [label, flow] : jointed_flows()) {
    const Linearised d(GetParam(), flow);
    ASSERT_TRUE(d.ok) << label;
    const Eigen::MatrixXd change = d.ahead.transpose() * J * d.ahead - d.along.transpose() * J * d.along;
    EXPECT_LT(change.lpNorm<Eigen::Infinity>(), 1e-9) << label;
    EXPECT_GT((d.along.transpose() * J * d.along).lpNorm<Eigen::Infinity>(), 0.1) << label;
  }
}

// dA = p1·dq1 - p0·dq0 along the manifold.
TEST_P(JointLaws, ActionGeneratesTheStep) {
  const auto& start = GetParam().start;
  const auto n = start.q.size();
  for (const auto& [label, flow] : jointed_flows()) {
    const Linearised d(GetParam(), flow);
    const Values form =
        d.action - d.ahead.topRows(n).transpose() * d.end.p + d.along.topRows(n).transpose() * start.p;
    EXPECT_LT(form.lpNorm<Eigen::Infinity>(), 1e-10) << label;
  }
}

TEST_P(JointLaws, InverseInverts) {
  const auto& [name, system, start] = GetParam();
  for (const auto& [label, flow] : jointed_flows()) {
    Phase z = start;
    const auto there = free_step(system, flow, 0, h, z), back = free_step(system, inverse(flow), h, h, z);
    ASSERT_TRUE(there.outcome.ok() && back.outcome.ok()) << label;
    EXPECT_LT(distance(z, start), 1e-13) << label;
    EXPECT_NEAR(back.action, -there.action, 1e-13) << label;
  }
}

TEST(Joints, AngularMomentumAboutTheVerticalIsKept) {
  const auto [name, system, start] = system_case("spherical pendulum", SphericalPendulum{});
  for (const auto& [label, flow] : jointed_flows()) {
    Phase z = start;
    const double spin = z.q[0] * z.p[1] - z.q[1] * z.p[0];
    double worst = 0;
    for (int n = 0; n < 1000; ++n) {
      free_step(system, flow, n * h, h, z);
      worst = std::fmax(worst, std::abs(z.q[0] * z.p[1] - z.q[1] * z.p[0] - spin));
    }
    EXPECT_LT(worst, 1e-12) << label;
  }
}

// RATTLE (HLW, VII.1.4) for two rods, written out: multipliers by Newton's method on f(q1(nu)) = 0.
TEST(Joints, SvcIsRattle) {
  const TwoRods own;
  const Vector<double, 4> weight(0, -gravity, 0, -0.5 * gravity);
  const Eigen::Matrix4d W = Vector<double, 4>(1, 1, 2, 2).asDiagonal();  // M^-1
  const auto joints = [&own](const auto& q) { return own.joints(q); };
  auto [name, system, z] = system_case("two rods", own);
  State<double, 4> rattle{z.q, z.p};
  for (int n = 0; n < 200; ++n) {
    free_step(system, svc(), 0, h, z);
    const Eigen::Matrix<double, 2, 4> F0 = jacobian(joints, rattle.q);
    Eigen::Vector2d nu = Eigen::Vector2d::Zero();
    Vector<double, 4> half, q;
    for (int k = 0; k < 20; ++k) {
      half = rattle.p + 0.5 * h * weight + F0.transpose() * nu, q = rattle.q + h * W * half;
      nu -= (h * jacobian(joints, q) * W * F0.transpose()).partialPivLu().solve(own.joints(q));
    }
    const Eigen::Matrix<double, 2, 4> F1 = jacobian(joints, q);
    const Vector<double, 4> p = half + 0.5 * h * weight;
    const Eigen::Vector2d mu = (F1 * W * F1.transpose()).partialPivLu().solve(F1 * W * p);
    rattle = {q, p - F1.transpose() * mu};
    ASSERT_LT(distance(z, any_size(rattle)), 1e-13 * (n + 10)) << "step " << n;
  }
}

// q1 = q0 + h v0 + nu q0 misses the circle where |h v0| > 1.
TEST(Joints, AStepWithoutSolutionSaysSo) {
  const auto system = as_system(RodPendulum{});
  const Phase start{Vector<double, 2>(0, -1), Vector<double, 2>(30, 0)};
  for (const char* name : {"svc", "se1", "sva"}) {
    Phase small = start, large = start;
    EXPECT_TRUE(free_step(system, make_flow(name), 0, 0.01, small).outcome.ok()) << name;
    EXPECT_FALSE(free_step(system, make_flow(name), 0, 0.1, large).outcome.ok()) << name;
    EXPECT_EQ(distance(large, start), 0) << name;
  }
}
TEST(Joints, WhatIsNotFiniteIsSaid) {
  const auto system = as_system(RodPendulum{});
  for (const char* name : {"svc", "midpoint"}) {
    Phase z{Vector<double, 2>(0, -1), Vector<double, 2>(std::nan(""), 0)};
    EXPECT_FALSE(free_step(system, make_flow(name), 0, 0.1, z).outcome.ok()) << name;
  }
}
TEST(Joints, GaussRefuses) {
  auto [name, system, z] = system_case("rod", RodPendulum{});
  const auto spent = free_step(system, gauss(2), 0, 0.01, z);
  EXPECT_EQ(spent.outcome.status, Status::no_joints);
  EXPECT_NE(std::string(describe(spent.outcome.status)).find("Gauss"), std::string::npos);
}

// 60 degrees, h = 0.01, to T = 1000: the energy has a band and no trend.
TEST(Joints, PendulumEnergyHasNoTrendOver1e5StepsOfSvc) {
  auto [name, system, z] =
      system_case("rod", RodPendulum{}, {{std::sqrt(0.75), -0.5}, Vector<double, 2>(0, 0), std::nullopt});
  HeldFlow held(*system);
  const double H0 = hamiltonian(system, z);
  const std::int64_t steps = 100000;
  Sixths sixths(steps);
  double joint = 0;
  for (std::int64_t n = 0; n < steps; ++n) {
    ASSERT_TRUE(held(svc(), 0, 0.01, z, {}, HeldFlow::Hold::bilateral).outcome.ok());
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
  const auto [chain, system, start] = system_case("chain", HangingChain{6});
  EXPECT_EQ(system->joint_count(), 6);
  for (const char* name : {"svc", "midpoint", "yoshida4"}) {
    Phase z = start;
    const double H0 = hamiltonian(system, z);
    for (int n = 0; n < 200; ++n) {
      const auto spent = free_step(system, make_flow(name), 0, 0.005, z);
      ASSERT_TRUE(spent.outcome.ok()) << name << ": " << describe(spent.outcome.status);
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
  EXPECT_EQ(largest_joint(as_system(RodPendulum{}), Vector<double, 2>(2, 0)), 3);
  EXPECT_TRUE(std::isnan(largest_joint(as_system(RodPendulum{}), Vector<double, 2>(std::nan(""), 0))));
  EXPECT_EQ(largest_joint(as_system(PointMass{}), Vector<double, 1>(0.0)), 0);
}

}  // namespace
}  // namespace carom::test
