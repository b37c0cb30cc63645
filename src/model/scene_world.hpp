// What a scene of a scenario means: bodies with their masses and starts, joints, pairs that may touch,
// forces.
//
//   SceneSpec (scenario/scene.hpp) -> SceneWorld -> PlaneScene (carom/bodies/plane_scene.hpp)
//
// Tested in tests/cli/bodies_test.py.
#pragma once

#include "carom/bodies/plane_scene.hpp"
#include "carom/system/system_struct.hpp"
#include "scenario/scenario.hpp"

namespace carom {

struct SceneWorld {
  PlaneWorld world;
  std::vector<std::array<double, 3>> velocity;  // of each body at the start
  Start<Eigen::Dynamic> start() const;
};

// Throws ScenarioError where something does not fit.
SceneWorld make_scene_world(const Scenario& scenario);

// How the report draws it.
DrawSpec scene_drawing(const PlaneWorld& world, const Scenario& scenario);

}  // namespace carom
