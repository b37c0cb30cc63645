// A scenario file and its --set overrides as a flat list of dotted keys with values and places: all that is
// TOML stops here, and all that is a scenario begins after it (scenario_read.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "scenario/scenario.hpp"

namespace carom::detail {

struct Table {};  // one without keys, or deeper than any key of a scenario

struct Other {  // a boolean, "true" or "false"; or a date, which no key takes
  std::string text;
};

struct Value {
  std::variant<Table, Other, std::string, std::int64_t, double, std::vector<Value>> data;
};

// The value as TOML, for messages; a table is "{...}".
std::string text_of(const Value& value);

double number_of(const Value& value);  // of an integer or a double

struct Entry {
  std::vector<std::string> path;
  std::string key;  // the path with dots between
  Value value;
};

struct Document {
  std::vector<Entry> entries;  // as they stand in the file, then the overrides; each key once
  SourceMap source;
};

// "a", "b c" -> a."b c"
std::string dotted(const std::vector<std::string>& path);

// Takes out what the document has for the key or inside of it.
void forget(Document& document, const std::string& key);

// Adds the entry, in the place of what the document has for its key or inside of it.
void put(Document& document, Entry entry, const std::string& place);

// Throws ScenarioError where the text is not TOML, or an override is not "key=value".
Document read_document(const std::string& text, const std::string& name,
                       const std::vector<std::string>& overrides);

}  // namespace carom::detail
