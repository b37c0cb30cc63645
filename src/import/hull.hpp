// The corners of the convex hull of points in space.
#pragma once

#include <array>

#include "import/geometry.hpp"

namespace carom::robots {

struct Hull {
  std::vector<Vec3> points;               // its corners; empty where the points lie in a plane
  std::vector<std::array<int, 3>> faces;  // outward
};

Hull convex_hull(const std::vector<Vec3>& points);

// Of a body of density 1 within closed triangles.
Moments moments_of_triangles(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& faces);

}  // namespace carom::robots
