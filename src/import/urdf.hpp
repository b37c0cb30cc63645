// URDF, the format of ROS: a tree of links and joints. <visual>, <material>, <transmission>, <gazebo> and the
// like are ignored with a note; what moves otherwise than it says is refused by line.
#pragma once

#include "import/robot.hpp"

namespace carom::robots {

// With `floating` the root link moves freely; else it is fixed to the world.
Robot read_urdf(const std::string& path, const XmlElement& root, bool floating);

}  // namespace carom::robots
