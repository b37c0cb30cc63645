// How the report's animation draws a system: the [draw] table of the scenario, or that of the built-in
// system, with its formulas turned into JavaScript. Tested in tests/unit/drawing_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "formula/program.hpp"
#include "model/model.hpp"
#include "scenario/scenario.hpp"

namespace carom {

struct Drawing {
  struct Point {
    std::string name, x, y;  // JavaScript of q and t
  };
  std::vector<Point> points;
  DrawSpec::Rows lines, polygons;             // names of points
  DrawSpec::Rows circles, boxes;              // a name, then JavaScript
  DrawSpec::Rows curves;                      // JavaScript of s
  std::vector<std::array<double, 4>> ground;  // from (x, y) to (x, y)
  std::vector<std::string> trails;
  std::optional<std::vector<double>> view;                // as the user wishes it
  std::vector<std::vector<std::array<double, 2>>> paths;  // points along the curves
  // From q, v, t: x and y of every point, the radius of every circle, width and height of every box.
  formula::Program geometry;
};

// Nothing where there is nothing to draw. Throws ScenarioError for formulas and names that do not fit.
std::optional<Drawing> make_drawing(const Scenario& scenario, const Model& model);

// xmin, xmax, ymin, ymax of all points over the given states (rows of `dim` coordinates), with a margin and
// the nearest part of the ground.
std::array<double, 4> fitted_view(const Drawing& drawing, const std::vector<double>& states, std::size_t dim);

}  // namespace carom
