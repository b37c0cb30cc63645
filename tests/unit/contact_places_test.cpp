// Where shapes of a drawing touch, and which of them are a contact's own. That every shipped system has its
// impacts where they are is tested in tests/cli/page_test.py.
#include "report/contact_places.hpp"

#include <gtest/gtest.h>

#include "scenario_helpers.hpp"

namespace carom {
namespace {

Shape disc(double x, double y, double r) { return {{x, y}, {x, y}, 0, 0, r}; }
Shape segment(double ax, double ay, double bx, double by) { return {{ax, ay}, {bx, by}}; }

void expect_near(const Vector2& a, double x, double y) {
  EXPECT_NEAR(a.x(), x, 1e-12);
  EXPECT_NEAR(a.y(), y, 1e-12);
}

TEST(Shapes, DiscOnAWall) {
  const Shape a = disc(3, 0.5, 0.5), b = segment(-10, 0, 10, 0);
  const Nearest at = nearest(a, b, 1e-9);
  EXPECT_NEAR(at.distance, 0, 1e-12);
  expect_near(at.normal, 0, 1);
  expect_near(between(a, b, at), 3, 0);
}

TEST(Shapes, TwoDiscsApart) {
  const Shape a = disc(0, 0, 1), b = disc(5, 0, 2);
  const Nearest at = nearest(a, b, 1e-9);
  EXPECT_NEAR(at.distance, 2, 1e-12);
  expect_near(between(a, b, at), 2, 0);
}

TEST(Shapes, AnEndOnALineHasItsNormal) {
  const Nearest at = nearest(segment(1, 0, 1, 4), segment(-10, 0, 10, 0), 1e-9);
  EXPECT_NEAR(std::abs(at.normal.y()), 1, 1e-12);
  EXPECT_NEAR(at.distance, 0, 1e-12);
}

TEST(Shapes, LinesThatCrossDoNotTouch) {
  const Nearest at = nearest(segment(-2, 0, 2, 0), segment(0, -1, 0, 3), 1e-9);
  EXPECT_NEAR(at.distance, 1, 1e-12);
  EXPECT_NEAR(at.along_a, 0.5, 1e-12);
}

TEST(Shapes, ADiscAroundAPointOnAWall) {
  const Shape a = disc(3, 0, 0.5), b = segment(-10, 0, 10, 0);
  const Nearest at = nearest(a, b, 1e-9);
  EXPECT_NEAR(at.distance, -0.5, 1e-12);
  expect_near(between(a, b, at), 3, 0);
}

TEST(Shapes, EndsThatMeetHaveNoNormal) {
  EXPECT_TRUE(nearest(segment(0, 0, 1, 0), segment(1, 0, 2, 1), 1e-9).normal.isZero());
}

TEST(Shapes, ReachOfABox) {
  const Solid box{0, false, {2, 1}};
  EXPECT_NEAR(box.reach({0, 1}), 1, 1e-12);
  EXPECT_NEAR(box.reach({1, 0}), 2, 1e-12);
  EXPECT_NEAR(box.reach({std::sqrt(0.5), std::sqrt(0.5)}), std::sqrt(2), 1e-12);
}

// Two balls on a line over a floor of which the drawing knows only the balls, or all.
std::vector<Vector2> places(const std::string& draw, const std::string& contact, std::vector<double> q) {
  const Scenario scenario = parse_scenario(
      "[system]\nname = \"expression\"\ncoordinates = [\"a\", \"b\"]\nlagrangian = \"a'^2 + b'^2\"\n"
      "gaps = { floor = \"a - 1\", pair = \"b - a - 2\" }\n[initial]\nq = [1, 3]\n[time]\nend = 1.0\n[draw]\n"
      "points.low = [\"0\", \"a\"]\npoints.high = [\"0\", \"b\"]\n" +
          draw,
      "my.toml");
  const Model model = find_model(scenario);
  ContactPlaces found(*make_drawing(scenario, model), model.system(scenario), {1, 1}, 6);
  return found.of(0, q, {0, 0}, contact);
}

const std::string balls = "circles = [[\"low\", \"1\"], [\"high\", \"1\"]]\n";
const std::string floor_too = balls + "ground = [[-2, 0, 2, 0]]\n";

TEST(ContactPlaces, OneForEachContactThatWasHit) {
  for (const std::string& draw : {balls, floor_too}) {
    const auto both = places(draw, "floor + pair", {1, 3});
    ASSERT_EQ(both.size(), 2u);
    expect_near(both[0], 0, 0);
    expect_near(both[1], 0, 2);
  }
}

TEST(ContactPlaces, PointsWithoutShapes) {
  const auto floor = places("", "floor", {1, 3}), pair = places("", "pair", {1, 3});
  ASSERT_EQ(floor.size(), 1u);
  expect_near(floor[0], 0, 1);
  ASSERT_EQ(pair.size(), 1u);
}

TEST(ContactPlaces, NamesThatAreNone) { EXPECT_TRUE(places(balls, "ceiling + 3 more", {1, 3}).empty()); }

}  // namespace
}  // namespace carom
