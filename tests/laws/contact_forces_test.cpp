// The forces of contacts that last, against what can be worked out by hand: walls, corners, discs, joints,
// masses that depend on q, forces without a potential; and the second derivatives they are made of.
#include <gtest/gtest.h>

#include "carom/contact/touching.hpp"
#include "carom/systems/box_of_discs.hpp"
#include "support/local_systems.hpp"

namespace carom::test {
namespace {

// A point of mass m under gravity, with walls n·q >= 0 given by the directions of n.
struct Walls {
  static constexpr int dim = 2;
  double m = 2, g = 9.81;
  std::array<double, 3> angles{};
  int count = 1;
  Eigen::Matrix2d mass() const { return m * Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return m * g * q[1];
  }
  template <class S>
  Vector<S, Eigen::Dynamic> gaps(const Vector<S, 2>& q) const {
    Vector<S, Eigen::Dynamic> r(count);
    for (int k = 0; k < count; ++k) r[k] = std::cos(angles[k]) * q[0] + std::sin(angles[k]) * q[1];
    return r;
  }
};

std::vector<int> first(int n) {
  std::vector<int> r(n);
  for (int i = 0; i < n; ++i) r[i] = i;
  return r;
}

// What the contacts 0 .. n - 1 do at (q, v).
struct Forces {
  Touching touching;
  std::vector<int> all;
  bool solved = false;

