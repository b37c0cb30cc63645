// carom info: what a folder holds.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "records/json_file.hpp"
#include "records/run_folder.hpp"
#include "records/table.hpp"
#include "report/results_data.hpp"
#include "scenario/scenario.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

Json columns_of(const TableSource& source) {
  Json columns = Json::array();
  for (const Column& column : source.layout().columns) {
    Json shape = {source.rows()};
    if (!column.scalar) shape.push_back(column.width);
    columns.push_back({{"name", column.name}, {"shape", shape}});
  }
  return columns;
}

std::string kind_of(const fs::path& folder) {
  if (fs::exists(folder / "comparison.json")) return "comparison";
  if (fs::exists(folder / "sweep.toml")) return "sweep";
  if (const std::string kind = detail::kind_of_results(folder); !kind.empty()) return kind;
  return fs::exists(folder / "convergence.json") ? "convergence" : "run";
}

// What is there without a summary: a run under way, or one that was killed.
Json state_of(const Json& summary) { return summary.is_object() ? summary["status"] : Json("unfinished"); }

Json run_info(const fs::path& folder) {
  const Json summary = read_json(folder / "summary.json");
  const auto source = open_trajectory(folder);
  std::vector<double> row(source->layout().row_width());
  Json last = nullptr;
  if (source->rows() > 0) {
    source->read(source->rows() - 1, 1, row);
    last = row[0];
  }
  return {{"status", state_of(summary)},
          {"resumable", fs::exists(folder / "trajectory.npy") || state_of(summary) == "stopped"},
          {"checkpoint", fs::exists(folder / "checkpoint")},
          {"rows", source->rows()},
          {"last_time", last},
          {"columns", columns_of(*source)},
          {"summary", summary}};
}

Json folder_info(const fs::path& folder) {
  const Scenario scenario = read_scenario((folder / "scenario.toml").string());
  Json info = {{"folder", folder.string()},
               {"kind", kind_of(folder)},
               {"title", scenario.title},
               {"system", scenario.system.name}};
  if (info["kind"] == "run") info["run"] = run_info(folder);
  if (info["kind"] == "comparison") info["comparison"] = read_json(folder / "comparison.json");
  if (info["kind"] == "convergence") info["convergence"] = read_json(folder / "convergence.json");
  if (info["kind"] == "sweep") info["sweep"] = read_json(folder / "summary.json");  // null until it has ended
  const std::string kind = info["kind"];
  if (kind == detail::kind_of_results(folder)) info[kind] = read_json(folder / (kind + ".json"));
  std::map<std::string, std::uintmax_t> files;  // sorted
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files[entry.path().filename().string()] = entry.file_size();
  info["files"] = files;
  return info;
}

std::string size_of(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  return bytes < 1000000 ? fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3)
                         : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void print_run(const Json& run, const std::string& folder) {
  fmt::print("  status        {}\n", run["status"].get<std::string>());
  if (run["summary"].is_object() && run["summary"]["reason"].is_string())
    fmt::print("  reason        {}\n", run["summary"]["reason"].get<std::string>());
  if (run["summary"].is_object())
    fmt::print("  method        {}\n", run["summary"]["method"].get<std::string>());
  fmt::print("  rows          {}", run["rows"].get<std::uint64_t>());
  if (run["last_time"].is_number()) fmt::print(", the last at t = {}", run["last_time"].get<double>());
  fmt::print("\n  columns      ");
  for (const auto& column : run["columns"])
    fmt::print(" {}{}", column["name"].get<std::string>(),
               column["shape"].size() > 1 ? fmt::format("[{}]", column["shape"][1].get<int>()) : "");
  fmt::print("\n");
  if (run["checkpoint"].get<bool>())
    fmt::print("  go on with    carom run --resume {}{}\n", folder,
               run["status"] == "completed" ? " --set time.end=..." : "");
}

void print_sweep(const Json& summary, const std::string& folder) {
  if (!summary.is_object()) return fmt::print("  go on with    carom sweep --resume {}\n", folder);
  const Json& members = summary["members"];
  fmt::print("  runs          {}, {} completed\n", members["count"].get<std::size_t>(),
             members["completed"].get<std::size_t>());
  for (const auto& axis : summary["axes"])
    fmt::print("  {:<13} {} {}\n", axis["drawn"].get<bool>() ? "drawn" : "along",
               axis["count"].get<std::size_t>(), axis["key"].get<std::string>());
}

void print_info(const Json& info) {
  const std::string folder = info["folder"];
  const std::string kind = info["kind"] == "convergence" ? "study of convergence"
                           : info["kind"] == "lyapunov"  ? "spectrum of exponents"
                                                         : info["kind"].get<std::string>();
  fmt::print("{}: a {} of {}{}\n\n", folder, kind, info["system"].get<std::string>(),
             info["title"] == "" ? "" : ", \"" + info["title"].get<std::string>() + "\"");
  if (info.contains("run")) print_run(info["run"], folder);
  if (info.contains("comparison"))
    for (const auto& run : info["comparison"]["runs"])
      fmt::print("  {:<30} {}\n", run["label"].get<std::string>(), run["folder"].get<std::string>());
  if (info.contains("sweep")) print_sweep(info["sweep"], folder);
  fmt::print("  files        ");
  for (const auto& [name, size] : info["files"].items())
    fmt::print(" {} ({})", name, size_of(size.get<std::uint64_t>()));
  fmt::print("\n");
}

}  // namespace

int info(const std::string& name, bool json) {
  const fs::path folder = name;
  if (!fs::exists(folder / "scenario.toml")) throw FolderError(fmt::format("'{}': holds no run", name));
  const Json found = folder_info(folder);
  if (json)
    fmt::print("{}\n", found.dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_info(found);
  return done;
}

}  // namespace carom::cli
