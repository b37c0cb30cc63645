#include "formula/dae_expressions.hpp"

#include <fmt/format.h>

#include "formula/friction_formulas.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

// The names of y, after a look at whether those of z are as many.
std::vector<std::string> checked_y_and_z(const Scenario& s) {
  const auto& y = s.system.coordinates;
  const auto& z = s.system.z;
  if (y.empty())
    s.reject("system.coordinates", "", "must be given, the names of y: coordinates = [\"y1\", ...]");
  const std::string as_many = fmt::format("{}, as many as coordinates", y.size());
  if (z.empty()) s.reject("system.z", "", "must be given: the names of z, " + as_many);
  if (z.size() != y.size())
    s.reject("system.z", fmt::format("an array of {}", z.size()), "must have " + as_many);
  return y;
}

class DaeReader {
 public:
  DaeReader(const Scenario& s, DaeExpressions& expressions) : scenario(s), r(expressions), names(r.names) {}

  void read() {
    const SystemSpec& system = scenario.system;
    add_constraints("joints", system.joints, r.joint_names, "a joint");
    refuse_stiffness();
    add_constraints("gaps", system.gaps, r.gap_names, "a gap");
    require("v", system.v, "y' = v");
    require("f", system.f, "d/dt p = f + r");
    if (!r.constraints.empty()) require("r", system.r, "d/dt p = f + r");
    r.v = driving("v", system.v, false);
    r.f = driving("f", system.f, true);
    r.p = driving("p", system.p, false);
    if (system.p.empty())
      for (int i = 0; i < names.dim(); ++i) r.p.push_back(names.expressions.symbol(names.v(i)));
    read_reactions();
    read_friction();
    if (system.energy) r.energy = timeless("system.energy", *system.energy);
  }

 private:
  void require(const char* name, const std::vector<std::string>& formulas, const char* meaning) const {
    if (formulas.empty())
      scenario.reject(
          fmt::format("system.{}", name), "",
          fmt::format("must be given, one formula for each of the {} coordinates: {}", names.dim(), meaning));
  }
  void check_size(const std::string& key, const std::vector<std::string>& formulas) const {
    if (static_cast<int>(formulas.size()) != names.dim())
      scenario.reject(key, fmt::format("an array of {}", formulas.size()),
                      fmt::format("must have {}, one for each coordinate and its z", names.dim()));
  }

  // What moves it: formulas of y and z, of t where it may be.
  Nodes driving(const std::string& name, const std::vector<std::string>& formulas, bool timed) {
    const std::string key = "system." + name;
    if (!formulas.empty()) check_size(key, formulas);
    Nodes nodes;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const std::string own = fmt::format("{}.{}", key, i);
      nodes.push_back(timed ? names.parse(own, formulas[i]) : timeless(own, formulas[i]));
    }
    return nodes;
  }
  formula::Node timeless(const std::string& key, const std::string& text) {
    const formula::Node node = names.parse(key, text);
    refuse_time(key, text, node);
    return node;
  }
  void refuse_time(const std::string& key, const std::string& text, formula::Node node) const {
    if (names.expressions.depends_on(node, names.t()))
      scenario.reject(key, detail::quoted(text), "must not depend on t; time may stand in f only");
  }

  void read_reactions() {
    const auto& formulas = scenario.system.r;
    if (!formulas.empty()) check_size("system.r", formulas);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const std::string key = fmt::format("system.r.{}", i);
      r.r.push_back(names.parse_reaction(key, formulas[i]));
      refuse_time(key, formulas[i], r.r.back());
    }
    r.r.resize(static_cast<std::size_t>(names.dim()), names.expressions.number(0));
  }

  void read_friction() {
    const auto& formulas = scenario.system.friction;
    if (!formulas.empty()) check_friction_size(scenario, names);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const std::string key = fmt::format("system.friction.{}", i);
      r.friction.push_back(names.parse_reaction(key, formulas[i]));
      check_friction(scenario, names, key, formulas[i], r.friction.back());
    }
  }

  void add_constraints(const std::string& table, const Formulas& formulas,
                       std::vector<std::string>& own_names, const char* what) {
    for (const auto& [name, text] : formulas) {
      const std::string key = "system." + table + "." + detail::key_part(name);
      const formula::Node node = timeless(key, text);
      for (int i = 0; i < names.dim(); ++i)
        if (names.expressions.depends_on(node, names.v(i)))
          scenario.reject(key, detail::quoted(text),
                          fmt::format("must not depend on {}: constraints are formulas of {} only",
                                      names.velocities()[i], fmt::join(names.coordinates(), ", ")));
      names.refuse_jump(key, text, node, what);
      own_names.push_back(name), r.constraints.push_back(node);
    }
  }
  void refuse_stiffness() const {
    const auto joints = static_cast<int>(r.joint_names.size());
    if (joints > 0 && joints >= names.dim())
      scenario.reject(
          "system.joints", fmt::format("{} formulas", joints),
          fmt::format("must be fewer than the {} coordinates, or nothing could move", names.dim()));
  }

  const Scenario& scenario;
  DaeExpressions& r;
  FormulaNames& names;
};

}  // namespace

DaeExpressions::DaeExpressions(const Scenario& scenario)
    : names(scenario, checked_y_and_z(scenario), number_parameters(scenario)) {
  DaeReader(scenario, *this).read();
}

}  // namespace carom
