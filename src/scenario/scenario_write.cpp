#include <fmt/format.h>

#include "scenario/scenario.hpp"
#include "scenario/scenario_keys.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace detail {
namespace {

// A field as a TOML value, "" where it is left out.
struct FieldWriter {
  std::string operator()(const std::string* text) const { return quoted(*text); }
  std::string operator()(const std::int64_t* number) const { return fmt::format("{}", *number); }
  std::string operator()(const int* number) const { return fmt::format("{}", *number); }
  std::string operator()(const bool* truth) const { return *truth ? "true" : "false"; }
  std::string operator()(const double* number) const { return written(*number); }
  std::string operator()(const std::vector<double>* numbers) const {
    std::string list;
    for (const double number : *numbers) list += (list.empty() ? "" : ", ") + written(number);
    return "[" + list + "]";
  }
  std::string operator()(const std::vector<std::string>* list) const {
    return list->empty() ? "" : entry(*list);
  }
  std::string operator()(const DrawSpec::Rows* rows) const {
    std::string text;
    for (const auto& row : *rows) text += (text.empty() ? "" : ", ") + entry(row);
    return rows->empty() ? "" : "[" + text + "]";
  }
  template <class Entry>  // Formulas, Points, Contacts
  std::string operator()(const std::vector<std::pair<std::string, Entry>>* table) const {
    std::string text;
    for (const auto& [name, value] : *table)
      text += (text.empty() ? "" : ", ") + key_part(name) + " = " + FieldWriter::entry(value);
    return table->empty() ? "" : "{ " + text + " }";
  }
  // As inside of an inline table; what is left out leaves nothing behind.
  static std::string entry(const ContactSpec& contact) {
    std::string text;
    const auto add = [&text](const char* key, const std::string& value) {
      if (!value.empty()) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, value);
    };
    add("gap", FieldWriter{}(&contact.gap));
    if (contact.restitution)
      add("restitution", std::visit([](const auto& x) { return FieldWriter{}(&x); }, *contact.restitution));
    add("when", FieldWriter{}(&contact.when));
    if (contact.mu) add("mu", std::visit([](const auto& x) { return FieldWriter{}(&x); }, *contact.mu));
    if (contact.mu_kinetic)
      add("mu_kinetic", std::visit([](const auto& x) { return FieldWriter{}(&x); }, *contact.mu_kinetic));
    add("slip", one_or_list(contact.slip)), add("slide", one_or_list(contact.slide));
    add("point", FieldWriter{}(&contact.point)), add("wall", FieldWriter{}(&contact.wall));
    return "{ " + text + " }";
  }
  static std::string one_or_list(const std::vector<std::string>& list) {
    return list.size() == 1 ? quoted(list[0]) : FieldWriter{}(&list);
  }
  // What stands inside a list or a table cannot be left out, even if empty.
  static std::string entry(const std::string& text) { return quoted(text); }
  static std::string entry(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& item : list) text += (text.empty() ? "" : ", ") + quoted(item);
    return "[" + text + "]";
  }
  template <class T>
  std::string operator()(const std::optional<T>* field) const {
    return *field ? (*this)(&**field) : "";
  }
};

std::string parameter_line(const SystemSpec& system) {
  std::string list;
  for (const auto& [name, value] : system.parameters) {
    list += (list.empty() ? "" : ", ") + key_part(name) + " = ";
    list += std::visit([](const auto& v) { return FieldWriter{}(&v); }, value);
  }
  return list.empty() ? "" : "parameters = { " + list + " }\n";
}

}  // namespace
}  // namespace detail

std::string to_toml(const Scenario& scenario) {
  Scenario copy = scenario;  // the table of keys hands out pointers to change a scenario by
  std::string text, table;
  for (const detail::Key& key : detail::scenario_keys()) {
    const std::string value = std::visit(detail::FieldWriter{}, key.field(copy));
    if (value.empty()) continue;
    const std::size_t dot = key.name.find('.');
    const std::string key_table = dot == std::string::npos ? "" : key.name.substr(0, dot);
    if (key_table != table) text += fmt::format("\n[{}]\n", key_table);
    table = key_table;
    text += fmt::format("{} = {}\n", key.name.substr(dot + 1), value);  // npos + 1 is 0
    if (key.name == "system.name") text += detail::parameter_line(scenario.system);
  }
  return text + detail::scene_toml(scenario.scene);
}

}  // namespace carom
