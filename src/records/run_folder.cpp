#include "records/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "files/descriptor.hpp"
#include "files/files.hpp"
#include "records/impacts.hpp"
#include "records/summary.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

void refuse_if_busy(const fs::path& folder) {
  for (const char* name : {"trajectory.npy", "members.partial"}) {
    const detail::Descriptor table(::open((folder / name).c_str(), O_RDWR | O_CLOEXEC));
    if (table.get() >= 0 && ::flock(table.get(), LOCK_EX | LOCK_NB) != 0)
      throw FolderError(fmt::format("--out '{}': is being written by another process", folder.string()));
  }
}

}  // namespace

void claim_folder(const fs::path& folder, bool force) {
  std::error_code error;
  const auto kind = fs::status(folder, error).type();
  if (kind != fs::file_type::not_found && kind != fs::file_type::directory)
    throw FolderError(fmt::format("--out '{}': is not a folder", folder.string()));
  if (kind == fs::file_type::directory) {
    const bool empty = fs::is_empty(folder, error);
    if (!error && !empty && !force)
      throw FolderError(
          fmt::format("--out '{}': exists already; choose another folder, or --force to overwrite its run",
                      folder.string()));
  } else {
    const bool created = fs::create_directories(folder, error);
    if (!created && !error)  // in between, by another process
      throw FolderError(fmt::format("--out '{}': exists already; choose another folder", folder.string()));
  }
  if (error) throw FolderError(fmt::format("--out '{}': {}", folder.string(), error.message()));
  refuse_if_busy(folder);
  remove_results(folder), remove_live(folder);
  fs::remove(folder / "scenario.toml", error);
}

fs::path free_folder(const std::string& name) {
  fs::path folder = fs::path("runs") / name;
  for (int k = 2; fs::exists(folder); ++k) folder = fs::path("runs") / fmt::format("{}-{}", name, k);
  return folder;
}

void write_scenario(const fs::path& folder, const Scenario& scenario) {
  write_text(folder / "scenario.toml", to_toml(scenario));
}

std::string finish_folder(const fs::path& folder, const Scenario& scenario, const RunResult& result,
                          const std::string& formulas, FolderRecords& records, Kept kept) {
  records.finish(scenario.output.format);
  std::vector<double> times;
  for (const auto& impact : read_impacts(folder / "impacts.csv", most_impact_times).rows)
    times.push_back(impact.t);
  const std::string summary = summary_json(scenario, result, formulas, times);
  write_text(folder / "summary.json", summary);
  // Last: until here a killed run can be resumed.
  if (kept == Kept::last_state) remove_tables(folder);
  if (kept == Kept::nothing) remove_live(folder);
  return summary;
}

}  // namespace carom
