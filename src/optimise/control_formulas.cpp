#include <fmt/format.h>

#include "optimise/transcription.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

std::vector<std::string> chosen(const ControlProblem& problem, const Scenario& scenario) {
  const auto parameters = number_parameters(scenario);
  std::vector<std::string> known, all = problem.controls;
  for (const auto& [name, value] : parameters) known.push_back(name);
  for (const auto& [name, range] : problem.parameters) all.push_back(name);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!parameters.contains(all[i]))
      problem.reject(i < problem.controls.size() ? "controls" : "parameters." + detail::key_part(all[i]),
                     detail::quoted(all[i]), "is no parameter of the scenario" + suggestion(all[i], known));
  return all;
}

}  // namespace

ControlFormulas::ControlFormulas(const ControlProblem& p, const Prepared& prepared)
    : problem(p),
      names(prepared.scenario, prepared.scenario.system.coordinates, number_parameters(prepared.scenario),
            chosen(p, prepared.scenario)),
      n(names.dim()),
      controls(static_cast<int>(p.controls.size())),
      parameters(static_cast<int>(p.parameters.size())) {
  read_motion(prepared.scenario);
  read_gaps(prepared.scenario, prepared.method.restitution);
  const formula::Node zero = names.expressions.number(0);
  running = p.running.empty() ? zero : parse("cost.running", p.running);
  at_end = p.at_end.empty() ? zero : parse("cost.end", p.at_end);
  for (const auto& [name, text] : p.path) path.push_back(parse("path." + detail::key_part(name), text));
}

formula::Node ControlFormulas::parse(const std::string& key, const std::string& text) {
  try {
    return names.parse(key, text);
  } catch (const ScenarioError& e) {
    problem.reject(e.key, e.value, e.why);
  }
}

void ControlFormulas::refuse_controls_in(formula::Node node, const char* where) {
  for (int k = 0; k < controls; ++k)
    if (names.expressions.depends_on(node, names.varied(k)))
      problem.reject("controls", detail::quoted(problem.controls[static_cast<std::size_t>(k)]),
                     fmt::format("stands in {}; controls are for the forces", where));
}

void ControlFormulas::read_motion(const Scenario& s) {
  auto& e = names.expressions;
  const formula::Node L = names.parse("system.lagrangian", *s.system.lagrangian);
  refuse_controls_in(L, "the Lagrangian");
  bool used = controls == 0;
  for (int i = 0; i < n; ++i) {
    Lv.push_back(e.derivative(L, names.v(i)));
    formula::Node force = e.derivative(L, names.q(i));
    if (!s.system.force.empty())
      force =
          e.make(formula::Op::add, force,
                 names.parse(fmt::format("system.force.{}", i), s.system.force[static_cast<std::size_t>(i)]));
    used = used || e.depends_on_any(force, names.varied(0), controls);
    Fq.push_back(force);
  }
  if (!used)
    problem.reject("controls", detail::quoted(problem.controls[0]), "no force of the scenario depends on it");
}

void ControlFormulas::read_gaps(const Scenario& s, double restitution) {
  auto& e = names.expressions;
  const auto add = [&](const std::string& name, const std::string& key, const std::string& text,
                       formula::Node own) {
    const formula::Node g = names.parse(key, text);
    refuse_controls_in(g, "a gap");
    gap_names.push_back(name), gaps.push_back(g), restitutions.push_back(own);
    gap_drifts.push_back(e.derivative(g, names.t()));
    normals.emplace_back();
    for (int i = 0; i < n; ++i) normals.back().push_back(e.derivative(g, names.q(i)));
  };
  for (const auto& [name, text] : s.system.gaps)
    add(name, "system.gaps." + detail::key_part(name), text, e.number(restitution));
  for (const auto& [name, contact] : s.system.contacts) {
    const std::string key = "system.contacts." + detail::key_part(name) + ".";
    if (contact.when || contact.mu)
      s.reject(key + (contact.when ? "when" : "mu"), "",
               "optimal control has contacts without conditions and friction");
    formula::Node own = e.number(restitution);
    if (contact.restitution) {
      const auto* text = std::get_if<std::string>(&*contact.restitution);
      own = text ? names.parse(key + "restitution", *text) : e.number(std::get<double>(*contact.restitution));
    }
    add(name, key + "gap", *contact.gap, own);
  }
}

formula::Node ControlFormulas::at(formula::Node of, const Nodes& q, const Nodes& v, formula::Node t,
                                  const Nodes& u, const Nodes& theta) {
  std::vector<std::pair<int, formula::Node>> by = {{names.t(), t}};
  for (std::size_t i = 0; i < q.size(); ++i) by.emplace_back(names.q(static_cast<int>(i)), q[i]);
  for (std::size_t i = 0; i < v.size(); ++i) by.emplace_back(names.v(static_cast<int>(i)), v[i]);
  for (std::size_t i = 0; i < u.size(); ++i) by.emplace_back(names.varied(static_cast<int>(i)), u[i]);
  for (std::size_t i = 0; i < theta.size(); ++i)
    by.emplace_back(names.varied(controls + static_cast<int>(i)), theta[i]);
  return names.expressions.substitute(of, by);
}

ControlRule control_rule(const Prepared& prepared) {
  const Flow& flow = prepared.method.flow;
  ControlRule r;
  const bool one = flow.substeps.size() == 1 && flow.substeps[0].fraction == 1;
  if (!one)
    prepared.scenario.reject(
        "method.flow", '"' + flow.name + '"',
        "steps by several rules, some of them backwards, where a cost would count as a gain; take \"svc\", "
        "\"midpoint\" or \"gauss\", whose order for optimal control is twice its stages");
  if (const auto* gauss = std::get_if<Gauss>(&flow.substeps[0].block)) {
    const GaussTable& table = gauss_table(gauss->stages);
    r.velocities = table.stages;
    for (int j = 0; j < table.stages; ++j) {
      const auto k = static_cast<std::size_t>(j);
      r.c.push_back(table.c[k]), r.b.push_back(table.b[k]), r.velocity_of.push_back(j);
      r.A.emplace_back(table.a[k].begin(), table.a[k].begin() + table.stages);
    }
    return r;
  }
  r.velocities = 1;
  for (const auto& node : std::get<Rule>(flow.substeps[0].block))
    r.c.push_back(node.c), r.b.push_back(node.b), r.velocity_of.push_back(0), r.A.push_back({node.c});
  r.shares_nodes = r.c.front() == 0 && r.c.back() == 1;
  return r;
}

}  // namespace carom
