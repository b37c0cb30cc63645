// Starts of systems with joints: what is off them is refused by joint, value and what would be right, or
// taken onto them on request; what is near enough begins on them to the last bits.
#include <gtest/gtest.h>

#include "carom/run/ledger.hpp"
#include "support/jointed_systems.hpp"

namespace carom::test {
namespace {

struct Root : RodPendulum {
  template <class S>
  Vector<S, 1> joints(const Vector<S, 2>& q) const {
    return Vector<S, 1>(sqrt(q[0]) - 1.0);
  }
};
struct Torn : TwiceHeld {
  template <class S>
  Vector<S, 2> joints(const Vector<S, 3>& q) const {
    return Vector<S, 2>(q[0] - 1.0, q[0] + 1.0);
  }
};
struct Walled : RodPendulum {
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(1.5 - q[0]);
  }
};

template <SystemStruct Sys>
std::string refusal_of(const Sys& system, const Start<Sys::dim>& start, bool project = false) {
  try {
    validated_state(*as_system(system), any_size(start), project);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "not refused";
}
template <SystemStruct Sys>
Phase on_joints(const Sys& system, const Start<Sys::dim>& start) {
  return validated_state(*as_system(system), any_size(start), true);
}
template <SystemStruct Sys>
double violation_on_joints(const Sys& system, const Start<Sys::dim>& start) {
  return largest_violation(as_system(system), on_joints(system, start));
}
Start<2> at(double x, double y, double vx, double vy) {
  return {{x, y}, Vector<double, 2>(vx, vy), std::nullopt};
}

TEST(JointStarts, OffAJointIsRefused) {
  EXPECT_EQ(refusal_of(RodPendulum{}, at(1, 0.5, 0, 0)),
            "initial.q = [1, 0.5]: is off the joint \"rod\", which is 0.25 and must be 0; [0.894427191, "
            "0.4472135955] is near and on the joints; initial.project = true takes it");
  EXPECT_EQ(
      refusal_of(RodPendulum{}, at(1, 0, 0.5, 2)),
      "initial.v = [0.5, 2]: leaves the joint \"rod\" at the rate 1, which must be 0; [0, 2] is near and "
      "along the joints; initial.project = true takes it");
  EXPECT_EQ(
      refusal_of(RodPendulum{}, {{1, 0}, std::nullopt, Vector<double, 2>(-0.5, 2)}),
      "initial.p = [-0.5, 2]: leaves the joint \"rod\" at the rate -1, which must be 0; [0, 2] is near and "
      "along the joints; initial.project = true takes it");
}
TEST(JointStarts, WithoutAGradientOrAValueIsRefused) {
  EXPECT_EQ(refusal_of(RodPendulum{}, at(0, 0, 0, 0), true),
            "initial.q = [0, 0]: the joint \"rod\" has no gradient here, so that it holds nothing");
  EXPECT_EQ(refusal_of(Root{}, at(-1, 0, 0, 0), true),
            "initial.q = [-1, 0]: the joint \"rod\" is not finite here");
}
TEST(JointStarts, JointsThatContradictEachOtherAreRefused) {
  const Start<3> start{{1, 0, 0}, Vector<double, 3>(0, 0, 0), std::nullopt};
  for (const bool project : {false, true})
    EXPECT_EQ(
        refusal_of(Torn{}, start, project),
        "initial.q = [1, 0, 0]: is off the joint \"joint 2\", which is 2 and must be 0; no point near it is "
        "on all joints");
}

TEST(JointStarts, AreProjectedOnRequest) {
  const auto z = on_joints(RodPendulum{}, at(1.2, 1.6, 1, 0));
  EXPECT_NEAR(z.q[0], 0.6, 1e-15);
  EXPECT_NEAR(z.q[1], 0.8, 1e-15);
  EXPECT_NEAR(z.p[0], 0.64, 1e-15);
  EXPECT_NEAR(z.p[1], -0.48, 1e-15);
  const WavyBead bead;
  auto start = bead.start();
  start.q[2] += 0.3, (*start.v)[2] += 1;
  const auto on = on_joints(bead, start);
  EXPECT_LT(violation_on_joints(bead, start), 1e-15);
  EXPECT_LT((on.q - start.q).norm(), 0.31);
  const TwoRods rods;
  const Start<4> bent{{0.5, -0.5, 1.5, -1}, Vector<double, 4>(1, 2, 3, 4), std::nullopt};
  EXPECT_LT(violation_on_joints(rods, bent), 1e-14);
  EXPECT_LT(violation_on_joints(FastPendulum{}, at(1.1, 0.2, 1, 2)), 1e-14);
  const TwiceHeld twice;
  const Start<3> skew{{0.7, 0.2, -0.9}, Vector<double, 3>(1, 1, 1), std::nullopt};
  EXPECT_LT(violation_on_joints(twice, skew), 1e-14);
}
// The projection of momenta is orthogonal in the metric of M^-1: what it takes away does no work on what is
// left.
TEST(JointStarts, LoseTheNormalPartOfTheMomentumOnly) {
  const WavyBead bead;
  auto start = bead.start();
  start.v.reset(), start.p = Vector<double, 3>(0.3, -2, 1);
  const auto z = on_joints(bead, start);
  EXPECT_NEAR((*start.p - z.p).dot(velocity(as_system(bead), z.q, z.p)), 0, 1e-15);
}

TEST(JointStarts, WithinToleranceBeginOnTheJoints) {
  const RodPendulum rod;
  const auto system = as_system(rod);
  const auto z = validated_state(*system, any_size(at(0.8660254038, -0.5, 0.5, 0.8660254038)));
  EXPECT_LT(largest_violation(system, z), 4e-16);
  EXPECT_LT((z.q - Vector<double, 2>(0.8660254038, -0.5)).norm(), 1e-10);
  EXPECT_EQ(refusal_of(rod, at(1 + 0.9e-9, 0, 0, 1)), "not refused");
  EXPECT_NE(refusal_of(rod, at(1 + 1.1e-9, 0, 0, 1)), "not refused");
  EXPECT_EQ(refusal_of(rod, at(1, 0, 0.9e-9, 1)), "not refused");
  EXPECT_NE(refusal_of(rod, at(1, 0, 1.1e-9, 1)), "not refused");
  EXPECT_EQ(refusal_of(rod, at(1, 0, 0, 0)), "not refused");
}

TEST(JointStarts, GapsAreLookedAtWhereTheProjectionEnds) {
  EXPECT_EQ(refusal_of(Walled{}, at(2, 0, 0, 0), true), "not refused");
}

TEST(JointLedger, KeepsTheLargestJoint) {
  const auto system = as_system(RodPendulum{});
  Ledger ledger(system);
  const auto see = [&ledger](int n, double x) {
    const Phase z{Vector<double, 2>(x, 0), Vector<double, 2>(0, 0)};
    ledger({n, 0.1 * n, z, nullptr});
  };
  EXPECT_EQ(ledger.largest_joint, 0);
  see(0, 1);
  EXPECT_EQ(ledger.largest_joint, 0);
  see(1, 0.5), see(2, 1);
  EXPECT_EQ(ledger.largest_joint, 0.75);
  std::vector<double> kept;
  ledger.numbers([&kept](auto& x) { kept.push_back(static_cast<double>(x)); });
  EXPECT_EQ(std::count(kept.begin(), kept.end(), 0.75), 1);
  see(3, std::nan("")), see(4, 1);
  EXPECT_TRUE(std::isnan(ledger.largest_joint));
}

}  // namespace
}  // namespace carom::test
