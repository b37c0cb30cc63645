// Scenes in space: every slope, bend and slip against differences, for all pairs of shapes that touch, joints
// and springs, with bodies that are free, fixed and moved, and quaternions of any length.
#include "carom/bodies/space_scene.hpp"

#include <gtest/gtest.h>

#include <random>

#include "carom/numerics/differentiate.hpp"

namespace carom {
namespace {

constexpr double little = 1e-5;

SpaceBody free_body(const char* name, std::vector<SpacePart> shape) {
  Eigen::Matrix3d I = Point3(0.4, 0.5, 0.7).asDiagonal();
  I(0, 1) = I(1, 0) = 0.05;
  return {name, std::move(shape), 1.5, I, {}, {}};
}

SpacePart wedge() { return hull_part({{-0.3, -0.2, -0.2}, {0.5, -0.2, -0.1}, {-0.1, 0.4, 0}, {0, 0, 0.5}}); }

SpaceWorld everything() {
  SpaceWorld w;
  w.gravity = {0.3, 0.1, -9.81};
  w.bodies = {free_body("ball", {ball_part({0.1, 0, 0}, 0.3)}),
              free_body("capsule", {capsule_part({-0.4, 0.1, 0}, {0.4, 0.1, 0}, 0.1)}),
              free_body("wedge", {wedge()}),
              free_body("box", {block_part({0.5, 0.4, 0.3})}),
              free_body("egg", {placed(ellipsoid_part({0.3, 0.2, 0.15}), {0.1, 0, 0}, {0.9, 0.1, 0.2, 0.3})}),
              free_body("can", {cylinder_part(0.5, 0.2)})};
  w.bodies.push_back({"wall", {half_space_part({0, -1, 0}, {0.2, 0.1, 1})}, 0, {}, {}, {}});
  w.bodies.push_back({"moved", {block_part({1, 1, 1})}, 0, {}, {}, [](double t, std::array<double, 21>& out) {
                        using D = Dual2<double, 1>;
                        D s(t);
                        s.d[0] = 1;
                        const auto q = rotation(Arrow<D>{s * 0.3, s * s, D(1.0) - s});
                        for (std::size_t k = 0; k < 4; ++k)
                          out[k + 3] = q[k].a, out[k + 10] = q[k].d[0], out[k + 17] = q[k].h[0];
                        out[0] = std::sin(t), out[7] = std::cos(t), out[14] = -std::sin(t);
                        out[1] = t * t, out[8] = 2 * t, out[15] = 2;
                        out[2] = 0, out[9] = 0, out[16] = 0;
                      }});
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < a && b < 6; ++b)
      if (!SpaceContacts::cannot_touch(w.bodies[static_cast<std::size_t>(a)].shape[0],
                                       w.bodies[static_cast<std::size_t>(b)].shape[0]))
        w.pairs.push_back({a, b, 0.5, 0.3});
  using Kind = SpaceJoint::Kind;
  const Eigen::Matrix3d turn = matrix_of({0.8, 0.1, 0.5, 0.2});
  w.joints = {{Kind::hinge, "hinge", 0, 1, {0.2, 0.1, 0}, {-0.3, 0, 0}, turn, {}, 0, -1.0, 2.0, 1.5, 0.2},
              {Kind::slider, "slider", 7, 2, {0.5, 0, 0}, {0, 0.1, 0}, turn, turn, 0.2, -1.0, {}, 0.5, 0},
              {Kind::fixed, "fixed", -1, 3, {1, 2, 0}, {0.3, 0, 0}, turn},
              {Kind::universal, "universal", 4, 3, {1, 2, 0}, {0.3, 0, 0}, turn},
              {Kind::ball, "ball joint", 4, 5, {1, 2, 0}, {0.3, 0, 0}},
              {Kind::distance, "rod", 2, 3, {0, 0.2, 0}, {0.1, 0, 0.3}, {}, {}, 1.5},
              {Kind::distance, "rope", 7, 0, {0, 0.2, 0}, {0.1, 0, 0}, {}, {}, 0, {}, 2.5}};
  w.joints[0].axes_b = w.joints[3].axes_b = matrix_of({0.3, 0.2, 0.7, 0.1});
  w.joints[2].axes_b = matrix_of({0.3, 0.9, 0.7, 0.1});
  w.springs = {{0, 2, {0.1, 0, 0}, {0, 0.2, 0}, 3, 0.5, 0.2},
               {7, 1, {0, 0, 0}, {0.1, 0, 0}, 2, 0, 0.1},
               {-1, 3, {0, 1, 0}, {0, 0, 0}, 4, 1, 0}};
  return w;
}

class EverythingInSpace : public ::testing::Test {
 protected:
  EverythingInSpace() : scene(everything()), q(scene.size()), u(scene.size()) {
    for (int i = 0; i < scene.contact_count(); ++i) all.push_back(i);
  }
  void choose() {
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < q.size(); ++i) q[i] = any(random), u[i] = any(random);
    for (int i = 0; i < q.size(); i += 7)
      q.segment<4>(i + 3) *= (0.7 + 0.3 * any(random)) / q.segment<4>(i + 3).norm();
    t = any(random);
  }
  template <class F>
  Values rate_of(const F& f) const {
    return (f(little) - f(-little)) / (2 * little);
  }
  template <class F>
  Values bend_of(const F& f) const {
    return (f(1e-4) - 2 * f(0.0) + f(-1e-4)) / 1e-8;
  }
  Values gaps(double s) const {
    Values g;
    scene.gaps(t + s, q + s * u, g);
    return g;
  }
  Values joints(double s) const {
    Values f;
    scene.joints(t + s, q + s * u, f);
    return f;
  }
  // Whether contact i is of the same feature all around, and near, so that differences mean something.
  bool is_smooth(int i, const Values& now, const Values& before, const Values& after) const {
    if (i >= scene.contacts().size()) return true;
    if (!(gaps(0)[i] < 0.3 * scene.gap_constant(i))) return false;
    for (int k = 0; k < scene.branch_count(); ++k) {
      if (scene.branch_contact(k) != i) continue;
      const bool apart = scene.contacts()[i].kind == SpaceContact::Kind::edges && now[k] == 0;
      return before[k] == after[k] && !apart;
    }
    return true;
  }
  std::vector<int> smooth() const {
    std::vector<int> r;
    Values now, before, after;
    scene.branches(t, q, now);
    scene.branches(t - 1e-3, q - 1e-3 * u, before), scene.branches(t + 1e-3, q + 1e-3 * u, after);
    for (const int i : all)
      if (is_smooth(i, now, before, after)) r.push_back(i);
    return r;
  }

