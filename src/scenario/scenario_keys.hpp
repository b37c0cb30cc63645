// The table of keys: one line for each key of a scenario file. Reading, writing and the messages about
// misspelled keys all go through it, so a new key is a new line here and a new field in scenario.hpp.
// Only [system] parameters, whose names belong to the system, stand apart. A key whose field is Formulas,
// Points or Contacts is a table with names of the user's own.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenario/scenario.hpp"

namespace carom::detail {

// Where a key's value lives; the type says what the file may hold, an optional one may be left out.
using Points = decltype(DrawSpec::points);
using Field =
    std::variant<std::string*, std::optional<bool>*, std::int64_t*, double*, std::optional<std::string>*,
                 std::optional<int>*, std::optional<double>*, std::optional<std::vector<double>>*,
                 std::vector<std::string>*, DrawSpec::Rows*, Formulas*, Points*, Contacts*>;

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above = false;  // low itself is out
};

struct Key {
  std::string name;
  Field (*field)(Scenario&);
  Range range = {};
};

inline constexpr Range positive{.low = 0, .above = true};
inline constexpr Range at_least_one{.low = 1};
inline constexpr Range fraction_of_one{.low = 0, .high = 1};

// In the order in which to_toml writes them.
inline const std::vector<Key>& scenario_keys() {
  static const std::vector<Key> keys = {
      {"title", [](Scenario& s) -> Field { return &s.title; }},
      {"seed", [](Scenario& s) -> Field { return &s.seed; }},
      {"system.name", [](Scenario& s) -> Field { return &s.system.name; }},
      {"system.coordinates", [](Scenario& s) -> Field { return &s.system.coordinates; }},
      {"system.z", [](Scenario& s) -> Field { return &s.system.z; }},
      {"system.psi", [](Scenario& s) -> Field { return &s.system.psi; }},
      {"system.lagrangian", [](Scenario& s) -> Field { return &s.system.lagrangian; }},
      {"system.force", [](Scenario& s) -> Field { return &s.system.force; }},
      {"system.v", [](Scenario& s) -> Field { return &s.system.v; }},
      {"system.p", [](Scenario& s) -> Field { return &s.system.p; }},
      {"system.f", [](Scenario& s) -> Field { return &s.system.f; }},
      {"system.r", [](Scenario& s) -> Field { return &s.system.r; }},
      {"system.friction", [](Scenario& s) -> Field { return &s.system.friction; }},
      {"system.energy", [](Scenario& s) -> Field { return &s.system.energy; }},
      {"system.held_force", [](Scenario& s) -> Field { return &s.system.held_force; }},
      {"system.let", [](Scenario& s) -> Field { return &s.system.let; }},
      {"system.gaps", [](Scenario& s) -> Field { return &s.system.gaps; }},
      {"system.contacts", [](Scenario& s) -> Field { return &s.system.contacts; }},
      {"system.joints", [](Scenario& s) -> Field { return &s.system.joints; }},
      {"system.momenta", [](Scenario& s) -> Field { return &s.system.momenta; }},
      {"initial.q", [](Scenario& s) -> Field { return &s.initial.q; }},
      {"initial.v", [](Scenario& s) -> Field { return &s.initial.v; }},
      {"initial.p", [](Scenario& s) -> Field { return &s.initial.p; }},
      {"initial.project", [](Scenario& s) -> Field { return &s.initial.project; }},
      {"initial.psi", [](Scenario& s) -> Field { return &s.initial.psi; }},
      {"method.name", [](Scenario& s) -> Field { return &s.method.name; }},
      {"method.stepper", [](Scenario& s) -> Field { return &s.method.stepper; }},
      {"method.flow", [](Scenario& s) -> Field { return &s.method.flow; }},
      {"method.base", [](Scenario& s) -> Field { return &s.method.base; }},
      {"method.stages", [](Scenario& s) -> Field { return &s.method.stages; }, {.low = 1, .high = 8}},
      {"method.scheme", [](Scenario& s) -> Field { return &s.method.scheme; }},
      {"method.alpha", [](Scenario& s) -> Field { return &s.method.alpha; }},
      {"method.reaction_at", [](Scenario& s) -> Field { return &s.method.reaction_at; }},
      {"method.beta", [](Scenario& s) -> Field { return &s.method.beta; }, {.low = 0, .high = 0.5}},
      {"method.gamma", [](Scenario& s) -> Field { return &s.method.gamma; }, fraction_of_one},
      {"method.impact", [](Scenario& s) -> Field { return &s.method.impact; }},
      {"method.order", [](Scenario& s) -> Field { return &s.method.order; }, at_least_one},
      {"method.fraction", [](Scenario& s) -> Field { return &s.method.fraction; }},
      {"method.window", [](Scenario& s) -> Field { return &s.method.window; }, {.low = 1, .high = 17}},
      {"method.restitution", [](Scenario& s) -> Field { return &s.method.restitution; }, fraction_of_one},
      {"method.reflection", [](Scenario& s) -> Field { return &s.method.reflection; }},
      {"method.energy", [](Scenario& s) -> Field { return &s.method.energy; }},
      {"method.predictor", [](Scenario& s) -> Field { return &s.method.predictor; }},
      {"method.constraints", [](Scenario& s) -> Field { return &s.method.constraints; }},
      {"method.tolerance", [](Scenario& s) -> Field { return &s.method.tolerance; }, positive},
      {"method.longest_step", [](Scenario& s) -> Field { return &s.method.longest_step; }, positive},
      {"time.start", [](Scenario& s) -> Field { return &s.time.start; }},
      {"time.step", [](Scenario& s) -> Field { return &s.time.step; }, positive},
      {"time.end", [](Scenario& s) -> Field { return &s.time.end; }},
      {"time.impacts", [](Scenario& s) -> Field { return &s.time.impacts; }, at_least_one},
      {"time.until", [](Scenario& s) -> Field { return &s.time.until; }},
      {"output.every", [](Scenario& s) -> Field { return &s.output.every; }, at_least_one},
      {"output.format", [](Scenario& s) -> Field { return &s.output.format; }},
      {"output.quantities", [](Scenario& s) -> Field { return &s.output.quantities; }},
      {"draw.view", [](Scenario& s) -> Field { return &s.draw.view; }},
      {"draw.points", [](Scenario& s) -> Field { return &s.draw.points; }},
      {"draw.lines", [](Scenario& s) -> Field { return &s.draw.lines; }},
      {"draw.circles", [](Scenario& s) -> Field { return &s.draw.circles; }},
      {"draw.boxes", [](Scenario& s) -> Field { return &s.draw.boxes; }},
      {"draw.polygons", [](Scenario& s) -> Field { return &s.draw.polygons; }},
      {"draw.ground", [](Scenario& s) -> Field { return &s.draw.ground; }},
      {"draw.curves", [](Scenario& s) -> Field { return &s.draw.curves; }},
      {"draw.trails", [](Scenario& s) -> Field { return &s.draw.trails; }},
  };
  return keys;
}

}  // namespace carom::detail
