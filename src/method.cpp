#include "method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suggest.hpp"

namespace carom {
namespace {

std::string quoted(const std::string& word) { return '"' + word + '"'; }

std::vector<std::string> names_of(const std::string& kind) {
  std::vector<std::string> r;
  for (const auto& method : known_methods())
    if (method.kind == kind) r.push_back(method.name);
  return r;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// A key whose every value belongs to a later version: a known value is refused as such, another one as unknown.
void refuse_unbuilt(const Scenario& s, const char* key, const std::optional<std::string>& value, const std::string& kind) {
  if (!value) return;
  const auto known = names_of(kind);
  if (contains(known, *value)) s.reject(key, quoted(*value), fmt::format("this {} is not built yet in this version", kind));
  s.reject(key, quoted(*value), fmt::format("no {} has this name{}", kind, suggestion(*value, known)));
}

void refuse_options_of_impacts(const Scenario& s) {
  const auto& m = s.method;
  const auto refuse = [&s](const char* key, const std::string& value) {
    s.reject(key, value, "belongs to impact laws and contact, which are not built yet in this version");
  };
  if (m.fraction) refuse("method.fraction", quoted(*m.fraction));
  if (m.reflection) refuse("method.reflection", quoted(*m.reflection));
  if (m.energy) refuse("method.energy", quoted(*m.energy));
  if (m.predictor) refuse("method.predictor", quoted(*m.predictor));
  if (m.order) refuse("method.order", fmt::format("{}", *m.order));
  if (m.restitution) refuse("method.restitution", fmt::format("{}", *m.restitution));
  if (m.tolerance)
    s.reject("method.tolerance", fmt::format("{}", *m.tolerance), "step-size choice is not built yet in this version");
  if (s.time.impacts)
    s.reject("time.impacts", fmt::format("{}", *s.time.impacts), "impacts are not built yet in this version; give time.end");
}

// The flow's name: method.flow, or method.name where that names a flow.
std::string flow_name(const Scenario& s) {
  const auto& m = s.method;
  const auto flows = names_of("flow");
  if (m.name && !contains(flows, *m.name)) {
    const auto short_names = names_of("short name");
    if (contains(short_names, *m.name)) s.reject("method.name", quoted(*m.name), "this method is not built yet in this version");
    auto all = flows;
    all.insert(all.end(), short_names.begin(), short_names.end());
    s.reject("method.name", quoted(*m.name), "no method has this name" + suggestion(*m.name, all));
  }
  if (m.name && m.flow && *m.name != *m.flow)
    s.reject("method.flow", quoted(*m.flow), fmt::format("contradicts method.name = \"{}\"", *m.name));
  const std::string name = m.flow.value_or(m.name.value_or("svc"));
  if (!contains(flows, name)) s.reject("method.flow", quoted(name), "no flow has this name" + suggestion(name, flows));
  return name;
}

bool is_composition(const std::string& flow) {
  return flow == "yoshida4" || flow == "suzuki4" || flow == "kahan-li6" || flow == "kahan-li8";
}

void check_flow_options(const Scenario& s, const std::string& flow) {
  const auto& m = s.method;
  const std::vector<std::string> bases(base_names.begin(), base_names.end());
  if (m.base && !is_composition(flow))
    s.reject("method.base", quoted(*m.base), fmt::format("the flow \"{}\" has no base; compositions such as \"yoshida4\" do", flow));
  if (m.base && !contains(bases, *m.base))
    s.reject("method.base", quoted(*m.base), "must be a symmetric flow of order 2" + suggestion(*m.base, bases));
  if (m.stages && flow != "gauss")
    s.reject("method.stages", fmt::format("{}", *m.stages), fmt::format("the flow \"{}\" has no stages; \"gauss\" does", flow));
  if (m.gamma && flow != "gamma")
    s.reject("method.gamma", fmt::format("{}", *m.gamma), fmt::format("the flow \"{}\" has no gamma; \"gamma\" does", flow));
}

}  // namespace

const std::vector<MethodInfo>& known_methods() {
  static const std::vector<MethodInfo> methods = {
      {"se1", "flow", "symplectic Euler, L at the start of the step; order 1", true},
      {"se2", "flow", "symplectic Euler, L at the end of the step; order 1", true},
      {"midpoint", "flow", "implicit midpoint rule; order 2, symmetric", true},
      {"gamma", "flow", "one node at gamma q0 + (1 - gamma) q1 (key gamma); order 2 for gamma = 0.5, else 1", true},
      {"svc", "flow", "Stormer-Verlet from the trapezoidal discrete Lagrangian; order 2, symmetric", true},
      {"sva", "flow", "Stormer-Verlet as se1 then se2 over half steps; order 2, symmetric", true},
      {"svb", "flow", "Stormer-Verlet as se2 then se1 over half steps; order 2, symmetric", true},
      {"yoshida4", "flow", "three stages over a base (key base, default sva); order 4", true},
      {"suzuki4", "flow", "five stages over a base; order 4", true},
      {"kahan-li6", "flow", "nine stages over a base; order 6", true},
      {"kahan-li8", "flow", "seventeen stages over a base; order 8", true},
      {"gauss", "flow", "Gauss collocation (key stages, 1 to 8, default 4); order twice the stages", true},
      {"smooth", "stepper", "the flow alone; ends where a contact closes", true},
      {"event-driven", "stepper", "impacts located inside the step", false},
      {"gvi", "stepper", "geometric variational integrator of 003", false},
      {"contact", "stepper", "impacts and lasting contact", false},
      {"direct", "stepper", "direct substitution", false},
      {"dae-euler", "stepper", "symplectic Euler for overdetermined DAEs", false},
      {"continuous-energy", "impact law", "conserves H at the impact", false},
      {"discrete-energy", "impact law", "conserves the discrete energy", false},
      {"modified-energy", "impact law", "conserves a truncated modified Hamiltonian", false},
      {"stable-energy", "impact law", "conserves the stable value of a modified Hamiltonian", false},
      {"shadow", "impact law", "conserves the shadow energy, node to node", false},
      {"cva", "short name", "continuous-energy on svc", false},
      {"ctec", "short name", "continuous-energy on svc", false},
      {"vci", "short name", "discrete-energy on svc", false},
      {"dtec", "short name", "discrete-energy on svc", false},
      {"mcva", "short name", "modified-energy", false},
      {"mcva-a", "short name", "modified-energy on sva", false},
      {"mcva-c", "short name", "modified-energy on svc", false},
      {"mhc", "short name", "stable-energy on svc", false},
  };
  return methods;
}

Method make_method(const Scenario& s) {
  const auto& m = s.method;
  if (m.stepper != "smooth") refuse_unbuilt(s, "method.stepper", m.stepper, "stepper");
  refuse_unbuilt(s, "method.impact", m.impact, "impact law");
  refuse_options_of_impacts(s);
  const std::string name = flow_name(s);
  check_flow_options(s, name);

  const std::string base = m.base.value_or("sva");
  const int stages = m.stages.value_or(4);
  const double gamma = m.gamma.value_or(0.5);
  Method r{name, "smooth", make_flow(name, {.base = base, .stages = stages, .gamma = gamma})};
  if (is_composition(name)) r.label += " on " + base;
  if (name == "gauss") r.label += fmt::format(" with {} stage{}", stages, stages == 1 ? "" : "s");
  if (name == "gamma") r.label += fmt::format(" = {}", gamma);
  return r;
}

}  // namespace carom
