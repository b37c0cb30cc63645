// What a scene in space means, as scene_world.hpp has that of one in the plane.
//
//   SceneSpec (scenario/scene.hpp) -> SpaceSceneWorld -> SpaceScene (carom/bodies/space_scene.hpp)
//
// Tested in tests/cli/space_test.py.
#pragma once

#include "carom/bodies/space_scene.hpp"
#include "carom/system/system_struct.hpp"
#include "model/scene_names.hpp"

namespace carom {

struct SpaceSceneWorld {
  SpaceWorld world;
  std::vector<std::array<double, 7>> velocity;  // of each body at the start
  Start<Eigen::Dynamic> start() const;
};

// Throws ScenarioError where something does not fit.
SpaceSceneWorld make_space_world(const Scenario& scenario);

// What make_space_world() is made of. The parts of a shape in its own axes; `key` is where it stands.
std::vector<SpacePart> space_shape(SceneNumbers& read, const std::string& key, const ShapeSpec& spec);
Point3 point_in_space(SceneNumbers& read, const std::string& key, const StatedNumbers& stated);
// Of the keys quaternion and rotation under `key`.
Turn turn_in_space(SceneNumbers& read, const std::string& key, const std::optional<StatedNumbers>& quaternion,
                   const std::optional<StatedNumbers>& rotation);
void add_space_joints(SceneNumbers& read, SpaceWorld& world);
void add_space_forces(SceneNumbers& read, SpaceWorld& world);
void add_space_pairs(SceneNumbers& read, SpaceWorld& world);

}  // namespace carom
