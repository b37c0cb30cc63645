#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "scenario/scenario.hpp"
#include "scenario/scenario_document.hpp"
#include "scenario/scenario_keys.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace detail {
namespace {

constexpr std::size_t max_file_bytes = 4u << 20;
constexpr std::array known_tables = {"system", "system.parameters", "initial", "method", "time", "output",
                                     "draw"};

std::string words(const Range& range) {
  if (!std::isfinite(range.low)) return "";
  if (std::isfinite(range.high)) return fmt::format(" from {} to {}", range.low, range.high);
  return fmt::format(" {} {}", range.above ? "above" : "of at least", range.low);
}

bool contains(const Range& range, double number) {
  return (range.above ? number > range.low : number >= range.low) && number <= range.high;
}

// Puts one value of the file into its field, or refuses it; called with each kind of field by std::visit.
struct FieldReader {
  const Scenario& scenario;
  const std::string& key;
  const Range& range;
  const Value& value;

  [[noreturn]] void refuse(const std::string& why) const { scenario.reject(key, text_of(value), why); }

  // --set method.scheme=true: the one key that has the word true among its words.
  bool is_bare_word() const {
    const auto* other = std::get_if<Other>(&value.data);
    const auto place = scenario.source.places.find(key);
    return key == "method.scheme" && other && other->text == "true" &&
           place != scenario.source.places.end() && place->second.starts_with("--set");
  }

  void operator()(std::string* field) const {
    if (const auto* text = std::get_if<std::string>(&value.data))
      *field = *text;
    else if (is_bare_word())
      *field = std::get<Other>(value.data).text;
    else
      refuse("must be a string, in quotes");
  }

  void operator()(bool* field) const {
    const auto* other = std::get_if<Other>(&value.data);
    if (other == nullptr || (other->text != "true" && other->text != "false"))
      refuse("must be true or false");
    *field = other->text == "true";
  }

  void operator()(std::int64_t* field) const {
    const auto* number = std::get_if<std::int64_t>(&value.data);
    if (number == nullptr || !contains(range, static_cast<double>(*number))) {
      refuse("must be a whole number" + words(range));
    }
    *field = *number;
  }

  void operator()(int* field) const {
    std::int64_t number = 0;
    (*this)(&number);
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    if (number > most || number < -most) refuse(fmt::format("must be a whole number up to {}", most));
    *field = static_cast<int>(number);
  }

  void operator()(double* field) const {
    if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
      *field = static_cast<double>(*integer);
    } else if (const auto* real = std::get_if<double>(&value.data)) {
      *field = *real;
    } else {
      refuse("must be a number" + words(range));
    }
    if (!std::isfinite(*field)) refuse("must be a finite number" + words(range));
    if (!contains(range, *field)) refuse("must be a number" + words(range));
  }

  void operator()(std::vector<double>* field) const {
    const auto* array = std::get_if<std::vector<Value>>(&value.data);
    if (array == nullptr) refuse("must be an array of numbers");
    if (array->empty()) refuse("must be an array of at least one number");
    field->resize(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string element = fmt::format("{}.{}", key, i);
      FieldReader{scenario, element, range, (*array)[i]}(&(*field)[i]);
    }
  }

  // A formula, or a number where one is meant to be.
  std::string formula() const {
    if (std::holds_alternative<std::int64_t>(value.data) || std::holds_alternative<double>(value.data))
      return text_of(value);
    std::string text;
    (*this)(&text);
    return text;
  }

  const std::vector<Value>& array(const char* of_what) const {
    const auto* values = std::get_if<std::vector<Value>>(&value.data);
    if (values == nullptr) refuse(fmt::format("must be an array of {}", of_what));
    return *values;
  }
  FieldReader at(const std::string& name, const Value& inner) const { return {scenario, name, range, inner}; }

  void operator()(std::vector<std::string>* field) const {
    field->clear();
    for (const Value& element : array("strings")) {
      const std::string name = fmt::format("{}.{}", key, field->size());
      field->push_back(at(name, element).formula());
    }
  }

