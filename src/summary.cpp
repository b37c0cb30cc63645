#include "summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "git_revision.hpp"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json last_row(const std::vector<double>& columns, std::size_t width) {
  return Json(std::vector<double>(columns.end() - static_cast<std::ptrdiff_t>(width), columns.end()));
}

Json momenta_json(const RunResult& r) {
  Json list = Json::array();
  for (const auto& momentum : r.momenta)
    list.push_back({{"name", momentum.name},
                    {"initial", number(momentum.initial)},
                    {"max_abs_error", number(momentum.max_abs_error)}});
  return list;
}

Json impacts_json(const RunResult& r) {
  constexpr std::size_t most_times = 10000;
  std::vector<double> times;
  for (std::size_t i = 0; i < std::min(most_times, r.impacts.size()); ++i) times.push_back(r.impacts[i].t);
  return {{"count", r.impacts.size()}, {"times", times}};
}

Json shadow_json(const RunResult& r) {
  if (!r.shadow) return nullptr;
  return {{"initial", number(r.shadow->energy.initial)},
          {"max_abs_error", number(r.shadow->energy.max_abs_error)},
          {"order", r.shadow->order}};
}

}  // namespace

std::string version() { return CAROM_VERSION; }
std::string git_revision() { return CAROM_GIT_REVISION; }

std::string summary_json(const Scenario& scenario, const RunResult& r) {
  const auto& rows = r.trajectory;
  const double rate = r.stepping_seconds > 0 ? static_cast<double>(r.steps) / r.stepping_seconds : NAN;
  Json j;
  j["schema_version"] = summary_schema_version;
  j["status"] = r.status;
  j["reason"] = r.reason.empty() ? Json(nullptr) : Json(r.reason);
  j["warnings"] = r.warnings;
  j["title"] = scenario.title;
  j["system"] = r.system;
  j["method"] = r.method;
  j["order"] = r.order;
  j["version"] = version();
  j["git"] = git_revision().empty() ? Json(nullptr) : Json(git_revision());
  j["seed"] = scenario.seed;
  j["time"] = {{"start", r.grid.start}, {"end", rows.t.back()}, {"step", r.grid.step}, {"steps", r.steps}};
  j["final"] = {{"t", rows.t.back()}, {"q", last_row(rows.q, rows.dim)}, {"p", last_row(rows.p, rows.dim)}};
  j["impacts"] = impacts_json(r);
  j["energy"] = {{"initial", number(r.energy.initial)},
                 {"final", number(r.energy.final)},
                 {"max_abs_error", number(r.energy.max_abs_error)},
                 {"drift_per_time", number(r.drift_per_time)}};
  j["shadow_energy"] = shadow_json(r);
  j["momenta"] = momenta_json(r);
  j["gap"] = {{"min", r.smallest_gap ? number(*r.smallest_gap) : Json(nullptr)}};
  j["joints"] = nullptr;
  j["cost"] = {{"wall_seconds", r.wall_seconds},
               {"steps_per_second", number(rate)},
               {"newton_iterations", r.newton_iterations},
               {"impact_solves", r.impact_solves},
               {"fallbacks", r.fallbacks}};
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace carom
