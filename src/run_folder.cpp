#include "run_folder.hpp"

#include <fmt/format.h>

#include "figures.hpp"
#include "files.hpp"
#include "npz.hpp"
#include "summary.hpp"

namespace carom {
namespace fs = std::filesystem;

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
    fs::create_directories(folder, error);
  }
  if (error) throw FolderError(fmt::format("--out '{}': {}", folder.string(), error.message()));
  fs::remove(folder / "summary.json", error);  // of an older run; a summary means that all else is there
}

fs::path free_folder(const std::string& name) {
  fs::path folder = fs::path("runs") / name;
  for (int k = 2; fs::exists(folder); ++k) folder = fs::path("runs") / fmt::format("{}-{}", name, k);
  return folder;
}

namespace {

void write_trajectory(const fs::path& path, const Trajectory& rows) {
  const std::size_t n = rows.rows();
  std::vector<NpyArray> arrays = {{"t", {n}, rows.t},
                                  {"q", {n, rows.dim}, rows.q},
                                  {"p", {n, rows.dim}, rows.p},
                                  {"H", {n}, rows.H},
                                  {"discrete_energy", {n}, rows.discrete_energy},
                                  {"work", {n}, rows.work},
                                  {"momenta", {n, rows.momenta}, rows.momentum},
                                  {"gaps", {n, rows.gaps}, rows.gap}};
  write_npz(path, arrays);
}

std::string join(const std::vector<double>& values) {
  std::string r;
  for (const double x : values) r += fmt::format(",{}", x);
  return r;
}

std::string header(const char* name, std::size_t count) {
  std::string r;
  for (std::size_t i = 1; i <= count; ++i) r += fmt::format(",{}{}", name, i);
  return r;
}

std::string impacts_csv(const RunResult& r) {
  const std::size_t n = r.trajectory.dim;
  std::string text = "time,step,contact" + header("q", n) + header("p_before", n) + header("p_after", n) +
                     ",impulse,gap_rate_before,gap_rate_after\n";
  for (const auto& row : r.impacts)
    text += fmt::format("{},{},{}{}{}{},{},{},{}\n", row.t, row.step, row.contact, join(row.q),
                        join(row.p_before), join(row.p_after), row.impulse, row.rate_before, row.rate_after);
  return text;
}

}  // namespace

void write_run(const fs::path& folder, const Scenario& scenario, const RunResult& result) {
  write_trajectory(folder / "trajectory.npz", result.trajectory);
  write_text(folder / "impacts.csv", impacts_csv(result));
  write_text(folder / "scenario.toml", to_toml(scenario));
  write_text(folder / "run.svg", run_figure(scenario, result));
  write_text(folder / "summary.json",
             summary_json(scenario, result));  // last: a summary means a whole folder
}

}  // namespace carom
