#include "scenario/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "carom/flow/collocation.hpp"
#include "carom/flow/shadow.hpp"
#include "scenario/method_options.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string> names_of(const std::string& kind) {
  std::vector<std::string> r;
  for (const auto& method : known_methods())
    if (method.kind == kind) r.push_back(method.name);
  return r;
}

// A value must be one of its kind, and built.
void check_name(const Scenario& s, const std::string& key, const std::string& value,
                const std::string& kind) {
  for (const auto& method : known_methods()) {
    if (method.kind != kind || method.name != value) continue;
    if (!method.built)
      s.reject(key, detail::in_quotes(value), fmt::format("this {} is not built yet in this version", kind));
    return;
  }
  s.reject(key, detail::in_quotes(value),
           fmt::format("no {} has this name{}", kind, suggestion(value, names_of(kind))));
}

struct Choice {
  std::optional<std::string> flow, impact;
};

// What method.name stands for: a flow, an impact law, or a short name of the papers for both.
Choice meaning_of_name(const Scenario& s) {
  static const std::map<std::string, Choice> short_names = {
      {"cva", {"svc", "continuous-energy"}},  {"ctec", {"svc", "continuous-energy"}},
      {"vci", {"svc", "discrete-energy"}},    {"dtec", {"svc", "discrete-energy"}},
      {"mcva", {{}, "modified-energy"}},      {"mcva-a", {"sva", "modified-energy"}},
      {"mcva-c", {"svc", "modified-energy"}}, {"mhc", {"svc", "stable-energy"}}};
  if (!s.method.name) return {};
  const std::string& name = *s.method.name;
  if (contains(names_of("flow"), name)) return {name, {}};
  if (contains(names_of("impact law"), name)) return {{}, name};
  if (const auto found = short_names.find(name); found != short_names.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& method : known_methods())
    if (method.kind == "flow" || method.kind == "impact law" || method.kind == "short name")
      all.push_back(method.name);
  s.reject("method.name", detail::in_quotes(name), "no method has this name" + suggestion(name, all));
}

// Two keys that both name the flow, or the law, must agree.
std::string agreed(const Scenario& s, const char* key, const std::optional<std::string>& stated,
                   const std::optional<std::string>& from_name, const std::string& otherwise) {
  if (stated && from_name && *stated != *from_name)
    s.reject(key, detail::in_quotes(*stated),
             fmt::format("contradicts method.name = \"{}\", which means \"{}\"", *s.method.name, *from_name));
  return stated.value_or(from_name.value_or(otherwise));
}

bool is_composition(const std::string& flow) {
  return flow == "yoshida4" || flow == "suzuki4" || flow == "kahan-li6" || flow == "kahan-li8";
}

void check_flow_options(const Scenario& s, const std::string& flow) {
  const auto& m = s.method;
  const std::vector<std::string> bases(base_names.begin(), base_names.end());
  if (m.base && !is_composition(flow))
    s.reject("method.base", detail::in_quotes(*m.base),
             fmt::format("the flow \"{}\" has no base; compositions such as \"yoshida4\" do", flow));
  if (m.base && !contains(bases, *m.base))
    s.reject("method.base", detail::in_quotes(*m.base),
             "must be a symmetric flow of order 2" + suggestion(*m.base, bases));
  if (m.stages && flow != "gauss")
    s.reject("method.stages", fmt::format("{}", *m.stages),
             fmt::format("the flow \"{}\" has no stages; \"gauss\" does", flow));
  if (m.gamma && flow != "gamma" && m.stepper != "direct")
    s.reject("method.gamma", fmt::format("{}", *m.gamma),
             fmt::format("the flow \"{}\" has no gamma; \"gamma\" does", flow));
}

// Without an impact law its options mean nothing.
void refuse_options_of_impacts(const Scenario& s) {
  const auto& m = s.method;
  const auto refuse = [&s](const char* key, const std::string& value) {
    s.reject(key, value, "needs an impact law, and the stepper \"smooth\" has none");
  };
  if (m.impact) refuse("method.impact", detail::in_quotes(*m.impact));
  if (m.order) refuse("method.order", fmt::format("{}", *m.order));
  if (m.fraction) refuse("method.fraction", detail::in_quotes(*m.fraction));
  if (m.window) refuse("method.window", fmt::format("{}", *m.window));
  if (m.restitution) refuse("method.restitution", fmt::format("{}", *m.restitution));
  if (m.reflection) refuse("method.reflection", detail::in_quotes(*m.reflection));
  if (s.time.impacts) refuse("time.impacts", fmt::format("{}", *s.time.impacts));
}

