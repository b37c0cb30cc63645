#include "sweep/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "records/layouts.hpp"
#include "records/names.hpp"
#include "scenario/scenario_keys.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

// The names of a dotted key; one in quotes may have dots of its own.
std::vector<std::string> split(const std::string& key) {
  std::vector<std::string> path(1);
  bool quoted = false;
  for (const char c : key)
    if (c == '"')
      quoted = !quoted;
    else if (c == '.' && !quoted)
      path.emplace_back();
    else
      path.back() += c;
  return path;
}

std::vector<double> drawn_numbers(const Sampling& sample, const Drawn& drawn, std::size_t key) {
  const auto seed = static_cast<std::uint64_t>(sample.seed);
  const HaltonAxis halton(seed, key);
  std::vector<double> r(sample.count);
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double u = sample.kind == "halton" ? halton(i) : random_coordinate(seed, i, key);
    r[i] = drawn.normal ? drawn.a + drawn.b * normal_quantile(u) : drawn.a + u * (drawn.b - drawn.a);
  }
  return r;
}

bool is_index(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

bool is_start_element(const std::vector<std::string>& path) {
  return path.size() == 3 && path[0] == "initial" && is_index(path[2]);
}

// Keys of bodies, joints, contacts and forces.
bool is_of_scene(const std::vector<std::string>& path) {
  static const std::array tables = {"world", "shape", "body", "joint", "contact", "force"};
  return std::find(tables.begin(), tables.end(), path[0]) != tables.end();
}

// What a scenario has for a key, where that is a number.
std::optional<double> stated_number(Scenario scenario, const std::vector<std::string>& path) {
  if (path.size() == 3 && path[0] == "system" && path[1] == "parameters") {
    const auto own = scenario.system.parameters.find(path[2]);
    if (own != scenario.system.parameters.end() && std::holds_alternative<double>(own->second))
      return std::get<double>(own->second);
    for (const ParameterInfo& parameter : find_model(scenario).parameters)
      if (parameter.name == path[2] && parameter.word.empty()) return parameter.value;
  }
  for (const detail::Key& key : detail::scenario_keys()) {
    if (path.size() < 2 || key.name != path[0] + "." + path[1]) continue;
    const detail::Field field = key.field(scenario);
    if (const auto* number = std::get_if<double*>(&field); number && path.size() == 2) return **number;
    if (const auto* number = std::get_if<std::optional<double>*>(&field); number && path.size() == 2)
      return **number;
    const auto* list = std::get_if<std::optional<std::vector<double>>*>(&field);
    if (list && **list && is_start_element(path) && std::stoul(path[2]) < (**list)->size())
      return (**list)->at(std::stoul(path[2]));
  }
  return std::nullopt;
}

std::vector<std::string> parts_of(const Layout& layout, const std::string& column) {
  for (const Column& c : layout.columns)
    if (c.name == column) return c.parts;
  return {};
}

// "title" and how a run is written or drawn change no number of it.
bool varies_nothing(const std::string& key) {
  return key == "title" || key == "seed" || key.starts_with("output.") || key.starts_with("draw.");
}

bool is_restitution(const std::vector<std::string>& path) {
  return path.size() == 4 && path[0] == "system" && path[1] == "contacts" && path[3] == "restitution";
}

// A system that has its size from its parameters is made anew for each of them, and so is one in formulas.
bool takes_parameters_at_the_run(const SystemSpec& system) {
  if (system.in_formulas()) return false;
  const auto& all = built_in_models();
  return std::any_of(all.begin(), all.end(),
                     [&](const Model& m) { return m.name == system.name && !m.specialise; });
}

}  // namespace

Members::Members(Sweep sweep, Scenario scenario) : sweep_(std::move(sweep)), scenario_(std::move(scenario)) {
  add_changes();
  for (const std::size_t n : shape_) size_ *= n;
  const Layout layout = layout_of_runs();
  choose_fields(layout);
  choose_series(layout);
}

void Members::add_changes() {
  for (const GridAxis& axis : sweep_.grid) {
    for (const Varied& v : axis.keys) add({v.key, split(v.key), shape_.size(), v.values}, "grid.");
    shape_.push_back(axis.size());
  }
  for (std::size_t k = 0; k < sweep_.sample.keys.size(); ++k) {
    const Drawn drawn = around_own(sweep_.sample.keys[k]);
    draws_.push_back(drawn_numbers(sweep_.sample, drawn, k));
    add({drawn.key, split(drawn.key), shape_.size(), {}, k}, "sample.");
  }
  if (!draws_.empty()) shape_.push_back(sweep_.sample.count);
}

// The key stands in the file quoted, or dotted as it is.
std::string Members::place_of(const std::string& key, const std::string& table) const {
  const std::string quoted = table + detail::key_part(key);
  return sweep_.source.places.contains(quoted) ? quoted : table + key;
}

// `within` as from and to.
Drawn Members::around_own(Drawn drawn) const {
  if (!drawn.around) return drawn;
  const auto own = stated_number(scenario_, split(drawn.key));
  if (!own || *own == 0)
    sweep_.reject(place_of(drawn.key, "sample."), "",
                  own ? "is 0 in the scenario, and a share of that is nothing; give from and to"
                      : "is no number that the scenario has; give from and to");
  const double reach = drawn.b * std::abs(*own);
  drawn.a = *own - reach, drawn.b = *own + reach;
  return drawn;
}

