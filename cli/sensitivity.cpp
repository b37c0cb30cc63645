// carom sensitivity: derivatives of a run's last state, of its quantities and of the times of its impacts.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "import/import.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "run/sensitivity.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// All parameters of a system in formulas, where nothing else is asked for.
std::vector<std::string> variables(const SensitivityOptions& o, const Prepared& p) {
  if (!o.by.empty()) return o.by == std::vector<std::string>{"start"} ? std::vector<std::string>() : o.by;
  std::vector<std::string> names;
  if (p.scenario.system.is_expression())
    for (const auto& [name, value] : p.scenario.system.parameters) names.push_back(name);
  return names;
}

Json impacts_of(const Differentiated& run) {
  Json list = Json::array();
  for (const Impact& impact : run.tape.impacts)
    list.push_back({{"t", impact.t},
                    {"contact", run.system().contact_name(impact.contacts[0])},
                    {"rate_before", impact.rate_before},
                    {"energy", impact.by_law_energy ? "law" : "H"}});
  return list;
}

Json changes_of(const Differentiated& run) {
  Json list = Json::array();
  for (const ContactChange& change : run.tape.changes)
    list.push_back({{"t", change.t},
                    {"contact", run.system().contact_name(change.contact)},
                    {"change", change.begins ? "begins to last" : "is released"}});
  return list;
}

std::vector<std::string> warnings_of(const Differentiated& run) {
  if (!run.system().has_kinks()) return {};
  return {
      "the Lagrangian or the forces have kinks or jumps: where the run crosses a jump its derivative misses "
      "what that does"};
}

Json to_json(const Differentiated& run, const Jacobian& r) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < r.slopes.rows(); ++i) {
    const SlopeRow row = r.slopes.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return {{"schema_version", 1},
          {"command", given_command()},
          {"status", run.failure ? "failed" : "completed"},
          {"reason", run.failure ? Json(*run.failure) : Json(nullptr)},
          {"steps", run.tape.steps()},
          {"rows", r.rows},
          {"values", r.values},
          {"columns", r.columns},
          {"by", r.by},
          {"slopes", rows},
          {"impacts", impacts_of(run)},
          {"changes", changes_of(run)},
          {"warnings", warnings_of(run)},
          {"slowest_approach", std::isfinite(run.slowest) ? Json(run.slowest) : Json(nullptr)}};
}

void print_table(const Differentiated& run, const Jacobian& r, const fs::path& folder) {
  const Ink ink(stdout);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    fmt::print("{} = {:.10g}\n", ink.bold(r.rows[i]), r.values[i]);
    for (std::size_t k = 0; k < r.columns.size(); ++k)
      fmt::print("  by {:<24} {:>18.10g}\n", r.columns[k],
                 r.slopes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
  }
  fmt::print("\n{} steps, {} impacts", run.tape.steps(), run.tape.impacts.size());
  if (!run.tape.impacts.empty())
    fmt::print(
        ", of which the slowest approaches at {:.3g}: derivatives grow as its inverse, and hold for this "
        "sequence",
        run.slowest);
  fmt::print("\nThe report is {}\n", (folder / "report.html").string());
}

}  // namespace

int sensitivity(const SensitivityOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  const Prepared prepared = carom::prepare(read_scenario_or_robot(path, options.set));
  const NativeScope native(options.native);
  Differentiated run(prepared, variables(options, prepared));
  const auto folder = options.out.empty() ? free_folder(fs::path(path).stem().string() + "-sensitivity")
                                          : fs::path(options.out);
  Jacobian r;
  if (!run.failure) r = options.of.empty() ? run.jacobian() : run.gradient(options.of);
  claim_folder(folder, options.force);
  write_scenario(folder, prepared.scenario);
  const std::string text = to_json(run, r).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_text(folder / "sensitivity.json", text);
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  for (const auto& warning : warnings_of(run)) fmt::print(stderr, "carom: warning: {}\n", warning);
  if (run.failure) {
    fmt::print(stderr, "carom: {}; what was computed until then is in {}\n", *run.failure, folder.string());
    return numerics_failed;
  }
  if (!options.json && !options.quiet) print_table(run, r, folder);
  return done;
}

}  // namespace carom::cli
