// An XML file as plain structs that know their line: all that is tinyxml2 stops here. What is wrong with the
// file ends with ScenarioError "file:line: why". Tested in tests/cli/import_test.py.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace carom::robots {

struct XmlAttribute {
  std::string name, value, place;  // place: "file:line"
};

struct XmlElement {
  std::string tag, place;
  std::vector<XmlAttribute> attributes = {};
  std::vector<XmlElement> children = {};
  const std::string* find(const std::string& name) const;  // an attribute's value
};

// Throws ScenarioError.
[[noreturn]] void refuse(const std::string& place, const std::string& why);

inline constexpr std::size_t most_xml_bytes = 16u << 20;
inline constexpr std::size_t most_mesh_bytes = 64u << 20;

// All that a file holds; refused where it holds more than that, or cannot be read. `place` is who asks for
// it.
std::string read_bytes(const std::string& path, std::size_t most, const std::string& place);

// The root element. With `spliced`, <include file="..."/> is replaced by what is in the root of that file, by
// a path that is relative to this one, as MJCF has it.
XmlElement read_xml(const std::string& path, bool spliced);

}  // namespace carom::robots
