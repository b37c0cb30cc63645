// Robots in MJCF and URDF as scenes of rigid bodies: robot.xml -> XML -> a Robot -> an Assembly -> TOML.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace carom {

struct ImportOptions {
  std::string key;                    // of MJCF: the keyframe to start from
  bool floating = false;              // of URDF: the root link moves freely
  std::optional<int> dimension = {};  // of the scene; left out, 2 where that is exact
};

struct ImportedScene {
  std::string toml;
  std::vector<std::string> warnings,
      remarks;  // "file:line: what became of it": of what moves otherwise, and of the rest
};

// Throws ScenarioError "file:line: why".
ImportedScene import_robot(const std::string& path, const ImportOptions& options = {});

bool is_robot_file(const std::string& path);  // by its name: .xml, .urdf, .mjcf

// A scenario file, or a robot's; what a robot's was read otherwise than it stands is added to `warnings`.
Scenario read_scenario_or_robot(const std::string& path, const std::vector<std::string>& overrides,
                                std::vector<std::string>* warnings = nullptr);

}  // namespace carom
