// Long arrays are written by hand with seven digits, which is more than a screen shows and keeps the page
// below 3 MB; all else goes through the JSON library.
#include "report/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "records/impacts.hpp"
#include "records/json_file.hpp"
#include "records/run_records.hpp"
#include "report/contact_places.hpp"
#include "report/contact_spans.hpp"
#include "report/pushes.hpp"
#include "report/reduce.hpp"

namespace carom::detail {
namespace fs = std::filesystem;

namespace {

bool none_finite(const std::vector<double>& x) {
  return std::none_of(x.begin(), x.end(), [](double a) { return std::isfinite(a); });
}
bool all_zero(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double a) { return a == 0; });
}

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
// With its extremes where rows were left out between the points; null where it says nothing.
std::string trace_json(const Trace& trace, bool thinned) {
  if (trace.y.empty() || none_finite(trace.y)) return "null";
  if (!thinned) return list(trace.y);
  return fmt::format(R"({{"y":{},"low":{},"high":{}}})", list(trace.y), list(trace.low), list(trace.high));
}
std::string traces_json(const RunSeries::Traces& traces, bool thinned) {
  std::string r = "[";
  for (const Trace& trace : traces) r += (r.size() > 1 ? "," : "") + trace_json(trace, thinned);
  return r + "]";
}
// Of many contacts only those are shown that come nearest, and only forces that act: the page would be
// nothing else.
void leave_out_far(RunSeries& s) {
  constexpr std::size_t most = 60;
  if (s.gaps.size() <= most) return;
  std::vector<std::pair<double, std::size_t>> least;
  for (std::size_t i = 0; i < s.gaps.size(); ++i) {
    double low = HUGE_VAL;
    for (const double x : s.gaps[i].y) low = std::fmin(low, x);
    least.emplace_back(low, i);
  }
  std::stable_sort(least.begin(), least.end());
  for (std::size_t k = most; k < least.size(); ++k) s.gaps[least[k].second] = {};
  for (Trace& force : s.forces)
    if (all_zero(force.y)) force = {};
}

std::string series_json(const RunSeries& s) {
  std::string r = fmt::format(R"({{"t":{})", list(s.t));
  const auto add = [&](const char* name, const std::string& json) {
    r += fmt::format(R"(,"{}":{})", name, json);
  };
  add("q", traces_json(s.q, s.thinned)), add("v", traces_json(s.v, s.thinned)),
      add("p", traces_json(s.p, false));
  add("H_error", trace_json(s.H_error, s.thinned));
  add("shadow_error", trace_json(s.shadow_error, s.thinned));
  add("discrete_error", trace_json(s.discrete_error, s.thinned));
  add("momentum_error", traces_json(s.momentum_error, s.thinned));
  add("gaps", traces_json(s.gaps, s.thinned));
  add("multipliers", traces_json(s.multipliers, s.thinned));
  add("quantities", traces_json(s.quantities, s.thinned));
  const auto acts = [](const Trace& force) { return !all_zero(force.high); };
  if (std::any_of(s.forces.begin(), s.forces.end(), acts)) add("forces", traces_json(s.forces, s.thinned));
  for (const auto& [name, flow] : {std::pair{"work", &s.work}, {"loss", &s.loss}, {"friction", &s.friction}})
    if (!all_zero(flow->y)) add(name, trace_json(*flow, s.thinned));
  add("remainder", trace_json(s.remainder, s.thinned));
  return r + "}";
}

ImpactRows impacts_of(const fs::path& folder) {
  constexpr std::size_t most = 100000;
  if (fs::exists(folder / "impacts.csv")) return read_impacts(folder / "impacts.csv", most);
  if (fs::exists(folder / "impacts.npy")) return read_live_impacts(folder / "impacts.npy", most);
  return {};
}

// How far each coordinate gets, or how large it is where it rests; 1 for one that is always zero.
std::vector<double> reaches(const std::vector<double>& states, std::size_t dim) {
  std::vector<double> low(dim, HUGE_VAL), high(dim, -HUGE_VAL);
  for (std::size_t n = 0; n < states.size(); ++n)
    low[n % dim] = std::fmin(low[n % dim], states[n]), high[n % dim] = std::fmax(high[n % dim], states[n]);
  std::vector<double> r(dim, 1);
  for (std::size_t i = 0; i < dim; ++i)
    for (const double size : {std::fmax(std::abs(low[i]), std::abs(high[i])), high[i] - low[i]})
      if (std::isfinite(size) && size > 0) r[i] = size;
  return r;
}

// None where nothing is drawn.
std::unique_ptr<DrawnPlaces> places_in(const PageOfRuns& page, const Motion& moving, std::size_t dim) {
  if (dim == 0) return nullptr;
  const auto system = [&] { return page.model.system ? page.model.system(page.scenario) : nullptr; };
  if (page.space) return places_in_space(*page.space, system());
  if (!page.drawing) return nullptr;
  const auto view = fitted_view(*page.drawing, moving.states, dim);
  return places_in_plane(ContactPlaces(*page.drawing, system(), reaches(moving.states, dim),
                                       std::fmax(view[1] - view[0], view[3] - view[2])));
}

// The coordinates of each contact of an impact, one after the other.
std::string places_json(const ImpactRow& row, DrawnPlaces* places) {
  if (!places) return "[]";
  std::vector<double> impulse(row.q.size()), where;
  for (std::size_t i = 0; i < impulse.size(); ++i) impulse[i] = row.p_after[i] - row.p_before[i];
  places->add_impact(row.t, row.q, impulse, row.contact, where);
  return list(where);
}

