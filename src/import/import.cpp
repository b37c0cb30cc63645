#include "import/import.hpp"

#include <fmt/format.h>

#include "import/mjcf.hpp"
#include "import/scene_text.hpp"
#include "import/urdf.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {

bool is_robot_file(const std::string& path) {
  return path.ends_with(".xml") || path.ends_with(".urdf") || path.ends_with(".mjcf");
}

namespace {

robots::Robot read_robot(const std::string& path, const ImportOptions& options) {
  robots::XmlElement root = robots::read_xml(path, true);
  if (root.tag == "mujoco") {
    if (options.floating) robots::refuse(root.place, "--floating is for URDF; MJCF says what is free");
    return robots::read_mjcf(path, std::move(root), options.key);
  }
  if (root.tag == "robot") {
    if (!options.key.empty()) robots::refuse(root.place, "--key is for MJCF; URDF has no keyframes");
    return robots::read_urdf(path, root, options.floating);
  }
  robots::refuse(root.place, fmt::format("the root element is <{}>; MJCF has <mujoco>, URDF has <robot>",
                                         detail::clipped(root.tag)));
}

}  // namespace

ImportedScene import_robot(const std::string& path, const ImportOptions& options) {
  robots::Robot robot = read_robot(path, options);
  const robots::Assembly assembly = robots::assemble(robot);
  if (assembly.chains.empty())
    robots::refuse(robot.bodies[0].place,
                   "nothing moves: no body has a joint; --floating leaves the root link of URDF free");
  const robots::PlaneFound found = robots::find_plane(robot, assembly);
  if (options.dimension == 2 && !found.plane)
    robots::refuse(found.place.empty() ? path : found.place, "it is no scene in the plane: " + found.why);
  const bool flat = found.plane && options.dimension.value_or(2) == 2;
  const std::string text =
      flat ? robots::text_in_plane(robot, assembly, found) : robots::text_in_space(robot, assembly);
  ImportedScene r{robots::first_lines(robot, path) + text, {}, {}};
  for (const robots::Note& note : robot.notes.all())
    (note.changes ? r.warnings : r.remarks)
        .push_back(fmt::format("{}: {}{}", note.place, note.text,
                               note.more > 0 ? fmt::format(" (and {} more)", note.more) : ""));
  return r;
}

Scenario read_scenario_or_robot(const std::string& path, const std::vector<std::string>& overrides,
                                std::vector<std::string>* warnings) {
  if (!is_robot_file(path)) return read_scenario(path, overrides);
  const ImportedScene imported = import_robot(path);
  if (warnings != nullptr) *warnings = imported.warnings;
  return parse_scenario(imported.toml, path, overrides);
}

}  // namespace carom
