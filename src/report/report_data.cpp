// The JSON of a report. Long arrays are written by hand with seven digits, which is more than a screen shows
// and keeps the page below 3 MB; all else goes through the JSON library.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files/files.hpp"
#include "records/json_file.hpp"
#include "records/impacts.hpp"
#include "report/base64.hpp"
#include "report/contact_spans.hpp"
#include "report/drawing.hpp"
#include "report/reduce.hpp"
#include "report/report.hpp"
#include "report/sweep_data.hpp"
#include "records/run_records.hpp"
#include "records/summary.hpp"

namespace carom::detail {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string list(const std::vector<double>& numbers) {
  std::string r = "[";
  for (const double x : numbers) {
    if (r.size() > 1) r += ',';
    if (std::isfinite(x))
      fmt::format_to(std::back_inserter(r), "{:.7g}", x);
    else
      r += "null";
  }
  return r + "]";
}
std::string list(const RunSeries::Columns& columns) {
  std::string r = "[";
  for (const auto& column : columns) r += (r.size() > 1 ? "," : "") + list(column);
  return r + "]";
}

// A column that says nothing is left out.
std::string list_unless(bool empty, const std::vector<double>& numbers) {
  return empty ? "null" : list(numbers);
}
bool none_finite(const std::vector<double>& x) {
  return std::none_of(x.begin(), x.end(), [](double a) { return std::isfinite(a); });
}
bool all_zero(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double a) { return a == 0; });
}

std::string series_json(const RunSeries& s) {
  return fmt::format(
      R"({{"t":{},"q":{},"p":{},"H_error":{},"H_low":{},"H_high":{},"shadow_error":{},"discrete_error":{},)"
      R"("momentum_error":{},"gaps":{},"gap_low":{},"work":{},"loss":{},"friction":{},"multipliers":{}}})",
      list(s.t), list(s.q), list(s.p), list(s.H_error), list(s.H_low), list(s.H_high),
      list_unless(none_finite(s.shadow_error), s.shadow_error),
      list_unless(none_finite(s.discrete_error), s.discrete_error), list(s.momentum_error), list(s.gaps),
      list(s.gap_low), list_unless(all_zero(s.work), s.work), list_unless(all_zero(s.loss), s.loss),
      list_unless(all_zero(s.friction), s.friction), list(s.multipliers));
}

// Coordinates as 16-bit fractions of their range.
std::string motion_json(const Motion& m, std::size_t dim) {
  const std::size_t count = dim == 0 ? 0 : m.states.size() / dim;
  std::vector<double> low(dim, 0), high(dim, 0);
  Json data = Json::array();
  for (std::size_t i = 0; i < dim; ++i) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (std::size_t n = 0; n < count; ++n) {
      const double x = m.states[n * dim + i];
      if (std::isfinite(x)) least = std::fmin(least, x), most = std::fmax(most, x);
    }
    if (!(least <= most)) least = most = 0;
    const double range = most > least ? most - least : 1;
    std::string bytes;
    for (std::size_t n = 0; n < count; ++n) {
      const double x = m.states[n * dim + i];
      const auto u = static_cast<unsigned>(std::isfinite(x) ? std::lround((x - least) / range * 65535) : 0);
      bytes += static_cast<char>(u & 0xFF), bytes += static_cast<char>(u >> 8);
    }
    low[i] = least, high[i] = least + range;
    data.push_back(base64(bytes));
  }
  return fmt::format(R"({{"t0":{},"dt":{},"count":{},"low":{},"high":{},"data":{}}})", m.start, m.step, count,
                     list(low), list(high), dumped(data));
}

ImpactRows impacts_of(const fs::path& folder) {
  constexpr std::size_t most = 100000;
  if (fs::exists(folder / "impacts.csv")) return read_impacts(folder / "impacts.csv", most);
  if (fs::exists(folder / "impacts.npy")) return read_live_impacts(folder / "impacts.npy", most);
  return {};
}

// Up to two thousand impacts, evenly chosen among all.
std::string impacts_json(const ImpactRows& impacts, std::vector<std::string>& names) {
  constexpr std::size_t most = 2000;
  const std::size_t stride = impacts.rows.size() / most + 1;
  std::vector<double> t, contact, impulse;
  for (std::size_t i = 0; i < impacts.rows.size(); i += stride) {
    const auto& row = impacts.rows[i];
    const auto known = std::find(names.begin(), names.end(), row.contact);
    contact.push_back(static_cast<double>(known - names.begin()));
    if (known == names.end()) names.push_back(row.contact);
    t.push_back(row.t), impulse.push_back(row.impulse);
  }
  return fmt::format(R"({{"count":{},"t":{},"contact":{},"impulse":{}}})", impacts.total, list(t),
                     list(contact), list(impulse));
}

