#include "shipped.hpp"

#include <algorithm>
#include <filesystem>

#include "scenario.hpp"
#include "suggest.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

fs::path scenario_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/carom/scenarios";
  if (!error && fs::is_directory(installed, error)) return installed;
  return CAROM_SOURCE_SCENARIOS;
}

}  // namespace

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(scenario_folder(), error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::string locate_scenario(const std::string& path_or_name) {
  std::error_code error;
  const bool is_path = path_or_name.find('/') != std::string::npos || path_or_name.ends_with(".toml");
  if (is_path || fs::is_regular_file(path_or_name, error)) return path_or_name;
  const fs::path shipped = scenario_folder() / (path_or_name + ".toml");
  if (fs::is_regular_file(shipped, error)) return shipped;
  throw ScenarioError("scenario \"" + path_or_name + "\": is neither a file nor a shipped scenario" +
                      suggestion(path_or_name, shipped_scenarios()));
}

}  // namespace carom
