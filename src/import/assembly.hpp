// A robot as a scene has it: bodies that move as one are one, joints are between two of them at places in
// space, and who touches whom is said by pairs of bodies.
#pragma once

#include "import/robot.hpp"

namespace carom::robots {

struct PlacedShape {
  const RobotShape* shape;
  Pose pose;  // in the part
  int body;   // of the robot
};

struct Part {
  std::string name, place;
  bool moves = true;
  Pose pose = {};  // in space, at the start
  Moments moments = {};
  std::vector<PlacedShape> shapes = {};
  double lift = 0;  // a force upward at the mass centre
  int group = 0;    // of the robot's bodies that move as one; 0 is the world
};

enum class SceneJoint { hinge, slider, ball, universal, fixed, distance };

// Places and axes are in space at the start; values count from there.
struct PlacedJoint {
  SceneJoint kind;
  std::string name, place;
  int a, b;  // parts; -1 is the ground
  Vec3 at = Vec3::Zero(), at_b = Vec3::Zero(), axis = Vec3::UnitZ(), second = Vec3::UnitX();
  std::optional<std::array<double, 2>> limits = {};
  double stiffness = 0, damping = 0, rest = 0;
};

// The joints of one group, as the robot has them.
struct JointChain {
  int group, parent;  // groups
  std::string name, place;
  struct Item {
    RobotJoint joint;
    Vec3 at, axis;  // in space
    double value;   // at the start
  };
  std::vector<Item> items = {};
};

struct Touching {  // two parts, and the coefficient of friction
  int a, b;
  double mu;
};

struct Assembly {
  std::vector<Part> parts = {};
  std::vector<int> part_of_group = {};  // -1: the world
  std::vector<JointChain> chains = {};
  std::vector<PlacedJoint> ties = {};  // beside the tree, and within parts that were divided
  std::vector<Touching> touching = {};
};

// The robot outlives it.
Assembly assemble(Robot& robot);

// Who touches whom; divides parts whose shapes differ in that (contacts.cpp).
void add_contacts(Robot& robot, Assembly& assembly, const std::vector<int>& parent_of_group);

// Joints of a scene that leave what the chain leaves; refused where there are none (chains.cpp).
std::vector<PlacedJoint> joints_in_space(const Assembly& assembly, const JointChain& chain);

// Letters, digits and _, and unlike all before.
std::string scene_name(const std::string& name, const std::string& otherwise,
                       std::vector<std::string>& taken);

// How far apart two convex shapes are, or whether they overlap by more than a ten-millionth of their size.
bool overlap(const RobotShape& a, const Pose& pose_a, const RobotShape& b, const Pose& pose_b);

// The point of a shape that is farthest along a direction; not of a plane.
Vec3 support(const RobotShape& shape, const Pose& pose, const Vec3& direction);

}  // namespace carom::robots