ChangeRows changes_of(const fs::path& folder) {
  constexpr std::size_t most = 100000;
  if (fs::exists(folder / "contacts.csv")) return read_changes(folder / "contacts.csv", most);
  if (fs::exists(folder / "contacts.npy")) return read_live_changes(folder / "contacts.npy", most);
  return {};
}

std::string contacts_json(const ContactSpans& contacts) {
  if (contacts.spans.empty()) return "null";
  std::vector<double> contact, from, to, settled;
  Json released = Json::array();
  for (const ContactSpan& span : contacts.spans) {
    contact.push_back(static_cast<double>(span.contact)), from.push_back(span.from), to.push_back(span.to);
    settled.push_back(span.settled), released.push_back(span.released);
  }
  return fmt::format(R"({{"names":{},"count":{},"contact":{},"from":{},"to":{},"settled":{},"released":{}}})",
                     dumped(contacts.names), contacts.count, list(contact), list(from), list(to),
                     list(settled), dumped(released));
}

Json number_at(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.is_object() && json.contains(at) ? json.at(at) : Json(nullptr);
}

Json figures_row(const Json& summary, const Json& followed) {
  Json momentum = nullptr;
  if (summary.is_object())
    for (const auto& m : summary["momenta"])
      if (m["max_abs_error"].is_number() && (momentum.is_null() || m["max_abs_error"] > momentum))
        momentum = m["max_abs_error"];
  const Json rate = number_at(summary, "/cost/steps_per_second");
  return {{"energy_error", number_at(summary, "/energy/max_abs_error")},
          {"drift", number_at(summary, "/energy/drift_per_time")},
          {"shadow_error", number_at(summary, "/shadow_energy/max_abs_error")},
          {"momentum_error", momentum},
          {"impacts", number_at(summary, "/impacts/count")},
          {"followed_until", followed},
          {"wall_seconds", number_at(summary, "/cost/wall_seconds")},
          {"microseconds_per_step",
           rate.is_number() && rate > 0 ? Json(1e6 / rate.get<double>()) : Json(nullptr)}};
}

struct RunPart {
  fs::path folder;
  std::string label;
  Json followed = nullptr;
};

// The times of all impacts would be most of the page; impacts_json() has them thinned out.
Json shortened(Json summary) {
  if (summary.is_object()) summary["impacts"].erase("times");
  return summary;
}

std::string run_json(const RunPart& part, std::size_t points, std::size_t frames,
                     std::vector<double>& states) {
  const Json summary = read_json(part.folder / "summary.json");
  const auto source = open_trajectory(part.folder);
  const Motion moving = motion(*source, frames);
  states.insert(states.end(), moving.states.begin(), moving.states.end());
  std::size_t dim = 0;
  for (const Column& column : source->layout().columns)
    if (column.name == "q") dim = column.width;
  std::vector<std::string> contacts;
  const std::string impacts = impacts_json(impacts_of(part.folder), contacts);
  const std::string lasting = contacts_json(contact_spans(changes_of(part.folder), 2000));
  const bool whole = summary.is_object();
  Json head = {
      {"label", part.label.empty() && whole ? summary["method"].get<std::string>() : part.label},
      {"method", whole ? summary["method"] : Json("unknown")},
      {"status", whole ? summary["status"] : Json("stopped")},
      {"reason", whole ? summary["reason"] : Json("the run was cut off; this is what it had recorded")},
      {"warnings", whole ? summary["warnings"] : Json::array()},
      {"summary", shortened(summary)},
      {"row", figures_row(summary, part.followed)},
      {"contact_names", contacts}};
  std::string text = dumped(head);
  text.pop_back();
  return text + fmt::format(R"(,"series":{},"impacts":{},"contacts":{},"motion":{}}})",
                            series_json(reduce(*source, points)), impacts, lasting, motion_json(moving, dim));
}

// The part of a line that lies not far beyond the view, where an endless floor may end.
std::array<double, 4> near_part(const std::array<double, 4>& ends, const std::array<double, 4>& view) {
  const double along[2] = {ends[2] - ends[0], ends[3] - ends[1]};
  double from = 0, to = 1;
  for (std::size_t k = 0; k < 2; ++k) {
    if (along[k] == 0) continue;
    const double low = view[2 * k], high = view[2 * k + 1], reach = 2 * (high - low);
    const double a = (low - reach - ends[k]) / along[k], b = (high + reach - ends[k]) / along[k];
    from = std::fmax(from, std::fmin(a, b)), to = std::fmin(to, std::fmax(a, b));
  }
  if (from > to) from = to = 0;  // out of sight
  return {ends[0] + from * along[0], ends[1] + from * along[1], ends[0] + to * along[0],
          ends[1] + to * along[1]};
}