  void operator()(DrawSpec::Rows* field) const {
    field->clear();
    for (const Value& element : array("arrays of strings")) {
      const std::string name = fmt::format("{}.{}", key, field->size());
      at(name, element)(&field->emplace_back());
    }
  }

  void operator()(Formulas*) const { refuse_if_filled("name = \"formula\""); }
  void operator()(Points*) const { refuse_if_filled("name = [\"x\", \"y\"]"); }
  void operator()(Contacts*) const { refuse_if_filled("name = { gap = \"formula\" }"); }
  void refuse_if_filled(const char* entries) const {  // the entries of a table come one by one
    if (!std::holds_alternative<Table>(value.data)) refuse(fmt::format("must be a table of {}", entries));
  }

  template <class T>
  void operator()(std::optional<T>* field) const {
    T read{};
    (*this)(&read);
    *field = std::move(read);
  }
};

const Key* find_key(const std::string& name) {
  const auto& keys = scenario_keys();
  const auto known = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  return known == keys.end() ? nullptr : &*known;
}

// One entry of a table whose names are the user's own, such as system.gaps.floor; false where it is none.
bool set_named(const Entry& entry, Scenario& scenario) {
  if (entry.path.size() != 3) return false;
  const Key* table = find_key(entry.path[0] + "." + entry.path[1]);
  if (table == nullptr) return false;
  Field field = table->field(scenario);
  const FieldReader reader{scenario, entry.key, table->range, entry.value};
  if (auto* formulas = std::get_if<Formulas*>(&field)) {
    (*formulas)->emplace_back(entry.path[2], reader.formula());
  } else if (auto* points = std::get_if<Points*>(&field)) {
    (*points)->emplace_back(entry.path[2], std::vector<std::string>());
    reader(&(*points)->back().second);
  } else {
    return false;
  }
  return true;
}

ContactSpec& contact_named(const std::string& name, Contacts& contacts) {
  for (auto& [known, contact] : contacts)
    if (known == name) return contact;
  return contacts.emplace_back(name, ContactSpec{}).second;
}

bool is_contact(const std::vector<std::string>& path) {
  return path.size() >= 3 && path[0] == "system" && path[1] == "contacts";
}

// system.contacts.floor, which is a table, or one of its keys.
void set_contact(const Entry& entry, Scenario& scenario) {
  ContactSpec& contact = contact_named(entry.path[2], scenario.system.contacts);
  const FieldReader reader{scenario, entry.key, fraction_of_one, entry.value};
  const std::string key = entry.path.size() == 4 ? entry.path[3] : "";
  if (entry.path.size() == 3) {
    if (!std::holds_alternative<Table>(entry.value.data))
      reader.refuse(
          "must be a table such as { gap = \"y\", restitution = 0.8 }; a gap alone stands in system.gaps");
  } else if (key == "gap") {
    contact.gap = reader.formula();
  } else if (key == "when") {
    reader(&contact.when);
  } else if (key == "wall") {
    reader(&contact.wall);
  } else if (key == "point") {
    reader(&contact.point);
  } else if (key == "slip" || key == "slide") {
    auto& list = key == "slip" ? contact.slip : contact.slide;
    if (std::holds_alternative<std::string>(entry.value.data))
      list.assign(1, reader.formula());
    else
      reader(&list);
  } else if (key == "restitution" || key == "mu" || key == "mu_kinetic") {
    const FieldReader number{scenario, entry.key, key == "restitution" ? fraction_of_one : Range{.low = 0},
                             entry.value};
    auto& field = (key == "mu"           ? contact.mu
                   : key == "mu_kinetic" ? contact.mu_kinetic
                                         : contact.restitution)
                      .emplace();
    if (std::holds_alternative<std::string>(entry.value.data))
      number(&field.emplace<std::string>());
    else
      number(&field.emplace<double>());
  } else {
    reader.refuse("unknown key" + suggestion(key, {"gap", "restitution", "when", "mu", "mu_kinetic", "slip",
                                                   "slide", "point", "wall"}));
  }
}