  SpaceScene scene;
  Values q, u;
  double t = 0;
  std::vector<int> all;
  std::mt19937_64 random{7};
};

TEST_F(EverythingInSpace, GapSlopesAndBendsAreDerivatives) {
  std::array<int, 4> compared{};
  for (int round = 0; round < 20; ++round) {
    choose();
    SparseRows rows;
    scene.gap_slopes(t, q, all, rows);
    Values bend(scene.contact_count());
    scene.gap_bends(t, q, u, all, bend);
    const Values by_differences = rate_of([this](double s) { return gaps(s); });
    const Values second = bend_of([this](double s) { return gaps(s); });
    for (const int i : smooth()) {
      const double size = 1 + std::abs(second[i]);
      EXPECT_NEAR(rows[i].rate(u), by_differences[i], 1e-7 * size) << scene.contact_name(i);
      EXPECT_NEAR(bend[i], second[i], 2e-4 * size) << scene.contact_name(i);
      if (i < scene.contacts().size()) ++compared[static_cast<std::size_t>(scene.contacts()[i].kind)];
    }
  }
  for (const int count : compared) EXPECT_GT(count, 5);
}

TEST_F(EverythingInSpace, NothingDependsOnTheLengthOfQuaternions) {
  for (int round = 0; round < 5; ++round) {
    choose();
    const Values g = gaps(0), f = joints(0);
    for (int i = 0; i < q.size(); i += 7) q.segment<4>(i + 3) *= -1.7;
    EXPECT_LT((gaps(0) - g).lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_LT((joints(0) - f).tail(f.size() - 6).lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

TEST_F(EverythingInSpace, JointSlopesAndBendsAreDerivatives) {
  for (int round = 0; round < 20; ++round) {
    choose();
    SparseRows rows;
    scene.joint_slopes(t, q, rows);
    Values bend;
    scene.joint_bends(t, q, u, bend);
    const Values by_differences = rate_of([this](double s) { return joints(s); });
    const Values second = bend_of([this](double s) { return joints(s); });
    ASSERT_EQ(rows.size(), 6 + 5 + 5 + 6 + 4 + 3 + 1);
    for (int i = 0; i < rows.size(); ++i) {
      EXPECT_NEAR(rows[i].rate(u), by_differences[i], 1e-6) << scene.joint_name(i);
      EXPECT_NEAR(bend[i], second[i], 2e-4 * (1 + std::abs(second[i]))) << scene.joint_name(i);
    }
  }
}

// Where a contact touches, its slip is what the bodies move past each other, at right angles to the normal.
TEST_F(EverythingInSpace, SlipsAreRelativeVelocities) {
  int compared = 0;
  for (int round = 0; round < 20; ++round) {
    choose();
    SparseRows normals, slips;
    scene.gap_slopes(t, q, all, normals), scene.slip_slopes(t, q, all, slips);
    Values bend(2 * scene.contact_count());
    scene.slip_bends(t, q, u, all, bend);
    const Values along = rate_of([this](double s) {
      Values f;
      scene.slides(t + s, q + s * u, f);
      return f;
    });
    const Values second = rate_of([this](double s) {
      SparseRows at;
      scene.slip_slopes(t + s, q + s * u, all, at);
      Values f(2 * scene.contact_count());
      for (int i = 0; i < f.size(); ++i) f[i] = at[i].rate(u);
      return f;
    });
    const Values gap = gaps(0);
    for (const int i : smooth()) {
      if (!(scene.mu(i) > 0)) continue;
      const Eigen::Map<const Point3> n(normals[i].slopes.data());
      for (int e = 2 * i; e < 2 * i + 2; ++e) {
        const Eigen::Map<const Point3> way(slips[e].slopes.data());
        if (slips[e].at.size() < 14 && slips[e].at.size() > 0) EXPECT_NEAR(n.dot(way), 0, 1e-12);
        EXPECT_NEAR(bend[e], second[e], 1e-5 * (1 + std::abs(second[e]))) << scene.contact_name(i);
        if (!scene.has_slide(i) || !(gap[i] < 0.09 * scene.gap_constant(i))) continue;
        ++compared;
        EXPECT_NEAR(slips[e].rate(u), along[e], 1e-7) << scene.contact_name(i);
      }
    }
  }
  EXPECT_GT(compared, 50);
}

// L, its slopes, momenta and curvature.
TEST_F(EverythingInSpace, LagrangianAndItsDerivatives) {
  const int n = scene.size();
  for (int round = 0; round < 5; ++round) {
    choose();
    Values v = Values::Random(n), w = Values::Random(n), Lq(n), Lv(n), back(n);
    const auto L = [&](double at, const Values& x, const Values& y) {
      Values a(n), b(n);
      return scene.slopes(at, x, y, a, b);
    };
    scene.slopes(t, q, v, Lq, Lv);
    EXPECT_NEAR(Lq.dot(u), (L(t, q + little * u, v) - L(t, q - little * u, v)) / (2 * little), 1e-6);
    EXPECT_NEAR(Lv.dot(w), (L(t, q, v + little * w) - L(t, q, v - little * w)) / (2 * little), 1e-6);
    EXPECT_NEAR(scene.drift(t, q, v, back), (L(t + little, q, v) - L(t - little, q, v)) / (2 * little), 1e-6);
    ASSERT_TRUE(scene.velocity(t, q, Lv, back));
    EXPECT_LT((back - v).lpNorm<Eigen::Infinity>(), 1e-12);
    Values change(n);
    scene.momentum_bend(t, q, v, change);
    const Values bend = rate_of([&](double s) {
      Values a(n), b(n);
      scene.slopes(t, q + s * v, v, a, b);
      return b;
    });
    EXPECT_LT((change - bend).lpNorm<Eigen::Infinity>(), 1e-8);
    scene.stiffness(t, q, u, change);
    const Values stiff = rate_of([&](double s) {
      Values a(n), b(n);
      scene.slopes(t, q + s * u, Values::Zero(n), a, b);
      return a;
    });
    EXPECT_LT((change + stiff).lpNorm<Eigen::Infinity>(), 1e-6);
  }
}

TEST(SpaceShape, MomentsOfShapes) {
  const auto box = moments_of(std::vector{placed(block_part({1, 2, 3}), {1, 1, 1}, {0.5, 0.5, 0.5, 0.5})});
  EXPECT_NEAR(box.volume, 6, 1e-13);
  EXPECT_LT((box.centre - Point3(1, 1, 1)).norm(), 1e-14);
  // A third of a turn about (1, 1, 1) takes x to y.
  EXPECT_LT((box.inertia.diagonal() - Point3(6 * 5, 6 * 13, 6 * 10) / 12).norm(), 1e-12);
  const auto corner = moments_of(std::vector{hull_part({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})});
  EXPECT_NEAR(corner.volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(moments_of(std::vector{ball_part({0, 0, 0}, 2)}).inertia(1, 1), 0.4 * 4 * 32 * M_PI / 3, 1e-11);
}

TEST(SpaceShape, HullsHaveFacesAndEdges) {
  const auto box = block_part({1, 2, 3});
  EXPECT_EQ(box.corners.size(), 8U);
  EXPECT_EQ(box.faces.size(), 6U);
  EXPECT_EQ(box.edges.size(), 12U);
  std::mt19937_64 random{3};
  std::normal_distribution<double> any;
  std::vector<Point3> points;
  for (int k = 0; k < 60; ++k) points.push_back(Point3(any(random), any(random), any(random)).normalized());
  points.push_back({0, 0, 0});
  const auto ball = hull_part(points);
  EXPECT_EQ(ball.corners.size(), 60U);
  EXPECT_EQ(ball.corners.size() + ball.faces.size() - ball.edges.size(), 2U);
  for (const auto& face : ball.faces)
    for (const Point3& p : points) EXPECT_LT(face.normal.dot(p), face.offset + 1e-9);
  for (const auto& edge : ball.edges) EXPECT_GE(edge.right, 0);
}

// Of two sharp boxes: the least gap is positive where they are apart and negative where they overlap.
TEST(SpaceContacts, SignsOfGapsAreThoseOfSeparation) {
  SpaceWorld w;
  w.bodies = {free_body("a", {block_part({1, 0.8, 0.6})}), free_body("b", {wedge()})};
  w.pairs = {{0, 1, 1, 0}};
  const SpaceScene scene(std::move(w));
  std::mt19937_64 random{5};
  std::uniform_real_distribution<double> any(-1, 1);
  int apart = 0, over = 0;
  for (int round = 0; round < 2000; ++round) {
    Values q(14), g;
    for (int i = 0; i < 14; ++i) q[i] = any(random);
    q.segment<3>(0).setZero();
    scene.gaps(0, q, g);
    const auto overlap = scene.overlap(0, q);
    if (!overlap) {
      ++apart;
      Eigen::Index least = 0;
      EXPECT_GT(g.minCoeff(&least), -1e-12) << scene.contact_name(static_cast<int>(least));
    } else if (overlap->depth < 0.02) {  // what an impact is found by
      ++over;
      EXPECT_LT(g.minCoeff(), 0) << overlap->depth;
    }
  }
  EXPECT_GT(apart, 300);
  EXPECT_GT(over, 30);
}

}  // namespace
}  // namespace carom
