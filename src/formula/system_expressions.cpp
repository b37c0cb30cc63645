#include "formula/system_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formula/friction_formulas.hpp"
#include "formula/kinks.hpp"
#include "formula/point_contacts.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

std::vector<std::string> checked_coordinates(const Scenario& s) {
  const auto& coordinates = s.system.coordinates;
  if (coordinates.empty()) s.reject("system.coordinates", "", "must be given: coordinates = [\"x\", ...]");
  return coordinates;
}

class SystemReader {
 public:
  SystemReader(const Scenario& s, SystemExpressions& expressions)
      : scenario(s), r(expressions), names(r.names) {}

  void read() {
    read_lagrangian();
    read_contacts();
    r.joints = read_table("joints", scenario.system.joints, r.joint_names, "a joint", &r.joint_slopes);
    refuse_stiffness();
    r.momenta = read_table("momenta", scenario.system.momenta, r.momentum_names);
    read_force();
    read_friction();
    auto& e = names.expressions;
    for (const Nodes& nodes : {Nodes{r.L}, r.gaps, r.joints})
      for (const formula::Node node : nodes) r.timed = r.timed || e.depends_on(node, names.t());
    if (r.timed) differentiate_by_time();
    for (const formula::Node f : r.force)
      append(gradient(f, names.q(0)), r.force_by_q), append(gradient(f, names.v(0)), r.force_by_v);
  }

 private:
  void read_lagrangian() {
    const std::string key = "system.lagrangian";
    if (!scenario.system.lagrangian)
      scenario.reject(key, "", "must be given: lagrangian = \"0.5*m*x'^2 - ...\"");
    const std::string& text = *scenario.system.lagrangian;
    r.L = names.parse(key, text);
    names.refuse_jump(key, text, r.L, "a Lagrangian");
    try {
      differentiate();
      find_form();
    } catch (const formula::FormulaError& e) {
      scenario.reject(key, detail::quoted(text), fmt::format("its derivatives: {}", e.what()));
    }
  }

