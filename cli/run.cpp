// carom run: a scenario from its file to its folder.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "import/import.hpp"
#include "records/energy_words.hpp"
#include "records/json_file.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

// "2 begun, 1 released, lasting at the end: floor, the last since t = 3.5"
std::string in_words(const LastingContacts& c) {
  constexpr std::size_t most_named = 6;
  std::string r = fmt::format("{} begun, {} released", c.begun, c.released);
  if (c.at_end.empty()) return r + ", none lasting at the end";
  r += ", lasting at the end: ";
  for (std::size_t i = 0; i < c.at_end.size() && i < most_named; ++i) r += (i ? ", " : "") + c.at_end[i];
  if (c.at_end.size() > most_named) r += fmt::format(" and {} more", c.at_end.size() - most_named);
  return c.rest ? r + fmt::format(", the last since t = {:.10g}", *c.rest) : r;
}

void print_table(const RunResult& r, const std::string& formulas, const fs::path& folder) {
  const Ink ink(stdout);
  const double rate = r.stepping_seconds > 0 ? static_cast<double>(r.timed_steps) / r.stepping_seconds : 0;
  fmt::print("{} with {}: {}\n\n", ink.bold(r.system), r.method,
             r.status == "completed" ? ink.green(r.status) : ink.red(r.status));
  fmt::print("  method        {}\n", r.method_in_words);
  fmt::print("  steps         {}, h = {}{}\n", r.steps, r.grid.step,
             r.steps > r.grid.steps ? ", the last one shorter" : "");
  if (const std::string energy = energy_in_words(r); !energy.empty())
    fmt::print("  energy        H(0) = {:.10g}, {}\n", r.energy.initial, energy);
  for (const auto& m : r.momenta)
    fmt::print("  momentum      {} = {:.10g}, largest error {:.1e}\n", m.name, m.initial, m.max_abs_error);
  for (const auto& x : r.quantities)
    fmt::print("  quantity      {} = {:.10g}, at the end {:.10g}, from {:.10g} to {:.10g}\n", x.name,
               x.initial, x.final, x.min, x.max);
  if (r.shadow)
    fmt::print("  shadow energy of order {}: {:.10g}, largest error {:.1e}\n", r.shadow->order,
               r.shadow->energy.initial, r.shadow->energy.max_abs_error);
  if (r.impacts > 0) fmt::print("  impacts       {}, the last at t = {:.10g}\n", r.impacts, r.last_impact);
  if (r.contacts.begun + r.contacts.released > 0) fmt::print("  contacts      {}\n", in_words(r.contacts));
  if (r.smallest_gap) fmt::print("  smallest gap  {:.3g}\n", *r.smallest_gap);
  if (r.largest_joint) fmt::print("  joints        largest |f| {:.1e}\n", *r.largest_joint);
  fmt::print("  cost          {:.3g} s, {:.3g} steps/s, {:.2f} Newton iterations per step\n", r.wall_seconds,
             rate, r.steps ? static_cast<double>(r.newton_iterations) / static_cast<double>(r.steps) : 0.0);
  if (!formulas.empty()) fmt::print("  formulas      {}\n", formulas);
  fmt::print("  report        {}\n", (folder / "report.html").string());
}

int run_into(const Prepared& prepared, const fs::path& folder, const RunOptions& options,
             const Checkpoint* resumed) {
  const auto executed = execute(prepared, folder,
                                {.progress = !options.quiet && !options.json,
                                 .checkpoint = options.checkpoint,
                                 .resumed = resumed,
                                 .native = options.native});
  write_report(folder);
  if (options.json) fmt::print("{}", executed.summary);
  if (!options.json && !options.quiet) print_table(executed.result, executed.formulas, folder);
  print_trouble(executed.result, folder);
  if (executed.result.status == "stopped" && !options.quiet)
    fmt::print(stderr, "carom: go on with: carom run --resume {}\n", folder.string());
  return executed.code;
}