Json drawing_json(const std::optional<Drawing>& drawing, const std::vector<double>& states, std::size_t dim) {
  if (!drawing) return nullptr;
  const auto view = fitted_view(*drawing, states, dim);
  Json points = Json::object(), ground = Json::array();
  for (const auto& point : drawing->points) points[point.name] = {point.x, point.y};
  for (const auto& g : drawing->ground) {
    Json ends = Json::array();
    for (const double x : near_part(g, view)) ends.push_back(fmt::format("{}", x));
    ground.push_back(ends);
  }
  return {{"view", view},
          {"points", points},
          {"lines", drawing->lines},
          {"circles", drawing->circles},
          {"ground", ground},
          {"boxes", drawing->boxes},
          {"polygons", drawing->polygons},
          {"curves", drawing->curves},
          {"trails", drawing->trails}};
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Folder {
  std::string kind = "run", command = "carom run scenario.toml";
  std::vector<RunPart> runs;
  Json convergence = nullptr;
  std::string sweep = "null";  // JSON
  std::string title = "";      // where it is not the scenario's
  std::string file = "scenario.toml";
};

Folder look_into(const fs::path& folder) {
  Folder r;
  if (const Json comparison = read_json(folder / "comparison.json"); comparison.is_object()) {
    r.kind = "compare", r.command = comparison["command"];
    for (const auto& run : comparison["runs"])
      r.runs.push_back({folder / run["folder"].get<std::string>(), run["label"], run["followed_until"]});
  } else if (const Json study = read_json(folder / "convergence.json"); study.is_object()) {
    r.kind = "converge", r.command = study["command"];
    r.convergence = study["convergence"];
  } else if (fs::exists(folder / "sweep.toml")) {
    if (!fs::exists(folder / "sweep.npz"))
      throw RecordError(folder, "the sweep has not ended; go on with carom sweep --resume");
    r.kind = "sweep", r.command = "carom sweep sweep.toml", r.file = "sweep.toml";
    r.sweep = sweep_json(folder);
    r.title = read_json(folder / "summary.json")["title"];
  } else {
    r.runs.push_back({folder, ""});
  }
  return r;
}

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

}  // namespace

std::string report_data(const fs::path& folder) {
  const Folder what = look_into(folder);
  const Scenario scenario = read_scenario((folder / "scenario.toml").string());
  const Model model = find_model(scenario);
  const std::size_t dim = model.coordinates.size(), runs = std::max<std::size_t>(1, what.runs.size());
  const std::size_t columns = 8 + 2 * dim + 2 * model.contacts.size() + scenario.system.momenta.size();
  const std::size_t points = std::clamp<std::size_t>(130000 / (columns * runs), 200, 2000);
  const std::size_t frames = std::clamp<std::size_t>(400000 / (dim * runs), 500, 60000);

  std::vector<double> states;
  std::string list_of_runs;
  for (const RunPart& part : what.runs)
    list_of_runs += (list_of_runs.empty() ? "" : ",") + run_json(part, points, frames, states);
  Json momenta = Json::array();
  if (!what.runs.empty())
    if (const Json summary = read_json(what.runs[0].folder / "summary.json"); summary.is_object())
      for (const auto& m : summary["momenta"]) momenta.push_back(m["name"]);
  const std::string& title = what.title.empty() ? scenario.title : what.title;
  Json head = {{"schema", 1},
               {"kind", what.kind},
               {"title", title.empty() ? model.name : title},
               {"system", model.name},
               {"scenario", text_of_file(folder / what.file)},
               {"command", what.command},
               {"version", version()},
               {"git", git_revision().empty() ? Json(nullptr) : Json(git_revision())},
               {"machine", machine_description()},
               {"created", now()},
               {"coordinates", model.coordinates},
               {"momenta", momenta},
               {"gaps", model.contacts},
               {"drawing",
                what.runs.empty() ? Json(nullptr) : drawing_json(make_drawing(scenario, model), states, dim)},
               {"convergence", what.convergence}};
  std::string text = dumped(head);
  text.pop_back();
  return text + ",\"sweep\":" + what.sweep + ",\"runs\":[" + list_of_runs + "]}";
}

}  // namespace carom::detail
