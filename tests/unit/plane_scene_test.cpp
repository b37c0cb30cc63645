// Scenes in the plane: every slope, bend and slip against differences, for all pairs of shapes, joints and
// springs, with bodies that are free, fixed and moved.
#include "carom/bodies/plane_scene.hpp"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

constexpr double little = 1e-5;

PlaneBody free_body(const char* name, std::vector<PlanePart> shape) {
  return {name, std::move(shape), 1.5, 0.4, {}, {}};
}

PlanePart triangle() { return polygon({{-0.3, -0.2}, {0.5, -0.2}, {-0.1, 0.4}}); }

// Discs, capsules and polygons, a fixed half-plane, and a box that goes around; joints of all kinds with
// limits, springs.
PlaneWorld everything() {
  PlaneWorld w;
  w.gravity = {0.3, -9.81};
  w.bodies = {free_body("disc", {disc({0.1, 0}, 0.3)}),
              free_body("capsule", {capsule({-0.4, 0.1}, {0.4, 0.1}, 0.1)}),
              free_body("polygon", {triangle()}), free_body("both", {triangle(), disc({0.6, 0.2}, 0.2)})};
  w.bodies.push_back({"wall", {half_plane({0, -1}, {0.2, 1})}, 0, 0, {}, {}});
  w.bodies.push_back({"moved",
                      {polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})},
                      0,
                      0,
                      {},
                      [](double t, std::array<double, 9>& out) {
                        out = {std::sin(t), t * t, 2 * t, std::cos(t), 2 * t, 2, -std::sin(t), 2, 0};
                      }});
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < a && b < 4; ++b) w.pairs.push_back({a, b, 0.5, 0.3});
  using Kind = PlaneJoint::Kind;
  w.joints = {{Kind::hinge, "hinge", 0, 1, {0.2, 0.1}, {-0.3, 0}, {}, 0.1, 0, -1.0, 2.0},
              {Kind::slider, "slider", 5, 2, {0.5, 0}, {0, 0.1}, {0.6, 0.8}, 0.2, 0, -1.0, {}},
              {Kind::fixed, "fixed", -1, 3, {1, 2}, {0.3, 0}, {}, 0.3, 0, {}, {}},
              {Kind::distance, "rod", 2, 3, {0, 0.2}, {0.1, 0}, {}, 0, 1.5, {}, {}},
              {Kind::distance, "rope", 5, 0, {0, 0.2}, {0.1, 0}, {}, 0, 0, {}, 2.5}};
  w.springs = {{0, 2, {0.1, 0}, {0, 0.2}, 3, 0.5, 0.2},
               {5, 1, {0, 0}, {0.1, 0}, 2, 0, 0.1},
               {-1, 3, {0, 1}, {0, 0}, 4, 1, 0}};
  return w;
}

class Everything : public ::testing::Test {
 protected:
  Everything() : scene(everything()), q(scene.size()), u(scene.size()) {
    for (int i = 0; i < scene.contact_count(); ++i) all.push_back(i);
  }
  void choose() {
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < q.size(); ++i) q[i] = 2 * any(random), u[i] = any(random);
    t = any(random);
  }
  // Central differences of a function of the time that has passed along (1, u).
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
  // Whether contact i has the same feature all around, so that differences mean something.
  bool is_smooth(int i) const {
    for (int k = 0; k < scene.branch_count(); ++k) {
      if (scene.branch_contact(k) != i) continue;
      Values before, after;
      scene.branches(t - 1e-3, q - 1e-3 * u, before), scene.branches(t + 1e-3, q + 1e-3 * u, after);
      return before[k] == after[k];
    }
    return true;
  }

  PlaneScene scene;
  Values q, u;
  double t = 0;
  std::vector<int> all;
  std::mt19937_64 random{7};
};

