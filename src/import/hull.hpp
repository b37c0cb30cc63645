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

// Of a body of density 1 within closed triangles. `by_size` adds up the tetrahedra from the middle of the
// faces whichever way they face: MuJoCo's usual way, which counts the dents of a mesh in, and needs no
// triangles that face outward.
Moments moments_of_triangles(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& faces,
                             bool by_size = false);

}  // namespace carom::robots