  void differentiate() {
    const int n = names.dim();
    r.Lq = gradient(r.L, names.q(0)), r.Lv = gradient(r.L, names.v(0));
    std::vector<Nodes> qv, vv, qq;  // by the first of both
    for (int i = 0; i < n; ++i) {
      qv.push_back(gradient(r.Lv[i], names.q(0)));
      vv.push_back(gradient(r.Lv[i], names.v(0), i));
      qq.push_back(gradient(r.Lq[i], names.q(0), i));
    }
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) {
        const int low = std::min(i, k), high = std::max(i, k);
        r.Lqv.push_back(qv[i][k]), r.Lvv.push_back(vv[low][high]), r.Lqq.push_back(qq[low][high]);
      }
  }

  // Derivatives by all coordinates or velocities, from the one of number `begin` on. Only what a formula is
  // made of is looked at: of many coordinates most have nothing to do with each other.
  Nodes gradient(formula::Node of, int first, int begin = 0) {
    auto& e = names.expressions;
    const int n = names.dim();
    const formula::Node zero = e.number(0);
    Nodes slopes(static_cast<std::size_t>(n), zero);
    const std::vector<bool> varies = e.symbols_of(of, first, n);
    for (int i = begin; i < n; ++i)
      if (varies[i]) slopes[i] = e.derivative(of, first + i);
    return slopes;
  }

  void differentiate_by_time() {
    auto& e = names.expressions;
    r.drift.push_back(e.derivative(r.L, names.t()));
    for (const formula::Node p : r.Lv) r.drift.push_back(e.derivative(p, names.t()));
    for (const formula::Node g : r.gaps) r.gap_drifts.push_back(e.derivative(g, names.t()));
    for (const formula::Node g : r.branched_gaps) r.branched_drifts.push_back(e.derivative(g, names.t()));
    for (const formula::Node f : r.joints) r.joint_drifts.push_back(e.derivative(f, names.t()));
  }

  void find_form() {
    auto& e = names.expressions;
    r.quadratic = true;
    for (const formula::Node node : r.Lvv)
      r.quadratic = r.quadratic && (e.constant(node) || !e.depends_on_any(node, names.v(0), names.dim()));
    std::vector<std::pair<int, formula::Node>> at_rest;
    for (int i = 0; i < names.dim(); ++i) at_rest.emplace_back(names.v(i), e.number(0));
    r.split = r.quadratic;
    for (const formula::Node node : r.Lv) r.split = r.split && e.constant(e.substitute(node, at_rest)) == 0.0;
    if (!r.split) return;
    r.constant_mass = std::all_of(r.Lvv.begin(), r.Lvv.end(),
                                  [&](formula::Node node) { return e.constant(node).has_value(); });
    r.V = e.make(formula::Op::negate, e.substitute(r.L, at_rest));
    r.Vq = gradient(r.V, names.q(0));
  }

  // `place`: what they are, if they are functions of places, which have `slopes`.
  Nodes read_table(const std::string& table, const Formulas& formulas, std::vector<std::string>& own_names,
                   const char* place = nullptr, Nodes* slopes = nullptr) {
    Nodes nodes;
    for (const auto& [name, text] : formulas) {
      const std::string key = "system." + table + "." + detail::key_part(name);
      nodes.push_back(place ? read_place(key, text, place, *slopes) : names.parse(key, text));
      own_names.push_back(name);
    }
    return nodes;
  }

  formula::Node read_place(const std::string& key, const std::string& text, const char* what, Nodes& slopes) {
    const formula::Node node = names.parse(key, text);
    refuse_velocity(key, text, node, what);
    names.refuse_jump(key, text, node, what);
    try {
      append(gradient(node, names.q(0)), slopes);
    } catch (const formula::FormulaError& e) {
      scenario.reject(key, detail::quoted(text), fmt::format("its derivatives: {}", e.what()));
    }
    return node;
  }

  formula::Node place_of_point(const std::string& key, const ContactSpec& contact) {
    const formula::Node gap = read_point(scenario, names, key, contact).gap;
    names.refuse_jump(key + "wall", contact.wall.value_or(""), gap, "a gap");
    append(gradient(gap, names.q(0)), r.gap_slopes);
    return gap;
  }

  static void append(const Nodes& more, Nodes& list) { list.insert(list.end(), more.begin(), more.end()); }

  void read_contacts() {
    r.gaps = read_table("gaps", scenario.system.gaps, r.gap_names, "a gap", &r.gap_slopes);
    r.restitutions.resize(r.gaps.size(), std::nan(""));
    r.slips.each = slips_each(scenario);
    for (std::size_t i = 0; i < r.gaps.size(); ++i) r.slips.add_frictionless(names);
    Nodes conditions(r.gaps.size(), names.expressions.number(1));
    bool conditional = false;
    for (const auto& [name, contact] : scenario.system.contacts) {
      const std::string key = "system.contacts." + detail::key_part(name) + ".";
      r.gap_names.push_back(name);
      r.gaps.push_back(contact.point.empty() ? read_place(key + "gap", *contact.gap, "a gap", r.gap_slopes)
                                             : place_of_point(key, contact));
      r.restitutions.push_back(
          contact.restitution ? read_restitution(key + "restitution", *contact.restitution) : std::nan(""));
      conditions.push_back(contact.when ? names.parse_condition(key + "when", *contact.when)
                                        : names.expressions.number(1));
      conditional = conditional || contact.when;
      r.slips.add_contact(scenario, names, key, contact);
    }
    if (conditional) r.conditions = std::move(conditions);
    find_branches();
  }

  // Each gap has its own, since contacts come to a kink one by one.
  void find_branches() {
    auto& e = names.expressions;
    for (std::size_t i = 0; i < r.gaps.size(); ++i) {
      std::vector<formula::Branch> own;
      const int first = names.inputs() + static_cast<int>(r.branches.size());
      r.branched_gaps.push_back(formula::branched(e, r.gaps[i], first, own));
      append(gradient(r.branched_gaps.back(), names.q(0)), r.branched_slopes);
      for (const formula::Branch& branch : own)
        r.branches.push_back(formula::choice_of(e, branch)), r.branch_contacts.push_back(static_cast<int>(i));
    }
  }

  double read_restitution(const std::string& key, const ParameterValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (!text) return std::get<double>(value);
    const auto number = names.expressions.constant(names.parse(key, *text));
    if (!number || !(*number >= 0 && *number <= 1))
      scenario.reject(key, detail::quoted(*text),
                      (number ? fmt::format("is {}; ", *number) : std::string()) +
                          "must be from 0 to 1, as a number or a formula of the parameters");
    return *number;
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
    const auto varies = names.expressions.symbols_of(node, names.v(0), names.dim());
    for (int i = 0; i < names.dim(); ++i)
      if (varies[i])
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
