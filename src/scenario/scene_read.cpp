// Puts the entries of a scene's tables into their fields, or refuses them by key.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/scene_keys.hpp"
#include "scenario/suggest.hpp"

namespace carom::detail {
namespace {

constexpr std::size_t most_in_scene = 100'000;  // bodies, joints, forces

using SceneArray = std::vector<Value>;

// Called with each kind of field by std::visit.
struct SceneReader {
  const Scenario& scenario;
  const Entry& entry;

  [[noreturn]] void refuse(const std::string& why) const {
    scenario.reject(entry.key, text_of(entry.value), why);
  }

  const SceneArray& array(const Value& value, const char* of_what) const {
    const auto* values = std::get_if<SceneArray>(&value.data);
    if (values == nullptr || values->empty()) refuse(fmt::format("must be an array of {}", of_what));
    return *values;
  }
  StatedNumber number(const Value& value) const {
    if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
    if (!std::holds_alternative<std::int64_t>(value.data) && !std::holds_alternative<double>(value.data))
      refuse("must be a number, or a formula of parameters");
    const double x = number_of(value);
    if (!std::isfinite(x)) refuse("must be finite");
    return x;
  }
  StatedNumbers numbers(const Value& value) const {
    StatedNumbers r;
    for (const Value& each : array(value, "numbers")) r.push_back(number(each));
    return r;
  }
  StatedWords words(const Value& value) const {
    StatedWords r;
    for (const Value& each : array(value, "strings")) {
      const auto* text = std::get_if<std::string>(&each.data);
      const bool is_number =
          std::holds_alternative<std::int64_t>(each.data) || std::holds_alternative<double>(each.data);
      if (text == nullptr && !is_number) refuse("must be an array of strings");
      r.push_back(text ? *text : text_of(each));
    }
    return r;
  }

