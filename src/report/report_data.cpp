// The JSON of a report: what a folder holds, and how its system is drawn. The runs in it are run_data.cpp's.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <fstream>

#include "files/files.hpp"
#include "records/json_file.hpp"
#include "records/summary.hpp"
#include "report/report.hpp"
#include "report/results_data.hpp"
#include "report/run_data.hpp"
#include "report/sweep_data.hpp"

namespace carom::detail {
namespace fs = std::filesystem;

namespace {

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
  std::string kind = "run";
  Json command = nullptr;  // that was given; none where the run was cut off before it could say
  std::vector<RunPart> runs;
  Json convergence = nullptr, results = nullptr;
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
  } else if (const std::string kind = kind_of_results(folder); !kind.empty()) {
    const Json results = read_json(folder / (kind + ".json"));
    r.kind = kind, r.command = results.value("command", Json(nullptr));
    r.results = results_json(folder, results);
  } else if (fs::exists(folder / "sweep.toml")) {
    if (!fs::exists(folder / "sweep.npz"))
      throw RecordError(folder, "the sweep has not ended; go on with carom sweep --resume");
    const Json summary = read_json(folder / "summary.json");
    r.kind = "sweep", r.command = summary.value("command", Json(nullptr)), r.file = "sweep.toml";
    r.sweep = sweep_json(folder);
    r.title = summary["title"];
  } else {
    r.runs.push_back({folder, ""});
    if (const Json summary = read_json(folder / "summary.json"); summary.is_object())
      r.command = summary.value("command", Json(nullptr));
  }
  return r;
}

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

}  // namespace

PageData report_data(const fs::path& folder) {
  const Folder what = look_into(folder);
  const Scenario scenario = read_scenario((folder / "scenario.toml").string());
  const Model model = find_model(scenario);
  const std::size_t dim = model.coordinates.size(), runs = std::max<std::size_t>(1, what.runs.size());
  std::vector<std::string> quantities;
  for (const auto& [name, formula] : scenario.output.quantities) quantities.push_back(name);
  // A column with its extremes is three; momenta have none.
  const std::size_t columns =
      3 * (7 + 2 * dim + 2 * model.contacts.size() + scenario.system.momenta.size() + quantities.size()) +
      dim;
  const bool drawn = !what.runs.empty();
  const std::optional<SpaceView> space = drawn && scenario.draw.empty() ? space_view(scenario) : std::nullopt;
  const PageOfRuns page{.scenario = scenario,
                        .model = model,
                        .drawing = drawn && !space ? make_drawing(scenario, model) : std::nullopt,
                        .space = space ? &*space : nullptr,
                        .quantities = quantities,
                        .points = std::clamp<std::size_t>(130000 / (columns * runs), 200, 2000),
                        .frames = std::clamp<std::size_t>(400000 / (dim * runs), 500, 60000)};
  Shown shown;
  std::string list_of_runs;
  for (const RunPart& part : what.runs)
    list_of_runs += (list_of_runs.empty() ? "" : ",") + run_json(part, page, shown);
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
               {"quantities", quantities},
               {"drawing", drawing_json(page.drawing, shown.states, dim)},
               {"convergence", what.convergence},
               {"results", what.results}};
  std::string text = dumped(head);
  text.pop_back();
  if (space) text += ",\"space\":" + space_json(*space, shown);
  return {text + ",\"sweep\":" + what.sweep + ",\"runs\":[" + list_of_runs + "]}", space.has_value()};
}

}  // namespace carom::detail