// Steps that nothing chooses are all time.step long.
void refuse_longest_step(const Scenario& s) {
  if (s.method.longest_step)
    s.reject("method.longest_step", fmt::format("{}", *s.method.longest_step),
             "is of steps that method.tolerance chooses; without it time.step is the longest");
}

// A tolerance chooses stages and steps of Gauss collocation, between impacts that keep H.
void check_tolerance(const Scenario& s, const std::string& flow, const std::string& stepper) {
  const auto refuse = [&s](const std::string& why) {
    s.reject("method.tolerance", fmt::format("{}", *s.method.tolerance), why);
  };
  if (stepper != "event-driven" && stepper != "smooth")
    refuse(fmt::format("the stepper \"{}\" has no choice of steps; \"event-driven\" and \"smooth\" do",
                       stepper));
  if (flow != "gauss") refuse(fmt::format("the flow \"{}\" has no choice of steps; \"gauss\" does", flow));
  if (!(*s.method.tolerance >= 1e-15 && *s.method.tolerance <= 0.01))
    refuse("it is the error of a step relative to the state, from 1e-15 to 0.01");
  if (s.method.stages)
    s.reject("method.stages", fmt::format("{}", *s.method.stages),
             "a tolerance chooses the stages: give one of them");
  if (s.method.impact && *s.method.impact != "continuous-energy")
    s.reject("method.impact", detail::in_quotes(*s.method.impact),
             "steps that a tolerance chooses go with impacts that keep H: \"continuous-energy\"");
}

int checked_order(const Scenario& s, const std::string& law, ModifiedForm form) {
  const auto& order = s.method.order;
  const auto refuse = [&](const std::string& why) {
    s.reject("method.order", fmt::format("{}", *order), why);
  };
  if (law == "shadow") {
    if (order && (*order % 2 != 0 || *order < 2 || *order >= most_shadow_nodes))
      refuse("the order of the shadow energy is even, from 2 to 16");
    return order.value_or(8);
  }
  if (law == "modified-energy" || law == "stable-energy") {
    if (order && form == ModifiedForm::series && (*order < 2 || *order > 4))
      refuse("the series has 2, 3 or 4 terms");
    if (order && form == ModifiedForm::closed && *order != 4)
      refuse("the closed form of this flow has order 4");
    return order.value_or(form == ModifiedForm::closed ? 4 : 3);
  }
  if (order) refuse(fmt::format("the impact law \"{}\" has no order", law));
  return 0;
}

std::string checked_fraction(const Scenario& s, const std::string& law) {
  static const std::map<std::string, std::vector<std::string>> known = {
      {"shadow", {"composition", "polynomial"}}, {"modified-energy", {"gauss", "flow"}}};
  const auto& fraction = s.method.fraction;
  const auto found = known.find(law);
  if (found == known.end()) {
    if (fraction)
      s.reject("method.fraction", detail::in_quotes(*fraction),
               fmt::format("the impact law \"{}\" has no choice of partial steps", law));
    return "flow";
  }
  if (fraction && !contains(found->second, *fraction))
    s.reject("method.fraction", detail::in_quotes(*fraction),
             fmt::format("\"{}\" has no such partial steps{}", law, suggestion(*fraction, found->second)));
  return fraction.value_or(found->second.front());
}

void add_impact_law(const Scenario& s, Method& r, const std::string& flow, const std::string& law) {
  check_name(s, "method.impact", law, "impact law");
  const auto form = modified_form(flow);
  if ((law == "modified-energy" || law == "stable-energy") && form == ModifiedForm::none)
    s.reject("method.impact", detail::in_quotes(law),
             fmt::format(
                 "no modified Hamiltonian is known for the flow \"{}\"; se1, se2, gamma, svc, sva, svb and "
                 "midpoint have one, and \"shadow\" works with every flow",
                 flow));
  if (s.method.window && law != "stable-energy")
    s.reject("method.window", fmt::format("{}", *s.method.window),
             fmt::format("the impact law \"{}\" has no window; \"stable-energy\" does", law));
  r.impact = law;
  r.order = checked_order(s, law, form);
  r.fraction = checked_fraction(s, law);
  r.window = s.method.window.value_or(r.window);
  r.restitution = s.method.restitution.value_or(1);
  r.label += ", " + law;
  if (r.order > 0) r.label += fmt::format(" of order {}", r.order);
  if (law == "shadow" || law == "modified-energy") r.label += " (" + r.fraction + ")";
  if (r.restitution != 1) r.label += fmt::format(", restitution {}", r.restitution);
}

}  // namespace

