// [draw] tables and the drawings of the built-in systems: what becomes of their formulas, and what is
// refused.
#include "report/drawing.hpp"

#include <gtest/gtest.h>

#include "scenario_helpers.hpp"

namespace carom {
namespace {

const std::string pendulum =
    "[system]\nname = \"expression\"\ncoordinates = [\"a\"]\nparameters = { L = 2.0 }\n"
    "lagrangian = \"0.5*L^2*a'^2 + L*cos(a)\"\n[initial]\nq = [0.1]\n[time]\nend = 1.0\n[draw]\n";

std::optional<Drawing> drawn(const std::string& draw) {
  const Scenario scenario = parse_scenario(pendulum + draw, "my.toml");
  return make_drawing(scenario, find_model(scenario));
}

std::string refusal(const std::string& draw) {
  try {
    drawn(draw);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Drawing, FormulasBecomeJavaScript) {
  const auto d = drawn(
      "points.pivot = [0, 0]\npoints.bob = [\"L*sin(a)\", \"-L*cos(a)\"]\nlines = [[\"pivot\", \"bob\"]]\n"
      "circles = [[\"bob\", \"L/20\"]]\nground = [[\"-L\", \"0\", \"L\", \"0\"]]\n"
      "curves = [[\"cos(s)\", \"sin(s)\", \"0\", \"2*pi\"]]\ntrails = [\"bob\"]\nview = [-3, 3, -3, 1]\n");
  ASSERT_TRUE(d);
  EXPECT_EQ(d->points[1].x, "2*Math.sin(q[0])");
  EXPECT_EQ(d->circles[0][1], "0.1");
  EXPECT_EQ(d->ground[0], (std::array<double, 4>{-2, 0, 2, 0}));
  EXPECT_EQ(d->curves[0][0], "Math.cos(s)");
  EXPECT_EQ(d->curves[0][3], "6.283185307179586");
  EXPECT_EQ(fitted_view(*d, {}, 1), (std::array<double, 4>{-3, 3, -3, 1}));
}

TEST(Drawing, ViewFitsThePointsAndTheNearbyGround) {
  const auto d = drawn("points.bob = [\"L*sin(a)\", \"-L*cos(a)\"]\nground = [[-1000, -3, 1000, -3]]\n");
  const auto view = fitted_view(*d, {0, 1.5707963267948966}, 1);  // bob at (0, -2) and (2, 0)
  EXPECT_NEAR(view[0], -0.24, 1e-9);
  EXPECT_NEAR(view[1], 2.24, 1e-9);
  EXPECT_NEAR(view[2], -3.24, 1e-9);
  EXPECT_NEAR(view[3], 0.24, 1e-9);
}

TEST(Drawing, NothingToDraw) { EXPECT_FALSE(drawn("")); }

TEST(Drawing, EveryBuiltInSystemIsDrawn) {
  for (const Model& model : built_in_models()) {
    const Scenario scenario =
        parse_scenario("[system]\nname = \"" + model.name + "\"\n[time]\nend = 1.0\n", "my.toml");
    const auto d = make_drawing(scenario, model);
    ASSERT_TRUE(d) << model.name;
    EXPECT_FALSE(d->points.empty()) << model.name;
    EXPECT_FALSE(d->ground.empty() && d->curves.empty()) << model.name << ": its contacts must be seen";
  }
}

TEST(Drawing, RefusesWhatDoesNotFit) {
  const std::string bob = "points.bob = [\"a\", \"a\"]\n";
  EXPECT_EQ(refusal(bob), "accepted");
  for (const auto& [draw, message] : std::vector<std::pair<std::string, std::string>>{
           {"points.bob = [\"a\"]", "draw.points.bob = an array of 1: must be two formulas, [x, y]"},
           {"points.bob = [\"a\", \"b\"]", "column 1"},
           {"points.bob = [\"a'\", \"a\"]", "velocities cannot be drawn"},
           {bob + "lines = [[\"bob\"]]", "names of at least 2 points"},
           {bob + "lines = [[\"bob\", \"bbo\"]]", "did you mean \"bob\"?"},
           {bob + "polygons = [[\"bob\", \"bob\"]]", "names of at least 3 points"},
           {bob + "circles = [[\"bob\"]]", "must be [point, radius]"},
           {bob + "boxes = [[\"bob\", 1]]", "must be [point, width, height]"},
           {bob + "ground = [[0, 0, 1]]", "must be [x1, y1, x2, y2]"},
           {bob + "ground = [[0, 0, 1, \"a\"]]", "must not move"},
           {bob + "curves = [[\"s\", \"a\", 0, 1]]", "must not move"},
           {bob + "curves = [[\"s\", \"s\"]]", "must be [x(s), y(s), from, to]"},
           {bob + "trails = [\"rob\"]", "did you mean \"bob\"?"},
           {"lines = [[\"bob\", \"rob\"]]", "no point has this name"},
           {bob + "view = [1, 0, 0, 1]", "the smaller one first"},
           {bob + "view = [0, 1]", "must be [xmin, xmax, ymin, ymax]"}})
    EXPECT_NE(refusal(draw).find(message), std::string::npos) << draw << "\n" << refusal(draw);
}

}  // namespace
}  // namespace carom
