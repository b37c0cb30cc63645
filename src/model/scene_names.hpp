// StatedNumbers and names of a scene: what both bodies and what acts between them are read with.
#pragma once

#include <fmt/format.h>

#include "formula/formula_names.hpp"
#include "model/scene_world.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {

class SceneNumbers {
 public:
  explicit SceneNumbers(const Scenario& s) : scenario(s), names(s, {}, number_parameters(s)) {}

  double number(const std::string& key, const StatedNumber& stated);
  double positive(const std::string& key, const StatedNumber& stated);
  double not_negative(const std::string& key, const StatedNumber& stated);
  double fraction(const std::string& key, const StatedNumber& stated);  // from 0 to 1
  std::vector<double> numbers(const std::string& key, const StatedNumbers& stated, std::size_t least,
                              std::size_t most);
  const StatedNumber& one(const std::string& key, const StatedMany& stated);  // in the plane
  Point point(const std::string& key, const StatedNumbers& stated);
  [[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& why) const {
    scenario.reject(key, value, why);
  }

  const Scenario& scenario;
  FormulaNames names;  // of time and parameters alone
};

// How a number was stated.
std::string stated_text(const StatedNumber& stated);

// The parts of a shape in its own axes; `key` is where it stands.
std::vector<PlanePart> scene_shape(SceneNumbers& read, const std::string& key, const ShapeSpec& spec);

// Whether a name fits a pattern, in which * stands for any letters.
bool fits_pattern(const std::string& name, const std::string& pattern);

// Joints, forces and pairs of a world whose bodies are known.
void add_scene_joints(SceneNumbers& read, PlaneWorld& world);
void add_scene_forces(SceneNumbers& read, PlaneWorld& world);
void add_scene_pairs(SceneNumbers& read, PlaneWorld& world);

}  // namespace carom
