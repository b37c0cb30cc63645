// A scenario: everything one run needs, exactly as the TOML file says it. This struct is the file format.
//
//   scenario.toml -> read_scenario() -> Scenario -> run()
//
// Tested in tests/unit/scenario_test.cpp and, as a user meets it, in tests/cli/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "scenario/scene.hpp"

namespace carom {

// What the user got wrong: `what()` is one line, "file:line:column: key = value: what would be right". Where
// one key is to blame, its parts too, for whoever shows them in another way.
struct ScenarioError : std::runtime_error {
  using std::runtime_error::runtime_error;
  std::string key, value, why;
};

using ParameterValue = std::variant<double, std::string>;
using Formulas = std::vector<std::pair<std::string, std::string>>;  // name = "formula", as in the file

// A contact with more to say than its gap.
struct ContactSpec {
  std::optional<std::string> gap = {};
  std::optional<ParameterValue> restitution = {};  // a number, or a formula of the parameters
  std::optional<std::string> when = {};            // a comparison: where it exists
  std::optional<ParameterValue> mu = {};  // likewise, or of slip_speed; with a slip, a slide or a point
  std::optional<ParameterValue> mu_kinetic = {};  // while it slides
  std::vector<std::string> slip = {};             // a formula that is linear in the velocities; in space two
  std::vector<std::string> slide = {};            // or of places, whose rates are the slips
  std::vector<std::string> point = {};            // or the place that touches, two formulas or three
  std::optional<std::string> wall =
      {};  // and what it touches, a formula of X, Y and Z: then gap and slip follow
  bool rubs() const { return !slip.empty() || !slide.empty() || !point.empty(); }
  bool operator==(const ContactSpec&) const = default;
};
using Contacts = std::vector<std::pair<std::string, ContactSpec>>;  // by name, as in the file

struct SystemSpec {
  std::string name;  // "expression" or "dae": the fields after the parameters say what the system is;
                     // "bodies": the scene
  std::map<std::string, ParameterValue> parameters = {};
  std::vector<std::string> coordinates = {};
  std::optional<std::string> lagrangian = {};  // velocities are x'
  Formulas let = {}, gaps = {}, joints = {}, momenta = {};
  Contacts contacts = {};                  // behind those of gaps
  std::vector<std::string> force = {};     // in the order of the coordinates; t is time
  std::vector<std::string> friction = {};  // likewise; of the multipliers, too
  std::vector<std::string> psi = {};       // their names; left out: psi1, psi2, ...
  // Of a DAE: the names of z, and y' = v, d/dt p = f + r + friction.
  std::vector<std::string> z = {}, v = {}, p = {}, f = {}, r = {};
  std::optional<std::string> energy = {};
  std::optional<std::string> held_force = {};  // of a record only: who gave a force that no file holds
  std::size_t contact_count() const { return gaps.size() + contacts.size(); }
  bool is_expression() const { return name == "expression"; }
  bool is_dae() const { return name == "dae"; }
  bool is_scene() const { return name == "bodies"; }
  bool in_formulas() const { return is_expression() || is_dae(); }
  bool operator==(const SystemSpec&) const = default;
};

struct InitialSpec {                            // left out: the system's default start
  std::optional<std::vector<double>> q, v, p;   // v or p, never both
  std::optional<bool> project = {};             // onto the joints, from anywhere near
  std::optional<std::vector<double>> psi = {};  // of a DAE: where its multipliers are looked for
  bool operator==(const InitialSpec&) const = default;
};

struct MethodSpec {                 // every field left out takes the method's default
  std::optional<std::string> name;  // a short name such as "cva"; stands for several of the keys below
  std::optional<std::string> stepper, flow, base, impact, fraction, reflection, energy, predictor,
      constraints, scheme, reaction_at;
  std::optional<int> stages, order, window;
  std::optional<double> alpha, beta, gamma, restitution, tolerance, longest_step;
  bool operator==(const MethodSpec&) const = default;
};

struct TimeSpec {
  double start = 0;
  double step = 0.01;
  std::optional<double> end;              // one of end, impacts and until must be there
  std::optional<int> impacts;             // stop after this many
  std::optional<std::string> until = {};  // stop when this formula changes sign
  // The whole steps up to `end`, at most max_steps; without end, that many. A step that ends within 1e-9 of a
  // step of `end`, or within rounding, ends there.
  std::int64_t steps() const;
  // `end`, where a shorter step is left to it after the last whole one.
  std::optional<double> short_end() const;
  bool operator==(const TimeSpec&) const = default;
};

// 2^53: beyond it n h is no longer exact in n.
inline constexpr std::int64_t max_steps = std::int64_t{1} << 53;

struct OutputSpec {
  std::int64_t every = 1;  // row 0 is the start; the last state is always kept
  std::string format = "npz";
  Formulas quantities = {};  // recorded beside the rest
  bool operator==(const OutputSpec&) const = default;
};

// How the report's animation draws the system: formulas of the coordinates, and names of points.
struct DrawSpec {
  using Rows = std::vector<std::vector<std::string>>;
  std::vector<std::pair<std::string, std::vector<std::string>>> points = {};  // name = [x, y]
  Rows lines = {}, circles = {}, boxes = {}, polygons = {}, ground = {}, curves = {};
  std::vector<std::string> trails = {};
  std::optional<std::vector<double>> view = {};  // xmin, xmax, ymin, ymax
  bool empty() const { return *this == DrawSpec{.view = view}; }
  bool operator==(const DrawSpec&) const = default;
};

// Where a key stands, so that whoever rejects its value later can point at it.
struct SourceMap {
  std::string file;
  std::map<std::string, std::string> places;  // "method.flow" -> "my.toml:7:8" or "--set method.flow=svc"
};

struct Scenario {
  std::string title;
  std::int64_t seed = 0;
  SystemSpec system;
  InitialSpec initial;
  MethodSpec method;
  TimeSpec time;
  OutputSpec output;
  DrawSpec draw;
  SceneSpec scene;
  SourceMap source;

  // The one way to refuse a value: throws ScenarioError "place: key = value: why". A key that is not in the
  // file takes the place of the table it belongs to. Pass strings in quotes, as TOML has them, and "" for a
  // key left out.
  [[noreturn]] void reject(const std::string& key, const std::string& value, const std::string& why) const;
};

// `overrides` are "a.b=c" as given to --set; c is a TOML value, or a bare word taken as a string.
Scenario read_scenario(const std::string& path, const std::vector<std::string>& overrides = {});
Scenario parse_scenario(const std::string& text, const std::string& name,
                        const std::vector<std::string>& overrides = {});

// The scenario as TOML that reads back to the same Scenario, digit for digit.
std::string to_toml(const Scenario& scenario);

}  // namespace carom
