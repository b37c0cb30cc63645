// A scene as TOML that reads back to the same.
#include <fmt/format.h>

#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/scene_keys.hpp"

namespace carom::detail {
namespace {

// A field as a TOML value, "" where it is left out.
struct SceneWriter {
  static std::string text(const std::string& word) { return quoted(word); }
  static std::string text(int number) { return fmt::format("{}", number); }
  static std::string text(const StatedNumber& number) {
    const auto* x = std::get_if<double>(&number);
    return x ? written(*x) : quoted(std::get<std::string>(number));
  }
  template <class T>
  static std::string text(const std::vector<T>& list) {
    std::string r;
    for (const T& each : list) r += (r.empty() ? "" : ", ") + text(each);
    return "[" + r + "]";
  }
  static std::string text(const StatedMany& many) {
    return many.list.size() == 1 ? text(many.list[0]) : text(many.list);
  }
  static std::string text(const ShapeSpec& shape) {
    if (shape.name) return quoted(*shape.name);
    ShapeSpec copy = shape;  // keys hand out pointers to change it by
    std::string r;
    const auto add = [&r](const std::string& key, const std::string& value) {
      if (!value.empty()) r += (r.empty() ? "" : ", ") + key + " = " + value;
    };
    for (const auto& key : scene_keys<ShapeSpec>) add(key.name, std::visit(SceneWriter{}, key.field(copy)));
    if (!shape.compound.empty()) add("compound", text(shape.compound));
    return r.empty() ? "" : "{ " + r + " }";
  }
  template <class T>
  std::string operator()(const std::optional<T>* field) const {
    return *field ? text(**field) : "";
  }
  std::string operator()(const std::optional<StatedRows>* field) const {
    return !*field ? "" : (**field).size() == 1 ? text((**field)[0]) : text(**field);
  }
  std::string operator()(const ShapeSpec* shape) const { return text(*shape); }
};

template <class T>
std::string lines_of(const T& table) {
  T copy = table;
  std::string r;
  for (const auto& key : scene_keys<T>)
    if (const std::string value = std::visit(SceneWriter{}, key.field(copy)); !value.empty())
      r += fmt::format("{} = {}\n", key.name, value);
  return r;
}

template <class T>
std::string array_of(const char* name, const std::vector<T>& list) {
  std::string r;
  for (const T& each : list) r += fmt::format("\n[[{}]]\n{}", name, lines_of(each));
  return r;
}

}  // namespace

std::string scene_toml(const SceneSpec& scene) {
  std::string r;
  if (!(scene.world == WorldSpec{})) r += "\n[world]\n" + lines_of(scene.world);
  if (!scene.shapes.empty()) r += "\n[shape]\n";
  for (const auto& [name, shape] : scene.shapes)
    r += fmt::format("{} = {}\n", key_part(name), SceneWriter::text(shape));
  r += array_of("body", scene.bodies) + array_of("joint", scene.joints);
  if (!(scene.contact == TouchSpec{}))
    r += "\n[contact]\n" + lines_of(scene.contact) + array_of("contact.pair", scene.contact.pairs);
  return r + array_of("force", scene.forces);
}

}  // namespace carom::detail
