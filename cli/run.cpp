// carom run: a scenario from its file to its folder.
#include <fmt/format.h>
#include <cmath>

#include <filesystem>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "report/report.hpp"
#include "records/run_folder.hpp"
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

// The energy, and where it went.
void print_energy(const RunResult& r) {
  if (std::isnan(r.energy.initial)) return;  // a DAE may have none
  const bool conservative = !r.lossy && r.work == 0 && r.friction == 0;
  fmt::print("  energy        H(0) = {:.10g}, largest {} {:.2e}, drift {:.1e} per unit of time\n",
             r.energy.initial, conservative ? "error" : "change", r.energy.max_abs_error, r.drift_per_time);
  if (r.work != 0) fmt::print("  work          {:.10g}, done by the forces\n", r.work);
  if (r.friction != 0) fmt::print("  friction      {:.10g}, taken by it\n", -r.friction);
  if (r.lossy) fmt::print("  loss          {:.10g}, taken by the impacts\n", r.loss);
  if (!conservative) fmt::print("  remainder     {:.2e}, the error of the method\n", r.remainder);
}

void print_table(const RunResult& r, const std::string& formulas, const fs::path& folder) {
  const Ink ink(stdout);
  const double rate = r.stepping_seconds > 0 ? static_cast<double>(r.timed_steps) / r.stepping_seconds : 0;
  fmt::print("{} with {}: {}\n\n", ink.bold(r.system), r.method,
             r.status == "completed" ? ink.green(r.status) : ink.red(r.status));
  fmt::print("  steps         {}, h = {}\n", r.steps, r.grid.step);
  print_energy(r);
  for (const auto& m : r.momenta)
    fmt::print("  momentum      {} = {:.10g}, largest error {:.1e}\n", m.name, m.initial, m.max_abs_error);
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
  if (executed.result.status == "stopped" && options.checkpoint && !options.quiet)
    fmt::print(stderr, "carom: go on with: carom run --resume {}\n", folder.string());
  return executed.code;
}

// What a stopped run left: its scenario, and a checkpoint unless it died before the first one.
int resume(const RunOptions& options) {
  const fs::path folder = options.resume;
  const fs::path scenario = folder / "scenario.toml";
  if (!fs::exists(scenario)) throw FolderError(fmt::format("--resume '{}': holds no run", folder.string()));
  if (!fs::exists(folder / "trajectory.npy") && fs::exists(folder / "summary.json"))
    throw FolderError(
        fmt::format("--resume '{}': this run has ended, or was run without --checkpoint; there is "
                    "nothing to go on with",
                    folder.string()));
  std::optional<Checkpoint> checkpoint;
  if (fs::exists(folder / "checkpoint")) checkpoint = load_checkpoint(folder / "checkpoint");
  const auto prepared = prepare_with_drawing(read_scenario(scenario.string()));
  if (checkpoint && checkpoint->scenario != to_toml(prepared.scenario))
    throw FolderError(
        fmt::format("--resume '{}': scenario.toml was changed after the checkpoint", folder.string()));
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
  const auto prepared = prepare_with_drawing(read_scenario(path, options.set));
  const auto folder = options.out.empty() ? free_folder(fs::path(path).stem()) : fs::path(options.out);
  claim_folder(folder, options.force);
  return run_into(prepared, folder, options, nullptr);
}

}  // namespace carom::cli