bool is_parameter(const std::vector<std::string>& path) {
  return path.size() >= 3 && path[0] == "system" && path[1] == "parameters";
}

void set_parameter(const Entry& entry, Scenario& scenario) {
  ParameterValue& parameter = scenario.system.parameters[entry.path[2]];
  if (const auto* text = std::get_if<std::string>(&entry.value.data);
      text != nullptr && entry.path.size() == 3) {
    parameter = *text;
    return;
  }
  const bool is_number = std::holds_alternative<std::int64_t>(entry.value.data) ||
                         std::holds_alternative<double>(entry.value.data);
  if (!is_number || entry.path.size() > 3) {
    scenario.reject(entry.key, text_of(entry.value), "a parameter must be a number or a string");
  }
  FieldReader{scenario, entry.key, Range{}, entry.value}(&parameter.emplace<double>());
}

// The nearest key by spelling; else one of the same name in another table; else what there is.
std::string hint(const std::string& key) {
  const auto last_name = [](const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); };
  const std::string table = key.substr(0, key.find('.') + 1);
  std::vector<std::string> all, in_table, namesakes, similar;
  for (const Key& known : scenario_keys()) {
    all.push_back(known.name);
    if (known.name == "system.name") all.push_back("system.parameters");
  }
  for (const std::string& known : all) {
    if (!table.empty() && known.starts_with(table)) in_table.push_back(known);
    if (last_name(known) == last_name(key)) namesakes.push_back(known);
    // Of two names of one letter, one is not the other misspelled: system.g is no system.z.
    if (table != "system." || last_name(known).size() > 1 || last_name(key).size() > 1)
      similar.push_back(known);
  }
  if (!nearest(key, similar).empty()) return suggestion(key, similar);
  if (namesakes.size() == 1) return "; did you mean \"" + namesakes[0] + "\"?";
  return fmt::format("; known are {}", fmt::join(in_table.empty() ? all : in_table, ", "));
}

void check_system(const Scenario& scenario) {
  if (!scenario.system.is_scene() && !scenario.source.places.contains("system.name"))
    scenario.reject("system.name", "", "must be given");
  const SystemSpec& system = scenario.system;
  const auto refuse = [&](std::initializer_list<const char*> keys, const char* why) {
    for (const char* key : keys) {
      const std::string name = fmt::format("system.{}", key);
      if (scenario.source.places.contains(name)) scenario.reject(name, "", why);
    }
  };
  if (!system.in_formulas())
    refuse({"coordinates", "let", "gaps", "joints", "friction", "psi"},
           "belongs to a system in formulas, with name = \"expression\" or \"dae\"");
  if (!system.is_expression())
    refuse({"lagrangian", "force", "momenta", "contacts"},
           "belongs to a mechanical system in formulas, with name = \"expression\"");
  if (!system.is_dae())
    refuse({"z", "v", "p", "f", "r", "energy"}, "belongs to a DAE in formulas, with name = \"dae\"");
}

// Those that have a gap: a key of another one may be meant for them.
std::vector<std::string> stated_contacts(const SystemSpec& system) {
  std::vector<std::string> names;
  for (const auto& [name, contact] : system.contacts)
    if (contact.gap || !contact.point.empty()) names.push_back(name);
  return names;
}

void check_contacts(const Scenario& scenario) {
  const SystemSpec& system = scenario.system;
  for (const auto& [name, contact] : system.contacts) {
    const std::string key = "system.contacts." + key_part(name);
    if (!contact.gap && contact.point.empty())
      scenario.reject(key, "",
                      "must have a gap: { gap = \"formula\" }, or a point and a wall" +
                          suggestion(name, stated_contacts(system)));
    for (const auto& [other, text] : system.gaps)
      if (other == name) scenario.reject(key, "", "a gap of system.gaps has this name already");
  }
}

