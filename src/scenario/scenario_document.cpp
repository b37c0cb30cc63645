#include "scenario/scenario_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <sstream>

#include "scenario/scenario_text.hpp"

namespace carom::detail {
namespace {

using Path = std::vector<std::string>;
using PlaceOf = std::function<std::string(const toml::node&)>;

// The deepest key, system.parameters.NAME, has three names.
constexpr std::size_t max_names_in_key = 16;

// The position after the string that opens at `i`; strings matter to us only because keys may be quoted and
// quotes may hide dots. Where the string does not close, toml++ will say so.
std::size_t skip_string(const std::string& text, std::size_t i) {
  const char quote = text[i];
  const bool multi_line = text.compare(i, 3, std::string(3, quote)) == 0;
  const std::string closing(multi_line ? 3 : 1, quote);
  for (i += closing.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text.compare(i, closing.size(), closing) == 0) {
      i += closing.size();
      // Up to two quotes may stand before the closing three; they look like quotes after it.
      for (int extra = 0; multi_line && extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    } else if (!multi_line && text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

// toml++ limits how deep values nest, but not how many names a dotted key has, and frees its tables by
// recursion: a key of some 50 000 names overflows the stack. So such keys are found before it sees them.
std::optional<std::size_t> find_endless_key(const std::string& text) {
  std::size_t dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = skip_string(text, i);
      continue;
    }
    if (c == '#') i = std::min(text.find('\n', i), text.size());
    if (c == '.' && ++dots >= max_names_in_key) return i;
    if (std::string_view("=,[]{}#\n").find(c) != std::string_view::npos) dots = 0;
    ++i;
  }
  return std::nullopt;
}

toml::source_position position_of(const std::string& text, std::size_t index) {
  const std::string_view before(text.data(), index);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is none: npos + 1
  return {static_cast<toml::source_index>(1 + std::count(before.begin(), before.end(), '\n')),
          static_cast<toml::source_index>(1 + index - line_start)};
}

// Throws toml::parse_error and nothing else.
toml::table parse_toml(const std::string& text) {
  if (const auto index = find_endless_key(text)) {
    const std::string why =
        fmt::format("a key of more than {} names, deeper than any key of a scenario", max_names_in_key);
    throw toml::parse_error(why.c_str(), position_of(text, *index));
  }
  return toml::parse(text);
}

Value value_of(const toml::node& node) {
  if (node.is_table()) return {Table{}};
  if (const auto* string = node.as_string()) return {string->get()};
  if (const auto* integer = node.as_integer()) return {integer->get()};
  if (const auto* real = node.as_floating_point()) return {real->get()};
  if (const auto* array = node.as_array()) {
    std::vector<Value> values;
    for (const toml::node& element : *array) values.push_back(value_of(element));
    return {std::move(values)};
  }
  std::ostringstream text;
  node.visit([&](const auto& other) { text << other; });
  return {Other{text.str()}};
}

// toml++ keeps the keys of a table in alphabetical order; a user reads the file from the top.
std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> children;
  for (const auto& [key, child] : table) children.emplace_back(key.str(), &child);
  std::stable_sort(children.begin(), children.end(), [](const auto& a, const auto& b) {
    return a.second->source().begin < b.second->source().begin;
  });
  return children;
}

// Arrays of tables are those of scenes.
bool may_have_tables(const Path& path) {
  static const std::array scene = {"shape", "body", "joint", "contact", "force"};
  return path.size() < max_names_in_key && std::find(scene.begin(), scene.end(), path[0]) != scene.end();
}

void flatten(const toml::node& node, Path& path, const PlaceOf& place_of, Document& document) {
  const std::string key = dotted(path);
  if (!path.empty()) document.source.places[key] = place_of(node);
  const toml::table* table = node.as_table();
  if (const toml::array* tables = node.as_array();
      tables && tables->is_array_of_tables() && may_have_tables(path)) {
    for (std::size_t i = 0; i < tables->size(); ++i) {
      path.push_back(std::to_string(i));
      flatten((*tables)[i], path, place_of, document);
      path.pop_back();
    }
    return;
  }
  const bool is_leaf = table == nullptr || table->empty() || path.size() >= max_names_in_key;
  if (is_leaf && !path.empty()) document.entries.push_back({path, key, value_of(node)});
  if (is_leaf) return;
  for (const auto& [name, child] : in_file_order(*table)) {
    path.push_back(name);
    flatten(*child, path, place_of, document);
    path.pop_back();
  }
}

struct Override {
  std::string place;  // "--set a.b=c"
  Path path;
  toml::table root;
  const toml::node* node;  // the value; stays where it is when root is moved, being below it
};

// As TOML, or else with the value as a string, so that method.flow=svc needs no quotes past the shell's.
toml::table parse_assignment(const std::string& text, const std::string& place) {
  const std::size_t equals = text.find('=');
  const std::size_t value = equals == std::string::npos ? equals : text.find_first_not_of(" \t", equals + 1);
  if (value == std::string::npos) throw ScenarioError(complaint(place, "", "", "must be key=value"));
  try {
    try {
      return parse_toml(text);
    } catch (const toml::parse_error&) {
      if (std::string_view("\"'[{").find(text[value]) != std::string_view::npos) throw;
      return parse_toml(text.substr(0, equals + 1) + quoted(text.substr(value)));
    }
  } catch (const toml::parse_error& error) {
    throw ScenarioError(complaint(place, "", "", std::string(error.description())));
  }
}

Override parse_override(const std::string& text) {
  Override result{"--set " + clipped(text), {}, {}, nullptr};
  result.root = parse_assignment(text, result.place);
  result.node = &result.root;
  // The tables on the way are those of the dotted key; an inline one is itself the value.
  while (result.node->is_table() && !result.node->as_table()->is_inline()) {
    const toml::table& table = *result.node->as_table();
    if (table.size() != 1) throw ScenarioError(complaint(result.place, "", "", "must be one key=value"));
    result.path.emplace_back(table.cbegin()->first.str());
    result.node = &table.cbegin()->second;
  }
  return result;
}

bool is_index(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

void set_element(Document& document, const Override& change) {
  const std::string key = dotted(change.path);
  const std::string array_key = dotted(Path(change.path.begin(), change.path.end() - 1));
  const Value value = value_of(*change.node);
  const auto entry = std::find_if(document.entries.begin(), document.entries.end(),
                                  [&](const Entry& e) { return e.key == array_key; });
  auto* array =
      entry == document.entries.end() ? nullptr : std::get_if<std::vector<Value>>(&entry->value.data);
  if (array == nullptr) {
    const std::string why = fmt::format("there is no array {} to change an element of", clipped(array_key));
    throw ScenarioError(complaint(change.place, key, text_of(value), why));
  }
  std::size_t index = 0;
  const std::string& digits = change.path.back();
  const bool too_long =
      std::from_chars(digits.data(), digits.data() + digits.size(), index).ec != std::errc{};
  if (too_long || index >= array->size()) {
    const std::string why =
        fmt::format("{} has {} elements, the first is {}.0", array_key, array->size(), array_key);
    throw ScenarioError(complaint(change.place, key, text_of(value), why));
  }
  (*array)[index] = value;
  document.source.places[fmt::format("{}.{}", array_key, index)] = change.place;
}

bool is_inside(const std::string& key, const std::string& outer) {
  return key == outer || key.starts_with(outer + ".");
}

void apply_override(Document& document, const std::string& text) {
  Override change = parse_override(text);
  if (change.path.size() > 1 && is_index(change.path.back())) return set_element(document, change);
  forget(document, dotted(change.path));
  flatten(
      *change.node, change.path, [&](const toml::node&) { return change.place; }, document);
}

}  // namespace

std::string dotted(const std::vector<std::string>& path) {
  std::string key;
  for (const std::string& name : path) key += (key.empty() ? "" : ".") + key_part(name);
  return key;
}

void forget(Document& document, const std::string& key) {
  std::erase_if(document.entries, [&](const Entry& entry) { return is_inside(entry.key, key); });
  std::erase_if(document.source.places, [&](const auto& place) { return is_inside(place.first, key); });
}

void put(Document& document, Entry entry, const std::string& place) {
  forget(document, entry.key);
  for (auto outer = entry.path; !outer.empty(); outer.pop_back())
    document.source.places.try_emplace(dotted(outer), place);
  document.entries.push_back(std::move(entry));
}

double number_of(const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return integer ? static_cast<double>(*integer) : std::get<double>(value.data);
}

std::string text_of(const Value& value) {
  struct Writer {
    std::string operator()(const Table&) const { return "{...}"; }
    std::string operator()(const Other& other) const { return other.text; }
    std::string operator()(const std::string& string) const { return quoted(string); }
    std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
    std::string operator()(double real) const { return written(real); }
    std::string operator()(const std::vector<Value>& array) const {
      std::string list;
      for (const Value& element : array) list += (list.empty() ? "" : ", ") + text_of(element);
      return "[" + list + "]";
    }
  };
  return std::visit(Writer{}, value.data);
}

Document read_document(const std::string& text, const std::string& name,
                       const std::vector<std::string>& overrides) {
  Document document;
  document.source.file = name;
  const auto place_at = [&](const toml::source_position& position) {
    return fmt::format("{}:{}:{}", name, position.line, position.column);
  };
  try {
    Path path;
    flatten(
        parse_toml(text), path, [&](const toml::node& node) { return place_at(node.source().begin); },
        document);
  } catch (const toml::parse_error& error) {
    const std::string place = place_at(error.source().begin);
    throw ScenarioError(complaint(place, "", "", std::string(error.description())));
  }
  for (const std::string& override_text : overrides) apply_override(document, override_text);
  return document;
}

}  // namespace carom::detail
