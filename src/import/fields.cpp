#include "import/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom::robots {

std::vector<double> numbers_in(const std::string& text, const std::string& place, const std::string& what) {
  constexpr auto blank = " \t\r\n";
  std::vector<double> r;
  for (std::size_t at = text.find_first_not_of(blank); at != std::string::npos;
       at = text.find_first_not_of(blank, at)) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    const std::size_t first = at + (text[at] == '+' ? 1 : 0);
    double x = 0;
    const auto [stop, error] = std::from_chars(text.data() + first, text.data() + end, x);
    if (error != std::errc() || stop != text.data() + end || !std::isfinite(x))
      refuse(place, fmt::format("{}: {} is no finite number", what,
                                detail::clipped(detail::quoted(text.substr(at, end - at)))));
    r.push_back(x);
    at = end;
  }
  return r;
}

const XmlAttribute* Fields::find(const std::string& name) const {
  const auto in = [&](const XmlElement& element) -> const XmlAttribute* {
    for (const XmlAttribute& attribute : element.attributes)
      if (attribute.name == name) return &attribute;
    return nullptr;
  };
  if (const auto* found = in(*own)) return found;
  for (const XmlElement* element : behind)
    if (const auto* found = in(*element)) return found;
  return nullptr;
}

std::string Fields::title() const {
  const std::string* name = own->find("name");
  return name ? fmt::format("{} {}", own->tag, detail::clipped(detail::quoted(*name)))
              : fmt::format("<{}>", own->tag);
}

void Fields::refuse(const std::string& name, const std::string& why) const {
  const XmlAttribute* given = find(name);
  robots::refuse(given ? given->place : own->place,
                 fmt::format("{}: {}{} {}", title(), name,
                             given ? " = " + detail::clipped(detail::quoted(given->value)) : "", why));
}

std::string Fields::text(const std::string& name, const std::string& otherwise) const {
  const auto* given = find(name);
  return given ? given->value : otherwise;
}

std::vector<double> Fields::numbers(const std::string& name, std::size_t least, std::size_t most) const {
  const auto* given = find(name);
  if (given == nullptr) return {};
  const auto r = numbers_in(given->value, given->place, fmt::format("{}: {}", title(), name));
  if (r.size() >= least && r.size() <= most) return r;
  refuse(name, least == most ? fmt::format("must be {} number{}", least, least == 1 ? "" : "s")
                             : fmt::format("must be {} to {} numbers", least, most));
}

double Fields::number(const std::string& name, double otherwise) const {
  const auto r = numbers(name, 1, 1);
  return r.empty() ? otherwise : r[0];
}

double Fields::not_negative(const std::string& name, double otherwise) const {
  const double r = number(name, otherwise);
  if (r < 0) refuse(name, "must not be negative");
  return r;
}

int Fields::whole(const std::string& name, int otherwise) const {
  const double r = number(name, otherwise);
  if (r != std::floor(r) || std::abs(r) > 2147483647.0) refuse(name, "must be a whole number");
  return static_cast<int>(r);
}

bool Fields::truth(const std::string& name, bool otherwise) const {
  const std::string r =
      word(name, {"true", "false", "enable", "disable", "1", "0"}, otherwise ? "true" : "false");
  return r == "true" || r == "enable" || r == "1";
}

Vec3 Fields::vector(const std::string& name, const Vec3& otherwise) const {
  const auto r = numbers(name, 3, 3);
  return r.empty() ? otherwise : Vec3(r[0], r[1], r[2]);
}

std::string Fields::word(const std::string& name, std::initializer_list<const char*> words,
                         const std::string& otherwise) const {
  const auto* given = find(name);
  if (given == nullptr) return otherwise;
  for (const char* known : words)
    if (given->value == known) return known;
  refuse(name, "is not known here" + suggestion(given->value, {words.begin(), words.end()}));
}

void Fields::only(std::initializer_list<const char*> known) const {
  for (const XmlAttribute& attribute : own->attributes) {
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const char* name) { return attribute.name == name; });
    if (!is_known)
      refuse(attribute.name, "is not supported" + suggestion(attribute.name, {known.begin(), known.end()}));
  }
}

}  // namespace carom::robots