void Members::add(Change change, const std::string& table) {
  const std::string place = place_of(change.key, table);
  if (varies_nothing(change.key)) sweep_.reject(place, "", "changes nothing that a sweep keeps");
  for (const Change& other : changes_)
    if (other.key == change.key) sweep_.reject(place, "", "varies twice, in [grid] and [sample]");
  check_values(change, place);
  const Model model = find_model(scenario_);
  check_parameter(change, place, model);
  const bool parameter = change.key.starts_with("system.parameters.");
  if (change.path.size() > 2 && !parameter && !is_start_element(change.path) &&
      !is_restitution(change.path) && !is_of_scene(change.path))
    sweep_.reject(place, "",
                  "cannot vary; numbers, words, elements of initial.q, v, p and psi, restitutions of "
                  "contacts and keys of bodies can");
  change.light =
      is_start_element(change.path) || (parameter && takes_parameters_at_the_run(scenario_.system));
  changes_.push_back(std::move(change));
}

// By the reader of scenarios, as if each value came from --set; its complaints are made to point at the sweep
// file.
void Members::check_values(const Change& change, const std::string& place) const {
  std::vector<detail::Value> some = change.values;
  const auto is_number = [](const detail::Value& v) { return v.data.index() >= 3; };
  if (some.size() > 2 && std::all_of(some.begin(), some.end(), is_number)) some = {some.front(), some.back()};
  if (some.empty()) some = {{draws_[change.drawn].front()}};
  const std::string text = to_toml(scenario_);
  for (const detail::Value& value : some) {
    const std::string assignment = change.key + "=" + detail::text_of(value);
    try {
      parse_scenario(text, "scenario.toml", {assignment});
    } catch (const ScenarioError& e) {
      const std::string what = e.what(), mark = "--set " + detail::clipped(assignment) + ": ";
      if (!what.starts_with(mark))
        continue;  // does not fit another key, which may vary too: a member's own trouble
      const auto found = sweep_.source.places.find(place);
      ScenarioError error((found == sweep_.source.places.end() ? sweep_.source.file : found->second) + ": " +
                          what.substr(mark.size()));
      error.key = e.key, error.value = e.value, error.why = e.why;
      throw error;
    }
  }
}

void Members::check_parameter(const Change& change, const std::string& place, const Model& model) const {
  if (!change.key.starts_with("system.parameters.")) return;
  std::vector<std::string> known;
  for (const ParameterInfo& parameter : model.parameters) known.push_back(parameter.name);
  if (scenario_.system.in_formulas())
    for (const auto& [name, value] : scenario_.system.parameters) known.push_back(name);
  const std::string& name = change.path.back();
  if (std::find(known.begin(), known.end(), name) == known.end())
    sweep_.reject(place, "",
                  fmt::format("the system \"{}\" has no parameter \"{}\"{}", model.name, name,
                              suggestion(name, known)));
}

// Of the first member; where that one cannot start, of the scenario itself.
Layout Members::layout_of_runs() const {
  const std::string text = to_toml(scenario_);
  try {
    return layouts_of(parse_scenario(text, "scenario.toml", overrides(0))).rows;
  } catch (const ScenarioError&) {
    return layouts_of(scenario_).rows;
  }
}

void Members::choose_fields(const Layout& layout) {
  const std::vector<RunField> all =
      run_fields({parts_of(layout, "q"), parts_of(layout, "momenta").size(), parts_of(layout, "quantities")});
  std::vector<std::string> known;
  for (const RunField& field : all) known.push_back(field.name);
  for (const std::string& name : sweep_.fields) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (name == "cost.wall_seconds" || name == "cost.steps_per_second")
      sweep_.reject("fields", detail::quoted(name), "is a time, which differs whenever it is measured");
    if (found == known.end())
      sweep_.reject("fields", detail::quoted(name), "unknown field" + suggestion(name, known));
    fields_.push_back(all[static_cast<std::size_t>(found - known.begin())]);
    recorded_ = recorded_ || fields_.back().of_record;
  }
}

void Members::choose_series(const Layout& layout) {
  if (sweep_.series.empty()) return;
  recorded_ = true;
  for (const std::string& name : sweep_.series)
    if (name == "status" || name == "quantiles")
      sweep_.reject("series", detail::quoted(name),
                    "is another array of sweep.npz; write \"quantities." + name + "\"");
    else if (name == "t" || !column_of(layout, name))
      sweep_.reject("series", detail::quoted(name),
                    "unknown series" + suggestion(name, number_names(layout)));
  for (const Change& change : changes_)
    if (change.key == "time.start" || change.key == "time.step" || change.key == "time.end")
      sweep_.reject("series", "",
                    fmt::format("all runs must have the same times, and {} varies", change.key));
  const TimeSpec& time = scenario_.time;
  if (!time.end)
    sweep_.reject("series", "", "all runs must have the same times: the scenario needs time.end");
  for (std::int64_t n = 0; n <= time.steps(); n += scenario_.output.every)
    times_.push_back(time.start + static_cast<double>(n) * time.step);
}

void Members::locate(std::size_t member, std::vector<std::size_t>& place) const {
  place.resize(shape_.size());
  for (std::size_t axis = shape_.size(); axis-- > 0; member /= shape_[axis])
    place[axis] = member % shape_[axis];
}

detail::Value Members::value(const Change& change, std::span<const std::size_t> place) const {
  const std::size_t i = place[change.axis];
  return change.values.empty() ? detail::Value{draws_[change.drawn][i]} : change.values[i];
}

std::vector<std::string> Members::overrides(std::size_t member) const {
  std::vector<std::size_t> place;
  locate(member, place);
  std::vector<std::string> r;
  for (const Change& change : changes_) r.push_back(change.key + "=" + detail::text_of(value(change, place)));
  return r;
}

}  // namespace carom