// Whether two scenarios differ in nothing but where the run ends.
bool differs_in_end_only(Scenario was, const Scenario& is) {
  was.time.end = is.time.end, was.time.impacts = is.time.impacts, was.time.until = is.time.until;
  return to_toml(was) == to_toml(is);
}

// What is left to do for a run that stands at the checkpoint.
void refuse_what_is_over(const Scenario& s, const Scenario& was, const Checkpoint& kept,
                         const fs::path& folder) {
  const auto count = [&kept](const char* what) {
    const auto found = kept.counts.find(what);
    return found == kept.counts.end() ? 0 : found->second;
  };
  const auto summary = read_json(folder / "summary.json");
  const bool finished = summary.is_object() && !fs::exists(folder / "trajectory.npy");
  if (was.time == s.time && finished && summary["status"] == "completed")
    throw FolderError(
        fmt::format("--resume '{}': this run has ended at t = {:.10g}; with a later end it goes on, as in "
                    "--set time.end={:.10g}",
                    folder.string(), summary["time"]["end"].get<double>(),
                    2 * summary["time"]["end"].get<double>() - s.time.start));
  if (s.time.end && s.time.steps() < count("step"))
    s.reject("time.end", fmt::format("{}", *s.time.end),
             fmt::format("the run is at t = {:.10g} already",
                         s.time.start + static_cast<double>(count("step")) * s.time.step));
  if (s.time.impacts && *s.time.impacts <= count("impacts") && was.time != s.time)
    s.reject("time.impacts", fmt::format("{}", *s.time.impacts),
             fmt::format("the run has had {} impacts already", count("impacts")));
}

// What a run left: its scenario, and a checkpoint unless it died before the first one.
int resume(const RunOptions& options) {
  const fs::path folder = options.resume;
  const fs::path scenario = folder / "scenario.toml";
  if (!fs::exists(scenario)) throw FolderError(fmt::format("--resume '{}': holds no run", folder.string()));
  const auto prepared = prepare_with_drawing(read_scenario(scenario.string(), options.set));
  const bool kept = fs::exists(folder / "checkpoint");
  if (!kept && fs::exists(folder / "summary.json"))
    throw FolderError(
        fmt::format("--resume '{}': this run kept no state to go on from: it failed without --checkpoint, or "
                    "is no run",
                    folder.string()));
  std::optional<Checkpoint> checkpoint;
  if (kept) {
    checkpoint = load_checkpoint(folder / "checkpoint");
    const Scenario was = parse_scenario(checkpoint->scenario, (folder / "checkpoint").string());
    if (!differs_in_end_only(was, prepared.scenario))
      throw FolderError(
          fmt::format("--resume '{}': scenario.toml was changed after the checkpoint", folder.string()));
    refuse_what_is_over(prepared.scenario, was, *checkpoint, folder);
  } else if (!options.quiet) {
    fmt::print(
        stderr,
        "carom: this run was killed before it kept a state, so it starts again; --checkpoint keeps one "
        "every minute\n");
  }
  RunOptions going_on = options;
  if (!going_on.checkpoint) going_on.checkpoint = default_checkpoint_seconds;
  return run_into(prepared, folder, going_on, checkpoint ? &*checkpoint : nullptr);
}

}  // namespace

int run(const RunOptions& options) {
  if (!options.resume.empty()) try {
      return resume(options);
    } catch (const RecordError& e) {
      throw FolderError(fmt::format("--resume '{}': {}", options.resume, e.what()));
    }
  const std::string path = locate_scenario(options.scenario);
  std::vector<std::string> warnings;
  const auto prepared = prepare_with_drawing(read_scenario_or_robot(path, options.set, &warnings));
  if (!options.quiet && !options.json)
    for (const auto& warning : warnings)
      fmt::print(stderr, "carom: warning: {}\n", detail::clipped(warning, 1900));
  const auto folder = options.out.empty() ? free_folder(fs::path(path).stem()) : fs::path(options.out);
  claim_folder(folder, options.force);
  return run_into(prepared, folder, options, nullptr);
}

}  // namespace carom::cli
