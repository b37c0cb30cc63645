// A scene of rigid bodies, exactly as the TOML file says it: [world], [shape], [[body]], [[joint]], [contact]
// with
// [[contact.pair]], [[force]]. What it means is in model/scene_world.hpp. Tested in tests/cli/bodies_test.py.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace carom {

using StatedNumber = std::variant<double, std::string>;  // or a formula of the parameters
using StatedNumbers = std::vector<StatedNumber>;
using StatedRows = std::vector<StatedNumbers>;  // a single row may stand without the outer brackets
using StatedWords = std::vector<std::string>;
struct StatedMany {  // a number in the plane, an array in space
  StatedNumbers list;
  bool operator==(const StatedMany&) const = default;
};

struct ShapeSpec {
  std::optional<std::string> name = {};  // of [shape]: instead of the rest
  std::optional<StatedNumber> ball = {};
  std::optional<StatedNumbers> box = {}, capsule = {}, half_space = {}, cylinder = {}, ellipsoid = {};
  std::optional<StatedRows> polygon = {}, polyhedron = {};
  std::vector<ShapeSpec> compound = {};
  std::optional<StatedNumbers> position = {}, quaternion = {}, rotation = {};  // within a compound
  std::optional<StatedNumber> angle = {};
  bool operator==(const ShapeSpec&) const = default;
};

struct WorldSpec {
  std::optional<int> dimension = {};
  std::optional<StatedNumbers> gravity = {};
  bool operator==(const WorldSpec&) const = default;
};

struct BodySpec {
  std::optional<std::string> name = {};
  ShapeSpec shape = {};
  std::optional<StatedNumber> mass = {}, density = {}, angle = {};
  std::optional<StatedMany> inertia = {}, spin = {};
  std::optional<StatedNumbers> centre = {}, position = {}, quaternion = {}, rotation = {}, velocity = {},
                               offset = {};
  std::optional<StatedWords> motion = {};
  std::optional<int> repeat = {};
  bool operator==(const BodySpec&) const = default;
};

struct JointSpec {
  std::optional<std::string> name = {};
  std::optional<StatedWords> hinge = {}, slider = {}, fixed = {}, distance = {}, ball = {}, universal = {};
  std::optional<StatedRows> at = {}, axis = {};
  std::optional<StatedNumbers> limits = {}, offset = {};
  std::optional<StatedNumber> length = {}, stiffness = {}, damping = {};
  std::optional<int> repeat = {};
  bool operator==(const JointSpec&) const = default;
};

struct PairSpec {
  std::optional<StatedWords> of = {};
  std::optional<StatedNumber> restitution = {}, mu = {};
  bool operator==(const PairSpec&) const = default;
};

struct TouchSpec {  // [contact]
  std::optional<StatedNumber> restitution = {}, mu = {};
  std::optional<std::vector<StatedWords>> between = {};
  std::optional<std::string> corner = {};
  std::vector<PairSpec> pairs = {};
  bool operator==(const TouchSpec&) const = default;
};

struct ForceSpec {
  std::optional<StatedWords> spring = {}, motor = {}, force = {};
  std::optional<std::string> on = {}, torque = {};
  std::optional<StatedNumber> stiffness = {}, length = {}, damping = {};
  std::optional<StatedRows> at = {};
  std::optional<StatedNumbers> offset = {}, axis = {};
  std::optional<int> repeat = {};
  bool operator==(const ForceSpec&) const = default;
};

struct SceneSpec {
  WorldSpec world = {};
  std::vector<std::pair<std::string, ShapeSpec>> shapes = {};
  std::vector<BodySpec> bodies = {};
  std::vector<JointSpec> joints = {};
  TouchSpec contact = {};
  std::vector<ForceSpec> forces = {};
  bool empty() const { return *this == SceneSpec{}; }
  bool operator==(const SceneSpec&) const = default;
};

}  // namespace carom
