#include "import/xml.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "scenario/scenario.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace fs = std::filesystem;

void refuse(const std::string& place, const std::string& why) {
  throw ScenarioError(detail::complaint(place, "", "", why));
}

const std::string* XmlElement::find(const std::string& name) const {
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name == name) return &attribute.value;
  return nullptr;
}

std::string read_bytes(const std::string& path, std::size_t most, const std::string& place) {
  std::error_code ignored;
  const std::string here = place.empty() ? path : place;
  const std::string name = place.empty() ? "" : detail::quoted(path) + " ";
  if (fs::is_directory(path, ignored)) refuse(here, name + "is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) refuse(here, name + fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::string part(1u << 16, '\0');
  while (file && text.size() <= most) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) refuse(here, name + "cannot be read");
  if (text.size() > most) refuse(here, name + fmt::format("is larger than {} MB", most >> 20));
  return text;
}

namespace {

// tinyxml2's own words name its source lines; these say what is wrong with the file.
std::string in_words(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested deeper than 100";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "is empty, so it is no XML";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "is no XML: an element is not closed, or another one is";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "is no XML: an attribute is not name=\"value\", or stands twice";
    default:
      return "is no XML: it breaks off, or has a < or & that means nothing";
  }
}

class Reader {
 public:
  Reader(bool splices, fs::path beside) : spliced(splices), folder(std::move(beside)) {}

  XmlElement file(const std::string& path, const std::string& asked_by) {
    const std::string text = read_bytes(path, most_xml_bytes, asked_by);
    refuse_definitions(text, path);
    tinyxml2::XMLDocument document;
    document.Parse(text.data(), text.size());
    if (document.Error())
      refuse(fmt::format("{}:{}", path, std::max(1, document.ErrorLineNum())), in_words(document));
    const tinyxml2::XMLElement* root = document.RootElement();
    if (root == nullptr) refuse(path + ":1", "has no element, so it is no robot");
    return converted(*root, path);
  }

 private:
  // Entities that a file defines itself are how a small one becomes a huge one; tinyxml2 would leave them as
  // they stand.
  static void refuse_definitions(const std::string& text, const std::string& path) {
    const std::size_t at = text.find("<!ENTITY");
    if (at == std::string::npos) return;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    refuse(fmt::format("{}:{}", path, line), "defines words of its own (<!ENTITY>), which are not taken");
  }

  XmlElement converted(const tinyxml2::XMLElement& from, const std::string& path) {
    XmlElement r{from.Name(), fmt::format("{}:{}", path, from.GetLineNum())};
    for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next()) {
      const std::string place = fmt::format("{}:{}", path, a->GetLineNum());
      r.attributes.push_back({a->Name(), a->Value(), place});
    }
    for (const auto* node = from.FirstChild(); node != nullptr; node = node->NextSibling()) {
      const auto* unknown = node->ToUnknown();
      if (unknown != nullptr)
        refuse(fmt::format("{}:{}", path, unknown->GetLineNum()), "<!...> stands where no definition can");
      const auto* child = node->ToElement();
      if (child == nullptr) continue;
      if (spliced && std::strcmp(child->Name(), "include") == 0)
        splice(converted_alone(*child, path), r);
      else
        r.children.push_back(converted(*child, path));
    }
    return r;
  }

  XmlElement converted_alone(const tinyxml2::XMLElement& from, const std::string& path) {
    const bool was = std::exchange(spliced, false);
    XmlElement r = converted(from, path);
    spliced = was;
    return r;
  }

  void splice(const XmlElement& include, XmlElement& into) {
    const std::string* name = include.find("file");
    if (name == nullptr) refuse(include.place, "<include> must have a file");
    const std::string path = (folder / *name).lexically_normal().string();
    if (!included.insert(path).second)
      refuse(include.place, fmt::format("includes {} a second time", detail::quoted(*name)));
    if (included.size() > 100) refuse(include.place, "includes more than 100 files");
    XmlElement root = file(path, include.place);
    for (XmlElement& child : root.children) into.children.push_back(std::move(child));
  }

  bool spliced;
  fs::path folder;
  std::set<std::string> included;
};

}  // namespace

XmlElement read_xml(const std::string& path, bool spliced) {
  return Reader(spliced, fs::path(path).parent_path()).file(path, "");
}

}  // namespace carom::robots
