// carom optimise: a problem of optimal control from its file to the folder of its replay.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "interrupt.hpp"
#include "optimise/control_json.hpp"
#include "papers.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

// The module is opened before anything is computed.
SolveProgram opened_solver() {
  try {
    return open_solver();
  } catch (const std::runtime_error& e) {
    throw ModuleError(e.what());
  }
}

void print_plan(const Plan& plan, const RunResult& r, const fs::path& folder) {
  const Ink ink(stdout);
  fmt::print("{} = {:.15g}\n\n", ink.bold("cost"), plan.cost);
  for (const auto& [name, value] : plan.parameters) fmt::print("  {:<13} {:.12g}\n", name, value);
  for (const Plan::Phase& phase : plan.phases)
    fmt::print("  phase         {} steps from t = {:.12g} to {:.12g}{}\n", phase.t.size() - 1, phase.begin,
               phase.t.back(),
               phase.contact.empty() ? "" : fmt::format(", where \"{}\" closes", phase.contact));
  fmt::print("  solver        {} iterations, {:.3g} s, {} unknowns, {} conditions\n", plan.iterations,
             plan.seconds, plan.unknowns, plan.rows);
  if (r.status == "completed")
    fmt::print("  replay        {} impacts by {}; it ends within {:.1e} of the plan\n", r.impacts, r.method,
               end_difference(plan, r));
  fmt::print("  report        {}\n", (folder / "report.html").string());
}

}  // namespace

int optimise(const OptimiseOptions& options) {
  const std::string path = locate_problem(options.problem);
  const std::string text = detail::read_file(path);
  OptimalControl control(parse_problem(text, path), fs::path(path).parent_path().string());
  const SolveProgram solver = opened_solver();
  const SignalScope signals;
  const Plan plan =
      control.solve(solver, {.most_iterations = options.iterations, .stop = [] { return interrupt.load(); }});
  const auto folder =
      options.out.empty() ? free_folder(fs::path(path).stem().string()) : fs::path(options.out);
  claim_folder(folder, options.force);
  write_text(folder / "problem.toml", text);
  const auto write = [&](const RunResult* ran) {
    const std::string json = plan_json(plan, control.problem, given_command(), ran);
    write_text(folder / "optimise.json", json);
    return json;
  };
  const std::string reached = write(nullptr);
  const Scenario replay = control.replay(plan);
  write_scenario(folder, replay);
  if (!plan.solved) {
    if (options.json) fmt::print("{}", reached);
    fmt::print(stderr, "carom: {}; what was reached is in {}\n", plan.reason, folder.string());
    return plan.stopped ? interrupted : numerics_failed;
  }
  const auto executed =
      execute(prepare_with_drawing(replay), folder, {.progress = !options.quiet && !options.json});
  const std::string json = write(&executed.result);
  write_report(folder);
  if (options.json) fmt::print("{}", json);
  if (!options.json && !options.quiet) print_plan(plan, executed.result, folder);
  print_trouble(executed.result, folder);
  return executed.code;
}

}  // namespace carom::cli