  Forces(const SystemRef& system, const Values& q, const Values& v, double t = 0)
      : touching(*system, 0.01), all(first(system->contact_count())) {
    Values Lq(q.size()), p(q.size());
    system->slopes(0, q, v, Lq, p);
    solved = touching.prepare(t, q, p, all) && touching.forces.solve(touching.rates, all);
  }
  double force(int k) const { return touching.forces.force[k]; }
  double free_acceleration(int k) const { return touching.forces.bias[k]; }
  double acceleration(int k) const { return touching.forces.acceleration[k]; }
  bool opens(int k) const { return touching.forces.opens(all, k); }
};

constexpr double up = std::numbers::pi / 2;

TEST(ContactForces, ABlockOnAnIncline) {
  for (const double slope : {0.0, 0.3, 1.2}) {
    const Walls walls{.angles = {up + slope}};
    for (const double speed : {0.0, 3.0}) {
      const Values along = values({std::cos(slope), std::sin(slope)});
      const Forces f(dense(walls), values({0, 0}), speed * along);
      ASSERT_TRUE(f.solved);
      EXPECT_NEAR(f.free_acceleration(0), -walls.g * std::cos(slope), 1e-14);
      EXPECT_NEAR(f.force(0), walls.m * walls.g * std::cos(slope), 1e-13);
      EXPECT_NEAR(f.acceleration(0), 0, 1e-14);
      EXPECT_FALSE(f.opens(0));
    }
  }
  // From below nothing holds it.
  const Forces below(dense(Walls{.angles = {-up - 0.3}}), values({0, 0}), values({0, 0}));
  EXPECT_EQ(below.force(0), 0);
  EXPECT_NEAR(below.acceleration(0), 9.81 * std::cos(0.3), 1e-14);
  EXPECT_TRUE(below.opens(0));
}

TEST(ContactForces, ABodyOnTwoWalls) {
  const Walls walls{.angles = {up - 0.4, up + 0.9}, .count = 2};
  const Forces f(dense(walls), values({0, 0}), values({0, 0}));
  ASSERT_TRUE(f.solved);
  // The law of sines between the two normals and the weight.
  const double weight = walls.m * walls.g, between = std::sin(0.4 + 0.9);
  EXPECT_NEAR(f.force(0), weight * std::sin(0.9) / between, 1e-13);
  EXPECT_NEAR(f.force(1), weight * std::sin(0.4) / between, 1e-13);
  EXPECT_FALSE(f.opens(0) || f.opens(1));
  // Of a wall that would have to pull, the body falls away.
  const Forces g(dense(Walls{.angles = {up + 0.4, up + 0.9}, .count = 2}), values({0, 0}), values({0, 0}));
  ASSERT_TRUE(g.solved);
  EXPECT_NEAR(g.force(0), weight * std::cos(0.4), 1e-13);
  EXPECT_EQ(g.force(1), 0);
  EXPECT_TRUE(g.opens(1)) << g.acceleration(1);
}

// Forces of three walls through a corner are not unique, their sum is.
TEST(ContactForces, ThreeWallsThroughOneCorner) {
  for (const std::array<double, 3> angles :
       {std::array{up - 0.4, up + 0.9, up + 0.2}, {up - 0.4, up + 0.9, up + 0.9}, {up - 0.4, up + 0.9, up}}) {
    const Walls walls{.angles = angles, .count = 3};
    const Forces f(dense(walls), values({0, 0}), values({0, 0}));
    ASSERT_TRUE(f.solved);
    double x = 0, y = 0;
    for (int k = 0; k < 3; ++k) {
      EXPECT_GE(f.force(k), 0);
      EXPECT_NEAR(f.acceleration(k), 0, 1e-12);
      EXPECT_FALSE(f.opens(k));
      x += f.force(k) * std::cos(angles[k]), y += f.force(k) * std::sin(angles[k]);
    }
    EXPECT_NEAR(x, 0, 1e-12);
    EXPECT_NEAR(y, walls.m * walls.g, 1e-12);
  }
}

TEST(ContactForces, AColumnCarriesItsWeight) {
  const BallColumn column(7);
  const SystemRef system{std::make_shared<BallColumn>(column)};
  const Forces f(system, column.rest(), Values::Zero(7));
  ASSERT_TRUE(f.solved);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(f.force(k), (7 - k) * column.m * column.g, 1e-12) << k;
}

// A particle at the angle a from the top of a disc: it leaves where v²/R exceeds g cos a.
TEST(ContactForces, AParticleOnADisc) {
  const Disc disc{.R = 1.7};
  for (const double a : {0.0, 0.5, 1.3})
    for (const double v : {0.0, 1.0, 3.9, 4.1, 9.0}) {
      const Forces f(dense(disc), disc.R * values({std::sin(a), std::cos(a)}),
                     v * values({std::cos(a), -std::sin(a)}));
      ASSERT_TRUE(f.solved);
      const double away = v * v / disc.R - disc.g * std::cos(a);
      EXPECT_NEAR(f.free_acceleration(0), away, 1e-13);
      EXPECT_EQ(f.opens(0), away > 0);
      EXPECT_NEAR(f.acceleration(0), std::fmax(away, 0), 1e-13);
      EXPECT_NEAR(f.force(0), disc.m * std::fmax(-away, 0), 1e-13);
    }
}

// A bob on a rod of length l, held out at the angle a by a wall x >= l sin a.
struct Bob {
  static constexpr int dim = 2;
  double m = 3, l = 1.3, g = 9.81, a = 0.4;
  Eigen::Matrix2d mass() const { return m * Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return m * g * q[1];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0] - l * std::sin(a));
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 2>& q) const {
    return Vector<S, 1>(sqrt(q[0] * q[0] + q[1] * q[1]) - l);
  }
};
TEST(ContactForces, APendulumAgainstAWall) {
  for (const double a : {0.1, 0.4, 1.2}) {
    const Bob bob{.a = a};
    const Values q = bob.l * values({std::sin(a), -std::cos(a)}), along = values({std::cos(a), std::sin(a)});
    const Forces rest(dense(bob), q, values({0, 0}));
    ASSERT_TRUE(rest.solved);
    EXPECT_NEAR(rest.force(0), bob.m * bob.g * std::tan(a), 1e-12);
    EXPECT_NEAR(rest.acceleration(0), 0, 1e-13);
    // Moving, the rod bends its path: x'' = l (cos a a'' - sin a a'²) with a'' = -g sin a / l.
    const double rate = 1.7;
    const Forces moving(dense(bob), q, rate * bob.l * along);
    ASSERT_TRUE(moving.solved);
    EXPECT_NEAR(moving.free_acceleration(0),
                -bob.g * std::sin(a) * std::cos(a) - bob.l * rate * rate * std::sin(a), 1e-12);
  }
}

