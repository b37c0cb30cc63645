#include "formula/system_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formula/friction_formulas.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

std::vector<std::string> checked_coordinates(const Scenario& s) {
  const auto& coordinates = s.system.coordinates;
  if (coordinates.empty()) s.reject("system.coordinates", "", "must be given: coordinates = [\"x\", ...]");
  if (coordinates.size() > most_formula_coordinates)
    s.reject("system.coordinates", fmt::format("an array of {}", coordinates.size()),
             fmt::format("a system in formulas has at most {} coordinates; larger ones are written in C++",
                         most_formula_coordinates));
  return coordinates;
}

class SystemReader {
 public:
  SystemReader(const Scenario& s, SystemExpressions& expressions)
      : scenario(s), r(expressions), names(r.names) {}

  void read() {
    read_lagrangian();
    r.gaps = read_table("gaps", scenario.system.gaps, r.gap_names, most_formula_gaps);
    r.joints = read_table("joints", scenario.system.joints, r.joint_names, most_formula_joints);
    refuse_stiffness();
    r.momenta = read_table("momenta", scenario.system.momenta, r.momentum_names, 100);
    read_force();
    read_friction();
    r.gap_slopes = slopes_of(r.gaps, "gaps", r.gap_names), r.joint_slopes = slopes_of(r.joints, "joints", r.joint_names);
    auto& e = names.expressions;
    for (const Nodes& nodes : {Nodes{r.L}, r.gaps, r.joints})
      for (const formula::Node node : nodes) r.timed = r.timed || e.depends_on(node, names.t());
    if (r.timed) differentiate_by_time();
    for (const formula::Node f : r.force)
      for (int i = 0; i < names.dim(); ++i)
        r.force_by_q.push_back(e.derivative(f, names.q(i))), r.force_by_v.push_back(e.derivative(f, names.v(i)));
  }

 private:
  void read_lagrangian() {
    const std::string key = "system.lagrangian";
    if (!scenario.system.lagrangian)
      scenario.reject(key, "", "must be given: lagrangian = \"0.5*m*x'^2 - ...\"");
    const std::string& text = *scenario.system.lagrangian;
    r.L = names.parse(key, text);
    try {
      differentiate();
      find_form();
    } catch (const formula::FormulaError& e) {
      scenario.reject(key, detail::quoted(text), fmt::format("its derivatives: {}", e.what()));
    }
  }

  void differentiate() {
    auto& e = names.expressions;
    const int n = names.dim();
    for (int i = 0; i < n; ++i) r.Lq.push_back(e.derivative(r.L, names.q(i)));
    for (int i = 0; i < n; ++i) r.Lv.push_back(e.derivative(r.L, names.v(i)));
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) {
        const int low = std::min(i, k), high = std::max(i, k);
        r.Lqv.push_back(e.derivative(r.Lv[i], names.q(k)));
        r.Lvv.push_back(e.derivative(r.Lv[low], names.v(high)));
        r.Lqq.push_back(e.derivative(r.Lq[low], names.q(high)));
      }
  }

  void differentiate_by_time() {
    auto& e = names.expressions;
    r.drift.push_back(e.derivative(r.L, names.t()));
    for (const formula::Node p : r.Lv) r.drift.push_back(e.derivative(p, names.t()));
    for (const formula::Node g : r.gaps) r.gap_drifts.push_back(e.derivative(g, names.t()));
    for (const formula::Node f : r.joints) r.joint_drifts.push_back(e.derivative(f, names.t()));
  }

  void find_form() {
    auto& e = names.expressions;
    r.quadratic = true;
    for (const formula::Node node : r.Lvv)
      for (int i = 0; i < names.dim(); ++i) r.quadratic = r.quadratic && !e.depends_on(node, names.v(i));
    std::vector<std::pair<int, formula::Node>> at_rest;
    for (int i = 0; i < names.dim(); ++i) at_rest.emplace_back(names.v(i), e.number(0));
    r.split = r.quadratic;
    for (const formula::Node node : r.Lv) r.split = r.split && e.constant(e.substitute(node, at_rest)) == 0.0;
    if (!r.split) return;
    r.constant_mass = std::all_of(r.Lvv.begin(), r.Lvv.end(),
                                  [&](formula::Node node) { return e.constant(node).has_value(); });
    r.V = e.make(formula::Op::negate, e.substitute(r.L, at_rest));
    for (int i = 0; i < names.dim(); ++i) r.Vq.push_back(e.derivative(r.V, names.q(i)));
  }

  Nodes read_table(const std::string& table, const Formulas& formulas, std::vector<std::string>& own_names,
                   int most) {
    if (formulas.size() > static_cast<std::size_t>(most))
      scenario.reject("system." + table, fmt::format("{} formulas", formulas.size()),
                      fmt::format("at most {} fit", most));
    Nodes nodes;
    for (const auto& [name, text] : formulas) {
      const std::string key = "system." + table + "." + detail::key_part(name);
      const formula::Node node = names.parse(key, text);
      if (table == "gaps") refuse_velocity(key, text, node, "a gap");
      if (table == "joints") refuse_velocity(key, text, node, "a joint");
      own_names.push_back(name), nodes.push_back(node);
    }
    return nodes;
  }

  Nodes slopes_of(const Nodes& values, const std::string& table, const std::vector<std::string>& own_names) {
    Nodes slopes;
    for (std::size_t k = 0; k < values.size(); ++k) try {
        for (int i = 0; i < names.dim(); ++i)
          slopes.push_back(names.expressions.derivative(values[k], names.q(i)));
      } catch (const formula::FormulaError& e) {
        scenario.reject("system." + table + "." + detail::key_part(own_names[k]), "",
                        fmt::format("its derivatives: {}", e.what()));
      }
    return slopes;
  }

  void read_force() {
    const auto& force = scenario.system.force;
    if (force.empty()) return;
    if (static_cast<int>(force.size()) != names.dim())
      scenario.reject("system.force", fmt::format("an array of {}", force.size()),
                      fmt::format("must have {}, one per coordinate", names.dim()));
    for (std::size_t i = 0; i < force.size(); ++i)
      r.force.push_back(names.parse(fmt::format("system.force.{}", i), force[i]));
  }

  void read_friction() {
    const auto& friction = scenario.system.friction;
    if (friction.empty()) return;
    check_friction_size(scenario, names);
    for (std::size_t i = 0; i < friction.size(); ++i) {
      const std::string key = fmt::format("system.friction.{}", i);
      r.friction.push_back(names.parse_reaction(key, friction[i]));
      check_friction(scenario, names, key, friction[i], r.friction.back());
    }
  }

  void refuse_stiffness() const {
    const auto joints = static_cast<int>(r.joints.size());
    if (joints > 0 && joints >= names.dim())
      scenario.reject(
          "system.joints", fmt::format("{} formulas", joints),
          fmt::format("must be fewer than the {} coordinates, or nothing could move", names.dim()));
  }
  void refuse_velocity(const std::string& key, const std::string& text, formula::Node node,
                       const char* what) const {
    for (int i = 0; i < names.dim(); ++i)
      if (names.expressions.depends_on(node, names.v(i)))
        scenario.reject(key, detail::quoted(text),
                        fmt::format("{} must not depend on the velocity {}'", what, names.coordinates()[i]));
  }

  const Scenario& scenario;
  SystemExpressions& r;
  FormulaNames& names;
};

}  // namespace

SystemExpressions::SystemExpressions(const Scenario& scenario)
    : names(scenario, checked_coordinates(scenario), number_parameters(scenario)) {
  SystemReader(scenario, *this).read();
}

}  // namespace carom