ModifiedForm modified_form(const std::string& flow) {
  if (flow == "sva" || flow == "svb" || flow == "midpoint") return ModifiedForm::closed;
  if (flow == "svc" || flow == "se1" || flow == "se2" || flow == "gamma") return ModifiedForm::series;
  return ModifiedForm::none;
}

Method make_method(const Scenario& s) {
  const auto& m = s.method;
  const std::string stepper = m.stepper.value_or(detail::states_friction(s) ? "contact" : "event-driven");
  check_name(s, "method.stepper", stepper, "stepper");
  detail::refuse_own_contacts(s, stepper);
  const Choice by_name = meaning_of_name(s);
  // On quaternions the midpoint rule keeps H of a free top (carom/bodies/space_scene.hpp).
  const bool in_space = s.system.is_scene() && s.scene.world.dimension == 3;
  const char* usual = m.name == "mcva" || stepper == "dae-euler" ? "sva"
                      : m.tolerance                              ? "gauss"
                      : in_space                                 ? "midpoint"
                                                                 : "svc";
  const std::string flow = agreed(s, "method.flow", m.flow, by_name.flow, usual);
  check_name(s, "method.flow", flow, "flow");
  check_flow_options(s, flow);

  const std::string base = m.base.value_or(in_space ? "midpoint" : "sva");
  m.tolerance ? check_tolerance(s, flow, stepper) : refuse_longest_step(s);
  const int stages = m.tolerance ? stages_for(*m.tolerance) : m.stages.value_or(4);
  const double gamma = m.gamma.value_or(0.5);
  Method r{.label = flow,
           .flow = make_flow(flow, {.base = base, .stages = stages, .gamma = gamma}),
           .stepper = stepper,
           .impact = "",
           .fraction = "flow",
           .tolerance = m.tolerance.value_or(0)};
  r.longest_step = m.longest_step.value_or(r.longest_step);
  if (is_composition(flow)) r.label += " on " + base;
  if (flow == "gauss") r.label += fmt::format(" with {} stage{}", stages, stages == 1 ? "" : "s");
  if (m.tolerance) r.label += fmt::format(" to {}", *m.tolerance);
  if (m.longest_step) r.label += fmt::format(" in steps up to {}", *m.longest_step);
  if (flow == "gamma") r.label += fmt::format(" = {}", gamma);
  if (stepper != "event-driven" && stepper != "contact" && by_name.impact)
    s.reject("method.name", detail::in_quotes(*m.name),
             fmt::format("needs an impact law, and the stepper \"{}\" has none", stepper));
  if (stepper == "dae-euler") return detail::add_dae_options(s, r), r;
  detail::refuse_dae_options(s, stepper);
  if (stepper == "gvi") return detail::add_gvi_options(s, r), r;
  if (stepper == "direct") return detail::add_direct_options(s, r), r;
  detail::refuse_contact_options(s, stepper);
  // What flies free in space keeps H by itself, which no energy of the flow would.
  const bool keeps_H = in_space && s.scene.joints.empty() && s.scene.forces.empty();
  const auto law = [&] {
    const bool plain = flow == "gauss" || detail::has_rough_contacts(s) || keeps_H;
    return agreed(s, "method.impact", m.impact, by_name.impact, plain ? "continuous-energy" : "shadow");
  };
  if (stepper == "contact") {
    check_name(s, "method.impact", law(), "impact law");
    detail::check_contact_flow(s, flow, law());
    detail::check_rough_law(s, law());
    add_impact_law(s, r, flow, law());
    r.friction = detail::has_rough_contacts(s);
    r.label += detail::has_rough_contacts(s) ? ", lasting contact, friction" : ", lasting contact";
    return r;
  }
  if (stepper == "smooth") {
    refuse_options_of_impacts(s);
    return r;
  }
  add_impact_law(s, r, flow, law());
  return r;
}

}  // namespace carom
