// carom optimise: a problem of optimal control from its file to the folder of its replay.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "files/modules.hpp"
#include "given_command.hpp"
#include "interrupt.hpp"
#include "optimise/control.hpp"
#include "papers.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

SolveProgram open_solver() {
  const Opened opened = open_module("carom_ipopt", "carom_ipopt");
  if (!opened.function)
    throw ModuleError(fmt::format(
        "optimal control needs Ipopt, a part of its own that is not built ({}): ./carom optimise builds "
        "it, and so does the target carom_ipopt where coinor-libipopt-dev is installed",
        opened.why));
  return reinterpret_cast<SolveProgram>(reinterpret_cast<void* (*)()>(opened.function)());
}

std::vector<double> numbers_in(const Values& x) { return {x.begin(), x.end()}; }

Json phases_of(const Plan& plan, const std::vector<std::string>& controls) {
  Json phases = Json::array();
  for (const Plan::Phase& phase : plan.phases) {
    Json q = Json::array(), p = Json::array(), u = Json::object();
    for (const Values& x : phase.q) q.push_back(numbers_in(x));
    for (const Values& x : phase.p) p.push_back(numbers_in(x));
    for (std::size_t c = 0; c < controls.size(); ++c) {
      std::vector<double> all;
      for (const auto& one : phase.controls) all.push_back(one[c]);
      u[controls[c]] = all;
    }
    phases.push_back({{"begin", phase.begin},
                      {"duration", phase.duration},
                      {"impact", phase.contact.empty() ? Json(nullptr) : Json(phase.contact)},
                      {"v_begin", numbers_in(phase.v_begin)},
                      {"v_end", numbers_in(phase.v_end)},
                      {"t", phase.t},
                      {"q", q},
                      {"p", p},
                      {"control_times", phase.control_times},
                      {"controls", u}});
  }
  return phases;
}

Json to_json(const Plan& plan, const ControlProblem& problem) {
  Json parameters = Json::object();
  for (const auto& [name, value] : plan.parameters) parameters[name] = value;
  return {{"schema_version", 1},
          {"command", given_command()},
          {"status", plan.solved    ? "solved"
                     : plan.stopped ? "stopped"
                                    : "failed"},
          {"reason", plan.solved ? Json(nullptr) : Json(plan.reason)},
          {"cost", std::isfinite(plan.cost) ? Json(plan.cost) : Json(nullptr)},
          {"iterations", plan.iterations},
          {"seconds", plan.seconds},
          {"unknowns", plan.unknowns},
          {"conditions", plan.rows},
          {"parameters", parameters},
          {"phases", phases_of(plan, problem.controls)}};
}

// How far the replay ends from where the plan does.
double difference(const Plan& plan, const RunResult& r) {
  const Plan::Phase& last = plan.phases.back();
  double most = 0;
  for (std::size_t i = 0; i < r.q.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    most = std::fmax(most, std::fmax(std::abs(r.q[i] - last.q.back()[k]), std::abs(r.v[i] - last.v_end[k])));
  }
  return most;
}

Json replay_json(const Plan& plan, const RunResult& r) {
  return {{"status", r.status},
          {"t", r.t},
          {"q", r.q},
          {"v", r.v},
          {"impacts", r.impacts},
          {"end_differs_by", r.status == "completed" ? Json(difference(plan, r)) : Json(nullptr)}};
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
               difference(plan, r));
  fmt::print("  report        {}\n", (folder / "report.html").string());
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int optimise(const OptimiseOptions& options) {
  const std::string path = locate_problem(options.problem);
  const std::string text = detail::read_file(path);
  OptimalControl control(parse_problem(text, path), fs::path(path).parent_path().string());
  const SolveProgram solver = open_solver();
  const SignalScope signals;
  const Plan plan =
      control.solve(solver, {.most_iterations = options.iterations, .stop = [] { return interrupt.load(); }});
  const auto folder =
      options.out.empty() ? free_folder(fs::path(path).stem().string()) : fs::path(options.out);
  claim_folder(folder, options.force);
  write_text(folder / "problem.toml", text);
  Json json = to_json(plan, control.problem);
  write_text(folder / "optimise.json", text_of(json));
  const Scenario replay = control.replay(plan);
  write_scenario(folder, replay);
  if (!plan.solved) {
    if (options.json) fmt::print("{}", text_of(json));
    fmt::print(stderr, "carom: {}; what was reached is in {}\n", plan.reason, folder.string());
    return plan.stopped ? interrupted : numerics_failed;
  }
  const auto executed =
      execute(prepare_with_drawing(replay), folder, {.progress = !options.quiet && !options.json});
  json["replay"] = replay_json(plan, executed.result);
  write_text(folder / "optimise.json", text_of(json));
  write_report(folder);
  if (options.json) fmt::print("{}", text_of(json));
  if (!options.json && !options.quiet) print_plan(plan, executed.result, folder);
  print_trouble(executed.result, folder);
  return executed.code;
}

}  // namespace carom::cli