TEST_F(Everything, GapSlopesAndBendsAreDerivatives) {
  int compared = 0;
  for (int round = 0; round < 30; ++round) {
    choose();
    SparseRows rows;
    scene.gap_slopes(t, q, all, rows);
    Values g, rate, bend(scene.contact_count());
    scene.moving_gaps(t, q, u, g, rate);
    scene.gap_bends(t, q, u, all, bend);
    const Values by_differences = rate_of([this](double s) { return gaps(s); });
    const Values second = bend_of([this](double s) { return gaps(s); });
    for (int i = 0; i < scene.contact_count(); ++i) {
      if (!is_smooth(i)) continue;
      EXPECT_NEAR(rows[i].rate(u), by_differences[i], 1e-8) << scene.contact_name(i);
      EXPECT_NEAR(rate[i], rows[i].rate(u), 1e-13) << scene.contact_name(i);
      EXPECT_NEAR(bend[i], second[i], 1e-4 * (1 + std::abs(second[i]))) << scene.contact_name(i);
      EXPECT_EQ(g[i], gaps(0)[i]);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST_F(Everything, JointSlopesAndBendsAreDerivatives) {
  for (int round = 0; round < 30; ++round) {
    choose();
    SparseRows rows;
    scene.joint_slopes(t, q, rows);
    Values bend;
    scene.joint_bends(t, q, u, bend);
    const Values by_differences = rate_of([this](double s) { return joints(s); });
    const Values second = bend_of([this](double s) { return joints(s); });
    ASSERT_EQ(rows.size(), 8);
    for (int i = 0; i < rows.size(); ++i) {
      EXPECT_NEAR(rows[i].rate(u), by_differences[i], 1e-8) << scene.joint_name(i);
      EXPECT_NEAR(bend[i], second[i], 1e-5) << scene.joint_name(i);
    }
  }
}

// Where a contact touches, its slip is what the two bodies move past each other at its place, along the
// normal turned by a quarter; and where slips are rates of places, these places say the same.
TEST_F(Everything, SlipsAreRelativeVelocities) {
  int compared = 0;
  for (int round = 0; round < 30; ++round) {
    choose();
    SparseRows normals, slips;
    scene.gap_slopes(t, q, all, normals), scene.slip_slopes(t, q, all, slips);
    const Values gap = gaps(0);
    Values bend(scene.contact_count());
    scene.slip_bends(t, q, u, all, bend);
    const Values along = rate_of([this](double s) {
      Values f;
      scene.slides(t + s, q + s * u, f);
      return f;
    });
    const Values second = rate_of([this](double s) {
      SparseRows at;
      scene.slip_slopes(t + s, q + s * u, all, at);
      Values f(scene.contact_count());
      for (int i = 0; i < f.size(); ++i) f[i] = at[i].rate(u);
      return f;
    });
    for (int i = 0; i < scene.contact_count(); ++i) {
      if (!is_smooth(i) || !(scene.mu(i) > 0)) continue;
      EXPECT_NEAR(normals[i].slopes[0], slips[i].slopes[1], 1e-13) << scene.contact_name(i);
      EXPECT_NEAR(normals[i].slopes[1], -slips[i].slopes[0], 1e-13) << scene.contact_name(i);
      EXPECT_NEAR(bend[i], second[i], 1e-7 * (1 + std::abs(second[i]))) << scene.contact_name(i);
      if (!scene.has_slide(i) || !(gap[i] < 0.09 * scene.gap_constant(i)))
        continue;  // nobody asks for those far away
      ++compared;
      EXPECT_NEAR(slips[i].rate(u), along[i], 1e-8) << scene.contact_name(i);
    }
  }
  EXPECT_GT(compared, 50);
}

TEST_F(Everything, SpringsAreDerivativesOfTheirEnergy) {
  for (int round = 0; round < 30; ++round) {
    choose();
    const auto L = [this](double at, const Values& x) {
      Values Lq(q.size()), Lv(q.size());
      return scene.slopes(at, x, Values::Zero(q.size()), Lq, Lv);
    };
    const auto slope = [this](double s) {
      Values Lq(q.size()), Lv(q.size());
      scene.slopes(t, q + s * u, u, Lq, Lv);
      return Lq;
    };
    Values drift(q.size()), stiff(q.size());
    EXPECT_NEAR(slope(0).dot(u), (L(t, q + little * u) - L(t, q - little * u)) / (2 * little), 1e-6);
    EXPECT_NEAR(scene.drift(t, q, u, drift), (L(t + little, q) - L(t - little, q)) / (2 * little), 1e-6);
    scene.stiffness(t, q, u, stiff);
    EXPECT_LT((stiff + rate_of(slope)).lpNorm<Eigen::Infinity>(), 1e-6);
  }
}

// What dampers take: the power of their forces is never positive, and nothing where nothing moves.
TEST_F(Everything, DampersTakeEnergy) {
  PlaneWorld w = everything();
  w.bodies.back().motion = {};
  const PlaneScene still(std::move(w));
  for (int round = 0; round < 30; ++round) {
    choose();
    Values f(q.size());
    still.force(t, q, u, f);
    EXPECT_LE(f.dot(u), 1e-15);
    still.force(t, q, Values::Zero(q.size()), f);
    EXPECT_EQ(f, Values::Zero(q.size()));
  }
}

// A face that lies on another one is held at both ends of what they share; corners on corners say that they
// are.
TEST(PlaneScene, FacesThatLieFlat) {
  const auto brick = [] {
    return std::vector<PlanePart>{polygon({{-0.5, -0.2}, {0.5, -0.2}, {0.5, 0.2}, {-0.5, 0.2}})};
  };
  PlaneWorld w;
  w.bodies = {free_body("below", brick()), free_body("above", brick())};
  w.pairs = {{1, 0, 0, 0}};
  const PlaneScene scene(std::move(w));
  Values q(6), g;
  const auto touching = [&](double x, double y) {
    q << 0, 0, 0, x, y, 0;
    scene.gaps(0, q, g);
    std::vector<std::string> r;
    for (int i = 0; i < g.size(); ++i)
      if (std::abs(g[i]) < 1e-12) r.push_back(scene.contact_name(i));
    return r;
  };
  EXPECT_EQ(touching(0.3, 0.4), (std::vector<std::string>{"above(1)-below", "below(3)-above"}));
  EXPECT_EQ(touching(-0.3, 0.4), (std::vector<std::string>{"above(2)-below", "below(4)-above"}));
  EXPECT_TRUE(touching(0.3, 0.41).empty());
  // Exactly above each other four corners meet in two places, and all push upwards.
  EXPECT_EQ(touching(0, 0.4).size(), 4U);
  for (int i = 0; i < g.size(); ++i) {
    if (std::abs(g[i]) > 1e-12) continue;
    SparseRows row;
    scene.gap_slopes(0, q, {&i, 1}, row);
    EXPECT_EQ(std::abs(row[0].slopes[1]), 1);
    EXPECT_EQ(scene.unclear_contact(0, q, i), nullptr);
  }
  // At one corner only there is no normal.
  EXPECT_EQ(touching(1, 0.4).size(), 2U);
  for (int i = 0; i < g.size(); ++i)
    if (std::abs(g[i]) < 1e-12) {
      EXPECT_NE(scene.unclear_contact(0, q, i), nullptr);
    }
  EXPECT_FALSE(scene.overlap(0, q));
  q << 0, 0, 0, 0.1, 0.1, 1.5;  // crossed: no corner of either is within the other
  ASSERT_TRUE(scene.overlap(0, q));
}

TEST(PlaneShape, Moments) {
  const auto check = [](const PlanePart& part, double area, const Point& centre, double inertia) {
    const PlaneMoments m = moments_of({placed(part, {0.3, -2}, 0.7)});
    const Point moved(0.3 + std::cos(0.7) * centre.x() - std::sin(0.7) * centre.y(),
                      -2 + std::sin(0.7) * centre.x() + std::cos(0.7) * centre.y());
    EXPECT_NEAR(m.area, area, 1e-14);
    EXPECT_NEAR(m.inertia, inertia, 1e-14);
    EXPECT_LT((m.centre - moved).norm(), 1e-14);
  };
  constexpr double pi = 3.14159265358979323846;
  check(disc({1, 0}, 0.5), pi / 4, {1, 0}, pi / 32);
  check(polygon({{0, 0}, {2, 0}, {2, 1}, {0, 1}}), 2, {1, 0.5}, 2 * 5.0 / 12);
  check(polygon({{0, 0}, {3, 0}, {0, 3}}), 4.5, {1, 1}, 4.5);
  // A capsule by strips across it.
  double area = 0, inertia = 0;
  constexpr int strips = 200'000;
  for (int k = 0; k < strips; ++k) {
    const double x = 1.5 * (2 * (k + 0.5) / strips - 1), over = std::fmax(std::abs(x) - 1, 0),
                 y = std::sqrt(0.25 - over * over);
    area += 2 * y * 3 / strips, inertia += (2 * y * x * x + 2 * y * y * y / 3) * 3 / strips;
  }
  const PlaneMoments m = moments_of({capsule({-1, 0}, {1, 0}, 0.5)});
  EXPECT_NEAR(m.area, area, 1e-7);
  EXPECT_NEAR(m.inertia, inertia, 1e-7);
}

}  // namespace
}  // namespace carom