// Polar coordinates (r, a), with a circle r >= R and a floor r sin a >= c.
struct Polar {
  static constexpr int dim = 2;
  double m = 1.5, g = 9.81, R = 2, c = 1;
  template <class S>
  Eigen::Matrix<S, 2, 2> mass(const Vector<S, 2>& q) const {
    Eigen::Matrix<S, 2, 2> M;
    M << S(m), S(0.0), S(0.0), m * q[0] * q[0];
    return M;
  }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return m * g * q[0] * sin(q[1]);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {q[0] - R, q[0] * sin(q[1]) - c};
  }
};
TEST(ContactForces, AMassThatDependsOnQ) {
  const Polar polar;
  const auto system = dense(polar);
  ASSERT_FALSE(system->constant_mass());
  for (const double a : {0.3, 1.0, 2.5})
    for (const double turning : {0.0, 1.1, 3.0}) {
      const Values q = values({polar.R, a});
      // Along the circle, r'' = r a'² - g sin a.
      Forces circle(system, q, values({0, turning}));
      ASSERT_TRUE(circle.touching.forces.solve(circle.touching.rates, {0}));
      const double away = polar.R * turning * turning - polar.g * std::sin(a);
      EXPECT_NEAR(circle.free_acceleration(0), away, 1e-13);
      EXPECT_NEAR(circle.force(0), polar.m * std::fmax(-away, 0), 1e-12);
      // However it moves, it falls with g.
      for (const double out : {0.0, -2.0, 5.0})
        EXPECT_NEAR(Forces(system, q, values({out, turning})).free_acceleration(1), -polar.g, 1e-12);
    }
}

// Pressed by a force that changes its sign in time.
struct PushedWalls : Walls {
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>& v) const {
    return {S(-3.0 * v[0]), S(40.0 * sin(t))};
  }
};
TEST(ContactForces, ForcesWithoutAPotential) {
  PushedWalls driven;
  driven.angles = {up};
  for (const double t : {0.0, 0.3, 0.5, 1.5}) {
    const Forces f(dense(driven), values({0, 0}), values({1, 0}), t);
    ASSERT_TRUE(f.solved);
    const double lift = 40 * std::sin(t) - driven.m * driven.g;
    EXPECT_NEAR(f.force(0), std::fmax(-lift, 0), 1e-12);
    EXPECT_EQ(f.opens(0), lift > 0) << t;
  }
}

// What neither presses nor opens lasts; it opens once it does so by more than 1e-9 of the forces.
TEST(ContactForces, NeutralContactsLast) {
  const auto lasts = [](const SystemRef& system, const Values& q, const Values& p) {
    Touching touching(*system, 0.01);
    std::vector<int> lasting;
    EXPECT_TRUE(touching.prepare(0, q, p, {0}) && touching.choose_lasting(0, q, p, lasting));
    return lasting == std::vector<int>{0};
  };
  EXPECT_TRUE(lasts(dense(Walls{.g = 0, .angles = {up}}), values({0, 0}), values({1, 0})));
  EXPECT_TRUE(lasts(dense(Walls{.g = 0, .angles = {up}}), values({0, 0}), values({0, 0})));
  EXPECT_TRUE(lasts(dense(Walls{.angles = {0}}), values({0, 0}), values({0, -1})));  // along gravity
  EXPECT_TRUE(lasts(dense(Walls{.angles = {-1e-10}}), values({0, 0}), values({0, 0})));
  EXPECT_FALSE(lasts(dense(Walls{.angles = {-1e-8}}), values({0, 0}), values({0, 0})));
  EXPECT_FALSE(lasts(dense(Walls{.g = 0, .angles = {up}}), values({0, 0}), values({0, 1})));  // leaves
  EXPECT_FALSE(lasts(dense(Disc{.g = 0}), values({0, 1}), values({1, 0})));  // so does a tangent
  EXPECT_TRUE(lasts(dense(Disc{.g = 0, .inside = true}), values({0, 1}), values({1, 0})));
}

