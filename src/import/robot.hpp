// What MJCF and URDF have in common: a tree of bodies with joints, shapes and masses. The readers make it,
// and scene.cpp makes a scene of it. Numbers are in metres, kilogrammes, seconds and radians.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "import/geometry.hpp"
#include "import/xml.hpp"

namespace carom::robots {

enum class JointKind { hinge, slide, ball, free };

struct RobotJoint {
  JointKind kind = JointKind::hinge;
  std::string name, place;
  Vec3 axis = Vec3::UnitZ(), at = Vec3::Zero();  // in the body's axes where it stands at `reference`
  std::optional<std::array<double, 2>> range = {};
  double stiffness = 0, damping = 0, armature = 0, friction = 0;
  double reference = 0;            // its value where the body stands as the file has it
  double rest = 0;                 // of its spring
  std::vector<double> start = {};  // its value at the start; empty: the reference
};

enum class ShapeKind { plane, ball, capsule, cylinder, box, ellipsoid, hull };

// In axes of its own: planes have the outward normal z, capsules and cylinders lie along z.
struct RobotShape {
  ShapeKind kind = ShapeKind::ball;
  std::string name, place;
  Pose pose = {};                    // in the body
  Vec3 size = Vec3::Zero();          // radius, or radius and half length, or half edges, or half axes
  std::vector<Vec3> points = {};     // of a hull
  Moments moments = {};              // in its own axes
  bool touches = true;               // anything at all
  unsigned groups = 1, reaches = 1;  // a pair touches where one's groups meet what the other reaches
  int priority = 0;                  // whose friction counts
  double mu = 0;
  int dimensions = 3;  // of contact forces: 1 is without friction
};

struct RobotBody {
  std::string name, place;
  int parent = 0;
  Pose pose = {};  // in the parent
  std::vector<RobotJoint> joints = {};
  std::vector<RobotShape> shapes = {};
  std::optional<Moments> moments = {};  // in the body's axes; instead of those of the shapes
  double lift = 0;                      // this share of its weight is carried
};

// What closes a loop, or ties bodies together beside the tree.
struct RobotTie {
  enum class Kind { ball, fixed, rope } kind = Kind::ball;
  std::string name, place;
  int a = 0, b = 0;
  Vec3 at = Vec3::Zero();                 // in a
  std::optional<Vec3> at_b = {};          // in b, where it is stated
  std::array<double, 2> limits = {0, 0};  // of a rope
};

// A torque or force of `gear` times a parameter.
struct RobotMotor {
  std::string name, place, joint;
  double gear = 1;
  std::optional<std::array<double, 2>> range = {};
};

struct RobotPair {  // of shapes
  std::string place, a, b;
  std::optional<double> mu = {};
};

// What was read otherwise than it stands, or not at all.
struct Note {
  std::string place, text;
  bool changes = false;  // the motion; else it draws, measures or solves
  int more = 0;          // places with the same note
};

class Notes {
 public:
  void ignore(const std::string& place, const std::string& what) { add({place, what + " ignored", false}); }
  void remark(const std::string& place, const std::string& text) { add({place, text, false}); }
  void warn(const std::string& place, const std::string& text) { add({place, text, true}); }
  const std::vector<Note>& all() const { return list; }

 private:
  void add(Note note);
  std::vector<Note> list;
  std::map<std::string, std::size_t> known;
};

struct Robot {
  std::string title;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double step = 0.002;
  std::vector<RobotBody> bodies = {};  // the first is the world; parents before their children
  std::vector<RobotTie> ties = {};
  std::vector<RobotMotor> motors = {};
  std::vector<RobotPair> pairs = {};              // that touch in any case
  std::vector<std::array<int, 2>> excluded = {};  // bodies that never touch
  bool contacts = true;
  std::optional<double> total_mass = {};
  double least_mass = 0, least_inertia = 0;
  bool balances_inertia = false;
  Notes notes = {};
};

}  // namespace carom::robots
