#include "optimise/control_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "files/modules.hpp"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> numbers_in(const Values& x) { return {x.begin(), x.end()}; }

Json phase_json(const Plan::Phase& phase, const std::vector<std::string>& controls) {
  Json q = Json::array(), p = Json::array(), u = Json::object();
  for (const Values& x : phase.q) q.push_back(numbers_in(x));
  for (const Values& x : phase.p) p.push_back(numbers_in(x));
  for (std::size_t c = 0; c < controls.size(); ++c) {
    std::vector<double> all;
    for (const auto& one : phase.controls) all.push_back(one[c]);
    u[controls[c]] = all;
  }
  return {{"begin", phase.begin},
          {"duration", phase.duration},
          {"impact", phase.contact.empty() ? Json(nullptr) : Json(phase.contact)},
          {"v_begin", numbers_in(phase.v_begin)},
          {"v_end", numbers_in(phase.v_end)},
          {"t", phase.t},
          {"q", q},
          {"p", p},
          {"control_times", phase.control_times},
          {"controls", u}};
}

}  // namespace

SolveProgram open_solver() {
  const Opened opened = open_module("carom_ipopt", "carom_ipopt");
  if (!opened.function)
    throw std::runtime_error(
        fmt::format("optimal control needs Ipopt, a part of its own that is not built ({}): ./carom optimise "
                    "builds it, and so does "
                    "the target carom_ipopt where coinor-libipopt-dev is installed",
                    opened.why));
  return reinterpret_cast<SolveProgram>(reinterpret_cast<void* (*)()>(opened.function)());
}

double end_difference(const Plan& plan, const RunResult& r) {
  const Plan::Phase& last = plan.phases.back();
  double most = 0;
  for (std::size_t i = 0; i < r.q.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    most = std::fmax(most, std::fmax(std::abs(r.q[i] - last.q.back()[k]), std::abs(r.v[i] - last.v_end[k])));
  }
  return most;
}

std::string plan_json(const Plan& plan, const ControlProblem& problem, const std::string& command,
                      const RunResult* replay) {
  Json parameters = Json::object(), phases = Json::array();
  for (const auto& [name, value] : plan.parameters) parameters[name] = value;
  for (const Plan::Phase& phase : plan.phases) phases.push_back(phase_json(phase, problem.controls));
  Json r = {{"schema_version", 1},
            {"command", command},
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
            {"phases", phases}};
  if (replay)
    r["replay"] = {{"status", replay->status},
                   {"t", replay->t},
                   {"q", replay->q},
                   {"v", replay->v},
                   {"impacts", replay->impacts},
                   {"end_differs_by",
                    replay->status == "completed" ? Json(end_difference(plan, *replay)) : Json(nullptr)}};
  return r.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace carom