void check_initial(const Scenario& scenario) {
  const InitialSpec& initial = scenario.initial;
  if (!initial.v || !initial.p) return;
  const std::string value = fmt::format("[{}]", listed(*initial.p));
  scenario.reject("initial.p", value, "must not stand beside initial.v; give one of the two");
}

void check_time(const Scenario& scenario) {
  const TimeSpec& time = scenario.time;
  if (!time.end && !time.impacts && !time.until)
    scenario.reject("time.end", "", "must be given, or else time.impacts or time.until");
  // A number of 53 bits has no room for the end of a step beside such a start.
  if (std::abs(time.start) > 0.25 * static_cast<double>(max_steps) * time.step)
    scenario.reject("time.start", fmt::format("{}", time.start),
                    fmt::format("steps of {} cannot be told apart there", time.step));
  if (!time.end) return;
  if (*time.end <= time.start || (time.steps() == 0 && !time.short_end())) {
    scenario.reject("time.end", fmt::format("{}", *time.end),
                    fmt::format("must be after time.start = {}: a run has one step at least", time.start));
  }
  if ((*time.end - time.start) / time.step > static_cast<double>(max_steps)) {
    const bool step_given = scenario.source.places.contains("time.step");
    scenario.reject(
        step_given ? "time.step" : "time.end", fmt::format("{}", step_given ? time.step : *time.end),
        fmt::format("{} to {} in steps of {} is more than 2^53 steps", time.start, *time.end, time.step));
  }
}

void check_output(const Scenario& scenario) {
  const std::string& format = scenario.output.format;
  if (format == "npz" || format == "csv" || format == "hdf5") return;
  scenario.reject("output.format", quoted(format),
                  "unknown format" + suggestion(format, {"npz", "csv", "hdf5"}));
}

}  // namespace

void set(const Entry& entry, Scenario& scenario) {
  if (const Key* known = find_key(entry.key)) {
    std::visit(FieldReader{scenario, known->name, known->range, entry.value}, known->field(scenario));
  } else if (is_parameter(entry.path)) {
    set_parameter(entry, scenario);
  } else if (is_contact(entry.path)) {
    set_contact(entry, scenario);
  } else if (set_named(entry, scenario) || set_scene(entry, scenario)) {
    return;
  } else if (std::find(known_tables.begin(), known_tables.end(), entry.key) == known_tables.end()) {
    scenario.reject(entry.key, text_of(entry.value), "unknown key" + hint(entry.key));
  } else if (!std::holds_alternative<Table>(entry.value.data)) {
    scenario.reject(entry.key, text_of(entry.value), "must be a table");
  }
}

Scenario filled(const Document& document) {
  Scenario scenario;
  scenario.source = document.source;
  for (const Entry& entry : document.entries) set(entry, scenario);
  name_scene(scenario);
  return scenario;
}

void check_together(const Scenario& scenario) {
  check_system(scenario);
  check_contacts(scenario);
  check_initial(scenario);
  check_time(scenario);
  check_output(scenario);
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ScenarioError(complaint(path, "", "", "is a directory, not a scenario file"));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(max_file_bytes + 1, '\0');  // one too many, so that parse_scenario can tell
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    throw ScenarioError(complaint(path, "", "", fmt::format("cannot be read: {}", std::strerror(errno))));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace detail

Scenario parse_scenario(const std::string& text, const std::string& name,
                        const std::vector<std::string>& overrides) {
  if (text.size() > detail::max_file_bytes) {
    throw ScenarioError(detail::complaint(name, "", "", "is larger than 4 MB, so it is not a scenario"));
  }
  Scenario scenario = detail::filled(detail::read_document(text, name, overrides));
  detail::check_together(scenario);
  return scenario;
}

Scenario read_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scenario(detail::read_file(path), path, overrides);
}

}  // namespace carom
