// carom run: a scenario from its file to its folder.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <filesystem>

#include "commands.hpp"
#include "files.hpp"
#include "progress.hpp"
#include "run_folder.hpp"
#include "shipped.hpp"
#include "summary.hpp"

namespace carom::cli {
namespace {

std::atomic<bool> interrupt = false;

// Ctrl-C and SIGTERM end the run at the next grid point; what was computed is kept.
void listen_for_signals() {
  std::signal(SIGINT, [](int) { interrupt = true; });
  std::signal(SIGTERM, [](int) { interrupt = true; });
}

void print_table(const RunResult& r, const std::filesystem::path& folder) {
  const double rate = r.stepping_seconds > 0 ? static_cast<double>(r.steps) / r.stepping_seconds : 0;
  fmt::print("{} with {}: {}\n\n", r.system, r.method, r.status);
  fmt::print("  steps         {}, h = {}\n", r.steps, r.grid.step);
  fmt::print("  energy        H(0) = {:.10g}, largest error {:.2e}, drift {:.1e} per unit of time\n",
             r.energy.initial, r.energy.max_abs_error, r.drift_per_time);
  for (const auto& m : r.momenta)
    fmt::print("  momentum      {} = {:.10g}, largest error {:.1e}\n", m.name, m.initial, m.max_abs_error);
  if (r.shadow)
    fmt::print("  shadow energy of order {}: {:.10g}, largest error {:.1e}\n", r.shadow->order,
               r.shadow->energy.initial, r.shadow->energy.max_abs_error);
  if (!r.impacts.empty())
    fmt::print("  impacts       {}, the last at t = {:.10g}\n", r.impacts.size(), r.impacts.back().t);
  if (r.smallest_gap) fmt::print("  smallest gap  {:.3g}\n", *r.smallest_gap);
  fmt::print("  cost          {:.3g} s, {:.3g} steps/s, {:.2f} Newton iterations per step\n", r.wall_seconds,
             rate, r.steps ? static_cast<double>(r.newton_iterations) / static_cast<double>(r.steps) : 0.0);
  fmt::print("  folder        {}\n", folder.string());
}

int run_into(const Scenario& scenario, const std::filesystem::path& folder, const RunOptions& options) {
  const Model& model = find_model(scenario);
  const Method method = make_method(scenario);
  model.check(scenario);
  claim_folder(folder, options.force);

  listen_for_signals();
  RunResult result;
  {
    Progress progress(!options.quiet && !options.json);
    RunHooks hooks{
        [&progress](std::int64_t n, std::int64_t all, const char* unit) { progress.show(n, all, unit); },
        [] { return interrupt.load(); }};
    result = model.run(scenario, method, hooks);
  }
  write_run(folder, scenario, result);
  if (options.json) fmt::print("{}", summary_json(scenario, result));
  if (!options.json && !options.quiet) print_table(result, folder);
  for (const auto& warning : result.warnings) fmt::print(stderr, "carom: warning: {}\n", warning);
  if (result.status == "failed") {
    fmt::print(stderr, "carom: {}; what was computed until then is in {}\n", result.reason, folder.string());
    return numerics_failed;
  }
  return result.status == "stopped" ? interrupted : done;
}

}  // namespace

int run(const RunOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  const Scenario scenario = read_scenario(path, options.set);
  const auto folder = options.out.empty() ? free_folder(std::filesystem::path(path).stem())
                                          : std::filesystem::path(options.out);
  return run_into(scenario, folder, options);
}

int demo(bool quiet) {
  const std::filesystem::path folder = "runs/demo";
  RunOptions options;
  options.force = true, options.quiet = quiet;
  const int code = run_into(read_scenario(locate_scenario("demo")), folder, options);
  if (code == done && !quiet) fmt::print("\nA picture of it is in {}\n", (folder / "run.svg").string());
  return code;
}

}  // namespace carom::cli
