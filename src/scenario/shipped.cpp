#include "scenario/shipped.hpp"

#include <algorithm>
#include <filesystem>

#include "scenario/scenario.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

fs::path& own_folder() {
  static fs::path folder;
  return folder;
}

fs::path scenario_folder() {
  if (!own_folder().empty()) return own_folder();
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/carom/scenarios";
  if (!error && fs::is_directory(installed, error)) return installed;
  return CAROM_SOURCE_SCENARIOS;
}

fs::path sweep_folder() { return scenario_folder() / "sweeps"; }
fs::path problem_folder() { return scenario_folder() / "control"; }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::string locate(const std::string& path_or_name, const fs::path& folder, const std::string& kind) {
  std::error_code error;
  const bool is_path = path_or_name.find('/') != std::string::npos || path_or_name.ends_with(".toml") ||
                       path_or_name.ends_with(".xml") || path_or_name.ends_with(".urdf");
  if (is_path || fs::is_regular_file(path_or_name, error)) return path_or_name;
  const fs::path shipped = folder / (path_or_name + ".toml");
  if (fs::is_regular_file(shipped, error)) return shipped;
  throw ScenarioError(kind + " \"" + path_or_name + "\": is neither a file nor a shipped " + kind +
                      suggestion(path_or_name, names_in(folder)));
}

}  // namespace

void ship_scenarios_in(const std::string& folder) { own_folder() = folder; }

std::vector<std::string> shipped_scenarios() { return names_in(scenario_folder()); }
std::vector<std::string> shipped_sweeps() { return names_in(sweep_folder()); }
std::vector<std::string> shipped_problems() { return names_in(problem_folder()); }

std::string locate_scenario(const std::string& path_or_name) {
  return locate(path_or_name, scenario_folder(), "scenario");
}
std::string locate_sweep(const std::string& path_or_name) {
  return locate(path_or_name, sweep_folder(), "sweep");
}
std::string locate_problem(const std::string& path_or_name) {
  return locate(path_or_name, problem_folder(), "problem");
}

}  // namespace carom
