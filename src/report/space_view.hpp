// How the report draws a scene in space (report/README.md, `space`), as plain data. Written by
// report/space_json.hpp.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "carom/numerics/vector.hpp"
#include "scenario/scenario.hpp"

namespace carom {

struct SpaceView {
  using Point = std::array<double, 3>;
  using Quaternion = std::array<double, 4>;  // w, x, y, z; from the axes of a body to those of space
  using Pose = std::array<double, 7>;        // place of the mass centre, quaternion
  static constexpr Quaternion unturned = {1, 0, 0, 0};

  // In the body's axes through its mass centre. `size` is that of the shape:
  //   ball radius | ellipsoid three half axes | box three edges | capsule, cylinder length along x, radius
  //   half-space outward normal | polyhedron none: points, and faces as their numbers
  struct Part {
    std::string shape;
    std::vector<double> size = {};
    Point at = {};
    Quaternion turn = unturned;
    std::vector<Point> points = {};
    std::vector<std::vector<int>> faces = {};
  };
  struct Body {
    std::string name;
    std::vector<Part> parts;
    int column = -1;                          // the first of its seven coordinates; -1: it has none,
    std::function<Pose(double t)> path = {};  // and is moved like this,
    Pose pose = {0, 0, 0, 1, 0, 0, 0};        // or stays here
  };
  // A rod or a spring between points of two bodies; -1 is space.
  struct Link {
    int a, b;
    Point at_a, at_b;
    bool spring = false;
  };

  Point up = {0, 0, 1};
  std::vector<Body> bodies;
  std::vector<Link> links = {};
  // Where a contact is at (t, q); false where that is not known. May be missing.
  std::function<bool(double t, const Values& q, int contact, Point& place)> place = {};
};

// Of a scenario whose bodies are in space; nothing of others.
std::optional<SpaceView> space_view(const Scenario& scenario);

}  // namespace carom
