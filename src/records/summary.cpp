#include "records/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "git_revision.hpp"
#include "records/energy_words.hpp"

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

Json list_of(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double x : numbers) list.push_back(number(x));
  return list;
}

Json by_name(const std::vector<std::string>& names, const std::vector<double>& numbers) {
  Json r = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) r[names[i]] = number(numbers[i]);
  return r;
}

Json quantities_json(const RunResult& r) {
  Json table = Json::object();
  for (const QuantityRange& x : r.quantities)
    table[x.name] = {{"initial", number(x.initial)},
                     {"final", number(x.final)},
                     {"min", number(x.min)},
                     {"max", number(x.max)}};
  return table;
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
  j["method_in_words"] = r.method_in_words;
  j["command"] = r.command.empty() ? Json(nullptr) : Json(r.command);
  j["order"] = r.order;
  j["formulas"] = formulas.empty() ? Json(nullptr) : Json(formulas);
  j["version"] = version();
  j["git"] = git_revision().empty() ? Json(nullptr) : Json(git_revision());
  j["seed"] = scenario.seed;
  j["time"] = {{"start", r.grid.start}, {"end", r.t}, {"step", r.grid.step}, {"steps", r.steps}};
  j["final"] = {{"t", r.t}, {"q", r.q}, {"v", list_of(r.v)}, {"p", r.p}};
  j["final"]["coordinates"] = by_name(r.coordinates, r.q);
  j["final"]["velocities"] = by_name(r.coordinates, r.v);
  j["final"]["momenta"] = by_name(r.coordinates, r.p);
  j["quantities"] = quantities_json(r);
  j["impacts"] = {{"count", r.impacts}, {"times", impact_times}};
  j["contacts"] = contacts_json(r.contacts);
  j["energy"] = {{"initial", number(r.energy.initial)},
                 {"final", number(r.energy.final)},
                 {"max_abs_error", number(r.energy.max_abs_error)},
                 {"drift_per_time", number(r.drift_per_time)},
                 {"work", number(r.work)},
                 {"friction", number(r.friction)},
                 {"loss", number(r.loss)},
                 {"lossy", r.lossy},
                 {"remainder", number(r.remainder)},
                 {"in_words", energy_in_words(r)}};
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
