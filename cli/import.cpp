// carom import: a robot in MJCF or URDF as a scene file.
#include "import/import.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "files/staged_file.hpp"
#include "records/run_folder.hpp"
#include "scenario/scenario_text.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace {

void write_scene(const ImportRobotOptions& options, const std::string& text) {
  std::error_code ignored;
  if (!options.force && std::filesystem::exists(options.out, ignored))
    throw FolderError(fmt::format(
        "--out '{}': exists already; choose another file, or --force to overwrite it", options.out));
  detail::StagedFile file(options.out);
  file.write_at(0, text);
  file.commit();
}

}  // namespace

int import_robot_file(const ImportRobotOptions& options) {
  ImportOptions how{options.key, options.floating, {}};
  if (options.dimension != "auto") how.dimension = options.dimension == "2" ? 2 : 3;
  const ImportedScene scene = import_robot(options.robot, how);
  if (!options.quiet) {
    for (const auto& warning : scene.warnings)
      fmt::print(stderr, "carom: warning: {}\n", detail::clipped(warning, 1900));
    for (const auto& remark : scene.remarks)
      fmt::print(stderr, "carom: note: {}\n", detail::clipped(remark, 1900));
  }
  if (options.out.empty())
    fmt::print("{}", scene.toml);
  else
    write_scene(options, scene.toml);
  return done;
}

}  // namespace carom::cli
