// MJCF, the format of MuJoCo: the part that says which bodies, joints and shapes there are. What it has
// beside that is ignored with a note where it draws, measures or solves, taken with a warning where it
// changes little, and refused by line else.
#pragma once

#include "import/robot.hpp"

namespace carom::robots {

// `key` names a keyframe to start from; "" is none.
Robot read_mjcf(const std::string& path, XmlElement root, const std::string& key);

}  // namespace carom::robots