  void operator()(std::optional<std::string>* field) const {
    if (const auto* text = std::get_if<std::string>(&entry.value.data)) {
      *field = *text;
    } else if (std::holds_alternative<std::int64_t>(entry.value.data) ||
               std::holds_alternative<double>(entry.value.data)) {
      *field = text_of(entry.value);
    } else {
      refuse("must be a string, in quotes");
    }
  }
  void operator()(std::optional<int>* field) const {
    const auto* whole = std::get_if<std::int64_t>(&entry.value.data);
    if (whole == nullptr || *whole < 1 || *whole > static_cast<std::int64_t>(most_in_scene))
      refuse(fmt::format("must be a whole number from 1 to {}", most_in_scene));
    *field = static_cast<int>(*whole);
  }
  void operator()(std::optional<StatedNumber>* field) const { *field = number(entry.value); }
  void operator()(std::optional<StatedNumbers>* field) const { *field = numbers(entry.value); }
  void operator()(std::optional<StatedMany>* field) const {
    const bool is_array = std::holds_alternative<SceneArray>(entry.value.data);
    *field = StatedMany{is_array ? numbers(entry.value) : StatedNumbers{number(entry.value)}};
  }
  void operator()(std::optional<StatedRows>* field) const {
    const auto& rows = array(entry.value, "points [x, y]");
    StatedRows r;
    if (!std::holds_alternative<SceneArray>(rows[0].data))
      r.push_back(numbers(entry.value));
    else
      for (const Value& row : rows) r.push_back(numbers(row));
    *field = r;
  }
  void operator()(std::optional<StatedWords>* field) const { *field = words(entry.value); }
  void operator()(std::optional<std::vector<StatedWords>>* field) const {
    std::vector<StatedWords> r;
    for (const Value& row : array(entry.value, "pairs of names")) r.push_back(words(row));
    *field = r;
  }
  void operator()(ShapeSpec* field) const {  // its keys come one by one
    if (const auto* text = std::get_if<std::string>(&entry.value.data))
      field->name = *text;
    else
      refuse("must be a shape, such as { ball = 0.5 }, or the name of one");
  }
};

template <class T>
void set_in(T& table, std::size_t depth, const Entry& entry, const Scenario& scenario) {
  const SceneReader reader{scenario, entry};
  if (entry.path.size() == depth) {
    if (!std::holds_alternative<Table>(entry.value.data)) reader.refuse("must be a table");
    return;
  }
  std::vector<std::string> names;
  for (const auto& key : scene_keys<T>) {
    names.emplace_back(key.name);
    if (key.name != entry.path[depth]) continue;
    if (entry.path.size() > depth + 1) reader.refuse("is no table");
    return std::visit(reader, key.field(table));
  }
  scenario.reject(entry.key, text_of(entry.value), "unknown key" + suggestion(entry.path[depth], names));
}

bool is_number_word(const std::string& text) {
  return !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos;
}

// The element of an array of tables that the path names at `depth`: by its number, or by its name.
template <class T>
T& element(std::vector<T>& list, std::size_t depth, const Entry& entry, const Scenario& scenario) {
  const std::string table =
      dotted({entry.path.begin(), entry.path.begin() + static_cast<std::ptrdiff_t>(depth)});
  const auto refuse = [&](const std::string& why) { scenario.reject(entry.key, text_of(entry.value), why); };
  if (entry.path.size() <= depth) refuse(fmt::format("must be an array of tables, [[{}]]", table));
  const std::string& name = entry.path[depth];
  if (is_number_word(name)) {
    const auto k = static_cast<std::size_t>(std::stoul(name));
    if (k > list.size())
      refuse(fmt::format("there are {} of {}, the first is {}.0", list.size(), table, table));
    if (k == list.size()) list.emplace_back();
    return list[k];
  }
  if constexpr (requires(T & x) { x.name; })
    for (T& known : list)
      if (known.name == name) return known;
  refuse(fmt::format("must stand in an array of tables, [[{}]]; none has the name {}", table,
                     detail::quoted(name)));
  return list.front();
}

void set_shape(ShapeSpec& shape, std::size_t depth, const Entry& entry, const Scenario& scenario) {
  if (entry.path.size() == depth && !std::holds_alternative<Table>(entry.value.data))
    return SceneReader{scenario, entry}(&shape);
  if (entry.path.size() > depth && entry.path[depth] == "compound") {
    if (depth > 8) SceneReader{scenario, entry}.refuse("lies too deep");
    return set_shape(element(shape.compound, depth + 1, entry, scenario), depth + 2, entry, scenario);
  }
  set_in(shape, depth, entry, scenario);
}

void set_body(const Entry& entry, Scenario& scenario) {
  BodySpec& body = element(scenario.scene.bodies, 1, entry, scenario);
  if (entry.path.size() > 2 && entry.path[2] == "shape") return set_shape(body.shape, 3, entry, scenario);
  set_in(body, 2, entry, scenario);
}

void set_named_shape(const Entry& entry, Scenario& scenario) {
  if (entry.path.size() == 1) {
    if (!std::holds_alternative<Table>(entry.value.data))
      SceneReader{scenario, entry}.refuse("must be a table of shapes");
    return;
  }
  auto& shapes = scenario.scene.shapes;
  auto known = std::find_if(shapes.begin(), shapes.end(),
                            [&](const auto& each) { return each.first == entry.path[1]; });
  if (known == shapes.end()) known = shapes.insert(known, {entry.path[1], ShapeSpec{}});
  set_shape(known->second, 2, entry, scenario);
}

void set_contact_rules(const Entry& entry, Scenario& scenario) {
  TouchSpec& contact = scenario.scene.contact;
  if (entry.path.size() > 1 && entry.path[1] == "pair")
    return set_in(element(contact.pairs, 2, entry, scenario), 3, entry, scenario);
  set_in(contact, 1, entry, scenario);
}

}  // namespace

bool set_scene(const Entry& entry, Scenario& scenario) {
  SceneSpec& scene = scenario.scene;
  const std::string& table = entry.path[0];
  if (table == "world")
    set_in(scene.world, 1, entry, scenario);
  else if (table == "shape")
    set_named_shape(entry, scenario);
  else if (table == "body")
    set_body(entry, scenario);
  else if (table == "joint")
    set_in(element(scene.joints, 1, entry, scenario), 2, entry, scenario);
  else if (table == "contact")
    set_contact_rules(entry, scenario);
  else if (table == "force")
    set_in(element(scene.forces, 1, entry, scenario), 2, entry, scenario);
  else
    return false;
  return true;
}

// A scene names its system by being there.
void name_scene(Scenario& scenario) {
  const bool called = scenario.system.name == "bodies";
  if (scenario.scene.empty() && !called) return;
  if (scenario.system.name.empty()) scenario.system.name = "bodies";
  if (scenario.system.name != "bodies")
    scenario.reject("system.name", detail::quoted(scenario.system.name),
                    "a scene is the system \"bodies\": leave the name out");
  if (scenario.scene.bodies.empty())
    scenario.reject("body", "", "must be given: a scene has one [[body]] at least");
  for (const auto& [name, shape] : scenario.scene.shapes)
    if (name.empty()) scenario.reject("shape", "\"\"", "a shape must have a name");
}

}  // namespace carom::detail
