// An assembled robot as a scene file: in the plane where all that it does stays in one, which is exact and
// runs by every method, or in space.
#pragma once

#include "import/assembly.hpp"

namespace carom::robots {

// Directions of the scene's x and y, and the normal, which hinges turn about.
struct Plane {
  Vec3 x, y, normal;
};

// The plane that all joints leave all bodies in, if the shapes that touch meet in it as they do in space;
// else why there is none.
struct PlaneFound {
  std::optional<Plane> plane;
  std::vector<Touching> touching;  // of those in space, without pairs that are always apart
  std::string place, why;
};
PlaneFound find_plane(const Robot& robot, const Assembly& assembly);

std::string text_in_plane(Robot& robot, const Assembly& assembly, const PlaneFound& found);
std::string text_in_space(Robot& robot, const Assembly& assembly);

// The shape in the plane, with the part's place as origin: a value of `shape`, or of compound, as TOML.
std::string shape_in_plane(const PlacedShape& shape, const Part& part, const Plane& plane);
// How far it reaches along the normal, and within what its section is as wide as all of it: `low` above
// `high` where nowhere.
struct Reach {
  double low, high, full_low, full_high;
};
Reach reach_along(const PlacedShape& shape, const Part& part, const Vec3& normal);
// Whether what it looks like along the normal can be said exactly by a ball, a capsule, a box or a polygon.
bool has_outline(const PlacedShape& shape, const Part& part, const Plane& plane);

// Lines that both kinds of scene have (scene_lines.cpp).
std::string numbers_text(const std::vector<double>& numbers);
std::string vector_text(const Vec3& x);
const std::string& name_of_part(const Assembly& assembly, int part);
std::string first_lines(const Robot& robot, const std::string& origin);
std::string last_lines(const Robot& robot);
// [contact]; `joined` are the pairs that the scene would leave out by itself, a above b.
std::string contact_lines(const Assembly& assembly, const std::vector<Touching>& pairs,
                          const std::vector<std::array<int, 2>>& joined);

// A motor, and the joint of a chain that it drives.
struct DrivenJoint {
  std::string parameter;  // of [system]
  std::string formula;    // its force or torque
  const JointChain* chain;
  std::size_t item;
};
std::vector<DrivenJoint> driven_joints(Robot& robot, const Assembly& assembly);
std::string parameter_lines(const std::vector<DrivenJoint>& driven);

}  // namespace carom::robots
