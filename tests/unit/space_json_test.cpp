// Scenes in space as the page has them, and the forces of their contacts.
#include "report/space_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/drawn_places.hpp"
#include "scenario_helpers.hpp"

namespace carom {
namespace {

SpaceView floor_and_two_balls() {
  SpaceView r;
  r.bodies.push_back({.name = "floor", .parts = {{.shape = "half-space", .size = {0, 0, 1}}}});
  for (const int k : {0, 1})
    r.bodies.push_back(
        {.name = k ? "high" : "low", .parts = {{.shape = "ball", .size = {0.5}}}, .column = 7 * k});
  return r;
}

TEST(SpaceJson, BodiesHaveColumnsAPathOrAPose) {
  SpaceView drawing = floor_and_two_balls();
  drawing.bodies.push_back(
      {.name = "paddle",
       .parts = {{.shape = "box", .size = {1, 2, 3}, .at = {0, 0, 0.1}, .turn = {0, 1, 0, 0}}},
       .path = [](double t) { return SpaceView::Pose{t, 0, 0, 1, 0, 0, 0}; }});
  drawing.links.push_back({.a = 1, .b = -1, .at_a = {}, .at_b = {0, 0, 4}, .spring = true});
  Shown shown;
  shown.add({.start = 0, .step = 0.5, .states = std::vector<double>(14 * 5)}, 14);
  const auto json = nlohmann::json::parse(space_json(drawing, shown));
  EXPECT_EQ(json["up"], (std::vector<double>{0, 0, 1}));
  const auto& bodies = json["bodies"];
  EXPECT_TRUE(bodies[0]["colour"].is_null());
  EXPECT_EQ(bodies[0]["parts"][0]["half-space"], (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(bodies[0]["pose"], (std::vector<double>{0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(bodies[2]["columns"], (std::vector<int>{7, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(bodies[2]["parts"][0], (nlohmann::json{{"ball", 0.5}}));
  EXPECT_EQ(bodies[2]["colour"], 1);
  EXPECT_EQ(bodies[3]["colour"], 2);
  EXPECT_EQ(bodies[3]["path"]["count"], 5);
  EXPECT_EQ(bodies[3]["path"]["high"][0], 2.0);
  EXPECT_EQ(bodies[3]["parts"][0]["turn"], (std::vector<double>{0, 1, 0, 0}));
  EXPECT_TRUE(json["links"][0]["b"].is_null());
}

TEST(SpaceJson, PolyhedraAndNumbersThatAreNone) {
  SpaceView drawing;
  drawing.bodies.push_back(
      {.name = "\xff", .parts = {{.shape = "polyhedron", .points = {{1, 0, NAN}}, .faces = {{0, 1, 2}}}}});
  const auto json = nlohmann::json::parse(space_json(drawing, {}));
  const auto& shape = json["bodies"][0]["parts"][0]["polyhedron"];
  EXPECT_EQ(shape["points"][0], (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(shape["faces"][0], (std::vector<int>{0, 1, 2}));
}

// Two balls over a floor in formulas, as if they were bodies in space.
TEST(SpacePlaces, ForcesActOnTheUpperBody) {
  const Scenario scenario = parse_scenario(
      "[system]\nname = \"expression\"\n"
      "coordinates = [\"x\", \"y\", \"z\", \"a\", \"b\", \"c\", \"d\", \"X\", \"Y\", \"Z\", \"A\", \"B\", "
      "\"C\", \"D\"]\n"
      "lagrangian = \"x'^2+y'^2+z'^2+a'^2+b'^2+c'^2+d'^2+X'^2+Y'^2+Z'^2+A'^2+B'^2+C'^2+D'^2\"\n"
      "gaps = { floor = \"z - 0.5\", pair = \"sqrt((X-x)^2 + (Y-y)^2 + (Z-z)^2) - 1\" }\n"
      "[initial]\nq = [0, 0, 0.5, 1, 0, 0, 0, 0, 0, 1.5, 1, 0, 0, 0]\n[time]\nend = 1.0\n",
      "my.toml");
  SpaceView drawing = floor_and_two_balls();
  drawing.place = [](double, const Values& q, int contact, SpaceView::Point& p) {
    p = {q[0], q[1], contact == 0 ? 0 : q[2] + 0.5};
    return true;
  };
  const auto places = places_in_space(drawing, find_model(scenario).system(scenario));
  const std::vector<double> q = {0, 0, 0.5, 1, 0, 0, 0, 0, 0, 1.5, 1, 0, 0, 0};
  std::vector<double> floor, pair, hit;
  places->add_push(0, q, 0, 3, {}, floor);
  EXPECT_EQ(floor, (std::vector<double>{0, 0, 0, 0, 0, 3}));
  places->add_push(0, q, 1, 2, {}, pair);
  ASSERT_EQ(pair.size(), 6u);
  EXPECT_NEAR(pair[2], 1, 1e-12);
  EXPECT_NEAR(pair[5], 2, 1e-12);  // upwards: on the higher one
  places->add_impact(0, q, {}, "floor + pair + none", hit);
  EXPECT_EQ(hit, (std::vector<double>{0, 0, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace carom
