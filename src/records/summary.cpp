#include "records/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "git_revision.hpp"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json momenta_json(const RunResult& r) {
  Json list = Json::array();
  for (const auto& momentum : r.momenta)
    list.push_back({{"name", momentum.name},
                    {"initial", number(momentum.initial)},
                    {"max_abs_error", number(momentum.max_abs_error)}});
  return list;
}

Json shadow_json(const RunResult& r) {
  if (!r.shadow) return nullptr;
  return {{"initial", number(r.shadow->energy.initial)},
          {"max_abs_error", number(r.shadow->energy.max_abs_error)},
          {"order", r.shadow->order}};
}

// Null where no contact ever lasted.
Json contacts_json(const LastingContacts& c) {
  if (c.begun == 0 && c.released == 0) return nullptr;
  return {{"begun", c.begun},
          {"released", c.released},
          {"lasting", c.at_end},
          {"rest", c.rest ? number(*c.rest) : Json(nullptr)}};
}

}  // namespace

std::string version() { return CAROM_VERSION; }
std::string git_revision() { return CAROM_GIT_REVISION; }

std::string summary_json(const Scenario& scenario, const RunResult& r, const std::string& formulas,
                         const std::vector<double>& impact_times) {
  const double rate = r.stepping_seconds > 0 ? static_cast<double>(r.timed_steps) / r.stepping_seconds : NAN;
  Json j;
  j["schema_version"] = summary_schema_version;
  j["status"] = r.status;
  j["reason"] = r.reason.empty() ? Json(nullptr) : Json(r.reason);
  j["ended_by"] = r.ended_by.empty() ? Json(nullptr) : Json(r.ended_by);
  j["warnings"] = r.warnings;
  j["title"] = scenario.title;
  j["system"] = r.system;
  j["method"] = r.method;
  j["order"] = r.order;
  j["formulas"] = formulas.empty() ? Json(nullptr) : Json(formulas);
  j["version"] = version();
  j["git"] = git_revision().empty() ? Json(nullptr) : Json(git_revision());
  j["seed"] = scenario.seed;
  j["time"] = {{"start", r.grid.start}, {"end", r.t}, {"step", r.grid.step}, {"steps", r.steps}};
  j["final"] = {{"t", r.t}, {"q", r.q}, {"p", r.p}};
  j["impacts"] = {{"count", r.impacts}, {"times", impact_times}};
  j["contacts"] = contacts_json(r.contacts);
  j["energy"] = {{"initial", number(r.energy.initial)},
                 {"final", number(r.energy.final)},
                 {"max_abs_error", number(r.energy.max_abs_error)},
                 {"drift_per_time", number(r.drift_per_time)},
                 {"work", number(r.work)},
                 {"friction", number(r.friction)},
                 {"loss", number(r.loss)},
                 {"remainder", number(r.remainder)}};
  j["shadow_energy"] = shadow_json(r);
  j["momenta"] = momenta_json(r);
  j["gap"] = {{"min", r.smallest_gap ? number(*r.smallest_gap) : Json(nullptr)}};
  j["joints"] = r.largest_joint ? Json{{"max_abs", number(*r.largest_joint)}} : Json(nullptr);
  j["cost"] = {{"wall_seconds", r.wall_seconds},
               {"steps_per_second", number(rate)},
               {"newton_iterations", r.newton_iterations},
               {"impact_solves", r.impact_solves},
               {"fallbacks", r.fallbacks}};
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace carom