// Second derivatives along u, by central differences of fourth order.
void expect_bends(const std::string& label, const System& m, const Values& q, const Values& u) {
  constexpr double s = 2e-3;
  const auto second = [&](const auto& f) {
    return Values((-f(2 * s) + 16 * f(s) - 30 * f(0.0) + 16 * f(-s) - f(-2 * s)) / (12 * s * s));
  };
  const auto slope = [&](const auto& f) {
    return Values((-f(2 * s) + 8 * f(s) - 8 * f(-s) + f(-2 * s)) / (12 * s));
  };
  Values bend(m.contact_count()), Lq(q.size());
  m.gap_bends(0, q, u, first(m.contact_count()), bend);
  const Values gaps = second([&](double x) {
    Values g;
    m.gaps(0, q + x * u, g);
    return g;
  });
  EXPECT_LT((bend - gaps).lpNorm<Eigen::Infinity>(), 1e-8) << label;
  EXPECT_GT(gaps.lpNorm<Eigen::Infinity>(), 1e-4) << label << ": nothing is tested";
  if (m.joint_count() > 0) {
    m.joint_bends(0, q, u, bend);
    const Values joints = second([&](double x) {
      Values f;
      m.joints(0, q + x * u, f);
      return f;
    });
    EXPECT_LT((bend - joints).lpNorm<Eigen::Infinity>(), 1e-8) << label;
    EXPECT_GT(joints.lpNorm<Eigen::Infinity>(), 1e-4) << label;
  }
  Values change(q.size());
  m.momentum_bend(0, q, u, change);
  const Values momentum = slope([&](double x) {
    Values Lv(q.size());
    m.slopes(0, q + x * u, u, Lq, Lv);
    return Lv;
  });
  EXPECT_LT((change - momentum).lpNorm<Eigen::Infinity>(), 1e-9) << label;
  EXPECT_EQ(change.norm() > 1e-2, !m.constant_mass()) << label;
}
TEST(ContactForces, BendsAreSecondDerivatives) {
  std::mt19937_64 random(20120617);
  const auto draw = [&](int n) {
    Values r(n);
    for (double& x : r) x = std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
    return r;
  };
  const Values angles = values({-0.6, -0.1, 0.2});
  const CradleInAngles in_angles(CradleShape{3});
  const CradleInCoordinates cartesian(CradleShape{3});
  const BoxOfDiscs box(values({0.1, 0.15, 0.2}), values({1, 2, 3}), 2, 2, 9.81);
  const Values places = values({0.3, 0.4, 0.9, 0.5, 1.3, 1.4});
  const Chain chain(3);
  for (int i = 0; i < 5; ++i) {
    expect_bends("cradle in angles", in_angles, angles, draw(3));
    expect_bends("cradle in coordinates", cartesian, cartesian.at(angles), draw(6));
    expect_bends("box of discs", box, places, draw(6));
    expect_bends("chain", chain, values({0.6, -0.8, 0.9, -1.9, 1.1, -3}), draw(6));
    expect_bends("polar", AutodiffSystem<Polar>(Polar{}), values({1.4, 0.7}), draw(2));
    expect_bends("spring and sphere", AutodiffSystem<SpringAndSphere>(SpringAndSphere{}),
                 values({4, -1, 3, -4}), draw(4));
  }
}

}  // namespace
}  // namespace carom::test
