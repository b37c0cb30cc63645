// carom compare: one scenario with several methods and steps, side by side.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "interrupt.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "run/reference_run.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"
#include "variants.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

struct Member {
  Prepared prepared;
  std::string label, folder;
  Executed executed = {};
  std::optional<double> followed = std::nullopt;
};

// "1-shadow", fit for a file system.
std::string folder_name(std::size_t i, const std::string& label) {
  std::string r = std::to_string(i + 1) + "-";
  for (const char c : label) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-';
    if (plain)
      r += c;
    else if (r.back() != '-')
      r += '-';
  }
  return r.substr(0, 60);
}

double energy_error(const RunResult& r) {
  return keeps_energy(r) ? r.energy.max_abs_error : std::abs(r.remainder);
}

Json row_of(const Member& m) {
  const RunResult& r = m.executed.result;
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"label", m.label},
          {"folder", m.folder},
          {"method", r.method},
          {"step", r.grid.step},
          {"status", r.status},
          {"reason", r.reason.empty() ? Json(nullptr) : Json(r.reason)},
          {"energy_error", number(energy_error(r))},
          {"drift_per_time", keeps_energy(r) ? number(r.drift_per_time) : Json(nullptr)},
          {"shadow_error", r.shadow ? number(r.shadow->energy.max_abs_error) : Json(nullptr)},
          {"impacts", r.impacts},
          {"followed_until", m.followed ? number(*m.followed) : Json(nullptr)},
          {"wall_seconds", r.wall_seconds}};
}

void print_table(const std::vector<Member>& members, const fs::path& folder) {
  const Ink ink(stdout);
  std::size_t width = 6;
  for (const auto& m : members) width = std::max(width, m.label.size());
  fmt::print("{}\n", ink.bold(fmt::format("{:<{}}  {:>12}  {:>10}  {:>8}  {:>14}  {:>9}", "method", width,
                                          "energy error", "drift", "impacts", "followed until", "cost")));
  for (const auto& m : members) {
    const RunResult& r = m.executed.result;
    const std::string followed = m.followed ? fmt::format("{:.3g}", *m.followed) : "-";
    const std::string drift = keeps_energy(r) ? fmt::format("{:.1e}", r.drift_per_time) : "-";
    fmt::print("{:<{}}  {:>12.2e}  {:>10}  {:>8}  {:>14}  {:>7.2g} s{}\n", m.label, width, energy_error(r),
               drift, r.impacts, followed, r.wall_seconds, r.status == "completed" ? "" : "  " + r.status);
  }
  fmt::print("\nThe report is {}\n", (folder / "report.html").string());
}

std::vector<Member> prepared_members(const CompareOptions& options, const std::string& path) {
  std::vector<Member> members;
  for (Variant& variant : variants_of(path, options.set, options.methods, options.steps)) {
    std::string folder = folder_name(members.size(), variant.label);
    members.push_back({prepare_with_drawing(std::move(variant.scenario)), variant.label, std::move(folder)});
  }
  return members;
}

// Runs them one after the other, so that their costs can be compared. Returns the exit code.
int run_all(std::vector<Member>& members, const fs::path& folder, bool progress, NativeUse native) {
  int code = done;
  for (Member& m : members) {
    claim_folder(folder / m.folder, true);
    m.executed = execute(m.prepared, folder / m.folder, {.progress = progress, .native = native});
    if (m.executed.code == interrupted || m.executed.code == file_trouble) return m.executed.code;
    if (m.executed.code != done) code = m.executed.code;
  }
  return code;
}

}  // namespace

int compare(const CompareOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  auto members = prepared_members(options, path);
  const auto folder =
      options.out.empty() ? free_folder(fs::path(path).stem().string() + "-compared") : fs::path(options.out);
  claim_folder(folder, options.force);
  const bool talkative = !options.quiet && !options.json;
  const int code = run_all(members, folder, talkative, options.native);
  if (code == interrupted || code == file_trouble) return code;
  if (interrupt) return interrupted;

  std::vector<fs::path> folders;
  for (const Member& m : members) folders.push_back(folder / m.folder);
  const auto followed = followed_until(members[0].prepared.scenario, members[0].prepared.model, folders);
  Json comparison = {{"schema_version", 1}, {"command", given_command()}, {"runs", Json::array()}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].followed = followed[i];
    comparison["runs"].push_back(row_of(members[i]));
  }
  const std::string text = comparison.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_scenario(folder, members[0].prepared.scenario);
  write_text(folder / "comparison.json", text);
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  if (talkative) print_table(members, folder);
  for (const Member& m : members) print_trouble(m.executed.result, folder / m.folder);
  return code;
}

int demo(bool quiet) {
  CompareOptions options;
  options.scenario = "demo", options.out = "runs/demo";
  options.methods = {"continuous-energy", "discrete-energy", "shadow"};
  options.force = true, options.quiet = quiet;
  return compare(options);
}

}  // namespace carom::cli
