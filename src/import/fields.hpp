// The attributes of an element with those of its defaults behind them, read as what they should be; what they
// are not is refused with the line. Numbers are finite.
#pragma once

#include <initializer_list>
#include <optional>

#include "import/geometry.hpp"
#include "import/xml.hpp"

namespace carom::robots {

class Fields {
 public:
  explicit Fields(const XmlElement& element) : own(&element) {}
  // Looked at where the element, and all before, say nothing.
  void add_defaults(const XmlElement* element) {
    if (element != nullptr) behind.push_back(element);
  }

  const XmlElement& element() const { return *own; }
  const std::string& place() const { return own->place; }
  std::string title() const;  // geom "foot"

  bool has(const std::string& name) const { return find(name) != nullptr; }
  std::string text(const std::string& name, const std::string& otherwise = "") const;
  double number(const std::string& name, double otherwise) const;
  double not_negative(const std::string& name, double otherwise) const;
  int whole(const std::string& name, int otherwise) const;
  bool truth(const std::string& name, bool otherwise) const;
  // As many as it has, if that is between `least` and `most`; empty where it is left out.
  std::vector<double> numbers(const std::string& name, std::size_t least, std::size_t most) const;
  Vec3 vector(const std::string& name, const Vec3& otherwise) const;
  // One of the words.
  std::string word(const std::string& name, std::initializer_list<const char*> words,
                   const std::string& otherwise) const;

  // All attributes of the element itself must be among these.
  void only(std::initializer_list<const char*> known) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

 private:
  const XmlAttribute* find(const std::string& name) const;
  const XmlElement* own;
  std::vector<const XmlElement*> behind;
};

// "1 0 0.5"; `place` and `what` are for the complaint.
std::vector<double> numbers_in(const std::string& text, const std::string& place, const std::string& what);

}  // namespace carom::robots
