// Volumes and moments of the shapes, and the hulls of meshes.
#pragma once

#include "import/mesh_file.hpp"
#include "import/robot.hpp"

namespace carom::robots {

// Of density 1, in the shape's own axes; nothing of a plane. A hull has brought its own.
Moments unit_moments(const RobotShape& shape);

// The hull of a mesh as a shape, with the moments of the mesh (by_size as in hull.hpp), or of its hull where
// the mesh encloses nothing.
RobotShape hull_of(const Mesh& mesh, const std::string& name, const std::string& place, Notes& notes,
                   bool by_size);

}  // namespace carom::robots
