// carom report: makes report.html of a folder again, also for a run that was killed.
#include "report/report.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "records/run_folder.hpp"

namespace carom::cli {

int report(const std::string& name, bool quiet) {
  const std::filesystem::path folder = name;
  if (!std::filesystem::exists(folder / "scenario.toml"))
    throw FolderError(fmt::format("'{}': holds no run", name));
  write_report(folder);
  if (!quiet) fmt::print("{}\n", (folder / "report.html").string());
  return done;
}

}  // namespace carom::cli
