// Points and triangles of an OBJ or STL file.
#pragma once

#include <string>

#include "import/hull.hpp"

namespace carom::robots {

struct Mesh {
  std::vector<Vec3> points = {};
  std::vector<std::array<int, 3>> faces = {};
};

// Refused, at `place`, where the file cannot be read or is of another kind.
Mesh read_mesh(const std::string& path, const std::string& place);

}  // namespace carom::robots