// Up to two thousand impacts, evenly chosen among all.
std::string impacts_json(const ImpactRows& impacts, DrawnPlaces* places, std::vector<std::string>& names) {
  constexpr std::size_t most = 2000;
  const std::size_t stride = impacts.rows.size() / most + 1;
  std::vector<double> t, contact, impulse;
  std::string where;
  for (std::size_t i = 0; i < impacts.rows.size(); i += stride) {
    const auto& row = impacts.rows[i];
    const auto known = std::find(names.begin(), names.end(), row.contact);
    contact.push_back(static_cast<double>(known - names.begin()));
    if (known == names.end()) names.push_back(row.contact);
    t.push_back(row.t), impulse.push_back(row.impulse);
    where += (i > 0 ? "," : "") + places_json(row, places);
  }
  return fmt::format(R"({{"count":{},"t":{},"contact":{},"impulse":{},"places":[{}]}})", impacts.total,
                     list(t), list(contact), list(impulse), where);
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
  Json released = Json::array(), slides = Json::array();
  for (const ContactSpan& span : contacts.spans) {
    contact.push_back(static_cast<double>(span.contact)), from.push_back(span.from), to.push_back(span.to);
    settled.push_back(span.settled), released.push_back(span.released);
    slides.push_back(span.slides);
  }
  return fmt::format(
      R"({{"names":{},"count":{},"contact":{},"from":{},"to":{},"settled":{},"released":{},"slides":{}}})",
      dumped(contacts.names), contacts.count, list(contact), list(from), list(to), list(settled),
      dumped(released), dumped(slides));
}

Json number_at(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.is_object() && json.contains(at) ? json.at(at) : Json(nullptr);
}

// Forces, friction or losses change the energy: what they do not explain is the error.
bool is_open(const Json& summary) {
  const Json lossy = number_at(summary, "/energy/lossy");
  if (lossy.is_boolean() && lossy.get<bool>()) return true;
  for (const char* flow : {"/energy/work", "/energy/friction"})
    if (const Json x = number_at(summary, flow); x.is_number() && x != 0) return true;
  return false;
}

Json figures_row(const Json& summary, const Json& followed) {
  Json momentum = nullptr;
  if (summary.is_object())
    for (const auto& m : summary["momenta"])
      if (m["max_abs_error"].is_number() && (momentum.is_null() || m["max_abs_error"] > momentum))
        momentum = m["max_abs_error"];
  const Json rate = number_at(summary, "/cost/steps_per_second");
  const bool changes = is_open(summary);
  const Json remainder = number_at(summary, "/energy/remainder");
  return {{"energy_error", !changes                ? number_at(summary, "/energy/max_abs_error")
                           : remainder.is_number() ? Json(std::abs(remainder.get<double>()))
                                                   : Json(nullptr)},
          {"drift", changes ? Json(nullptr) : number_at(summary, "/energy/drift_per_time")},
          {"shadow_error", number_at(summary, "/shadow_energy/max_abs_error")},
          {"momentum_error", momentum},
          {"impacts", number_at(summary, "/impacts/count")},
          {"followed_until", followed},
          {"wall_seconds", number_at(summary, "/cost/wall_seconds")},
          {"microseconds_per_step",
           rate.is_number() && rate > 0 ? Json(1e6 / rate.get<double>()) : Json(nullptr)}};
}

// The times of all impacts would be most of the page; impacts_json() has them thinned out.
Json shortened(Json summary) {
  if (summary.is_object()) summary["impacts"].erase("times");
  return summary;
}

}  // namespace

std::string run_json(const RunPart& part, const PageOfRuns& page, Shown& shown) {
  const Json summary = read_json(part.folder / "summary.json");
  const auto source = open_trajectory(part.folder);
  const Motion moving = motion(*source, page.frames);
  std::size_t dim = 0;
  for (const Column& column : source->layout().columns)
    if (column.name == "q") dim = column.width;
  shown.add(moving, dim);
  std::vector<std::string> contacts;
  const std::string pushes = pushes_json(*source, places_in(page, moving, dim).get());
  const std::string impacts =
      impacts_json(impacts_of(part.folder), places_in(page, moving, dim).get(), contacts);
  const std::string lasting = contacts_json(contact_spans(changes_of(part.folder), 2000));
  const bool whole = summary.is_object();
  Json head = {
      {"label", part.label.empty() && whole ? summary["method"].get<std::string>() : part.label},
      {"method", whole ? summary["method"] : Json("unknown")},
      {"method_in_words", summary.is_object() ? summary.value("method_in_words", "") : ""},
      {"status", whole ? summary["status"] : Json("stopped")},
      {"reason", whole ? summary["reason"] : Json("the run was cut off; this is what it had recorded")},
      {"warnings", whole ? summary["warnings"] : Json::array()},
      {"summary", shortened(summary)},
      {"row", figures_row(summary, part.followed)},
      {"contact_names", contacts}};
  RunSeries series = reduce(*source, page.points, page.quantities);
  leave_out_far(series);
  std::string text = dumped(head);
  text.pop_back();
  return text + fmt::format(R"(,"series":{},"impacts":{},"contacts":{},"pushes":{},"motion":{}}})",
                            series_json(series), impacts, lasting, pushes, motion_json(moving, dim));
}

}  // namespace carom::detail
