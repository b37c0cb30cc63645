#include "scenario/method_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/flow/shadow.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom::detail {
namespace {

using Words = std::vector<std::string>;
const Words reflections = {"generalized", "moreau", "sequential"},
            energies = {"hamiltonian", "numerical", "shadow"}, predictors = {"free", "jointed"},
            constraint_kinds = {"exact", "linearized", "predicted"},
            direct_schemes = {"endpoint", "midpoint", "newmark", "imex-newmark"};

// A key that means nothing to this stepper.
void refuse(const Scenario& s, const char* key, const std::optional<std::string>& value,
            const std::string& stepper, const char* owner) {
  if (value)
    s.reject(key, in_quotes(*value),
             fmt::format("the stepper \"{}\" has no such choice; \"{}\" does", stepper, owner));
}
void refuse(const Scenario& s, const char* key, const std::optional<double>& value,
            const std::string& stepper, const char* owner) {
  if (value)
    s.reject(key, fmt::format("{}", *value),
             fmt::format("the stepper \"{}\" has no such choice; {} does", stepper, owner));
}

void refuse_impact_keys(const Scenario& s, const std::string& stepper) {
  const auto& m = s.method;
  refuse(s, "method.impact", m.impact, stepper, "event-driven");
  refuse(s, "method.fraction", m.fraction, stepper, "event-driven");
  if (m.window)
    s.reject("method.window", fmt::format("{}", *m.window), "belongs to the impact law \"stable-energy\"");
  if (m.restitution && *m.restitution != 1)
    s.reject("method.restitution", fmt::format("{}", *m.restitution),
             fmt::format("the stepper \"{}\" has elastic reflections only; \"event-driven\" has lossy ones",
                         stepper));
}

const std::vector<std::string> dae_schemes = {"true", "natural", "conjugate-true", "conjugate-natural"},
                               places = {"ends", "z0", "z1", "Z1"};

void refuse_other_keys(const Scenario& s) {
  const auto& m = s.method;
  const auto refuse = [&s](const char* key, const auto& value) {
    if (value)
      s.reject(key, fmt::format("{}", *value),
               "the stepper \"dae-euler\" has no such choice: its landings follow method.restitution and the "
               "system's friction");
  };
  refuse("method.impact", m.impact), refuse("method.order", m.order), refuse("method.fraction", m.fraction);
  refuse("method.window", m.window), refuse("method.reflection", m.reflection);
  refuse("method.energy", m.energy), refuse("method.predictor", m.predictor);
  refuse("method.constraints", m.constraints), refuse("method.beta", m.beta);
}

void check_dae_flow(const Scenario& s, const Flow& flow) {
  const std::string key = s.method.flow ? "method.flow" : "method.name";
  const auto refuse = [&](const std::string& why) { s.reject(key, in_quotes(flow.name), why); };
  if (flow.name == "se2")
    refuse(
        "with dae-euler a step by itself is \"se1\"; scheme = \"conjugate-true\" takes the forces at its "
        "end");
  for (const Substep& substep : flow.substeps) {
    const Rule* rule = std::get_if<Rule>(&substep.block);
    if (rule && rule->end() - rule->begin() == 1 && rule->ends_only()) continue;
    if (s.method.base)
      s.reject("method.base", in_quotes(*s.method.base), "with dae-euler it is \"sva\" or \"svb\"");
    refuse(
        "is not made of symplectic Euler steps; with dae-euler take \"se1\" (order 1), \"sva\", \"svb\" "
        "(2) or a composition such as \"yoshida4\"");
  }
}

}  // namespace

void choose(const Scenario& s, const char* key, const std::optional<std::string>& stated, const Words& known,
            std::string& chosen) {
  if (!stated) return;
  if (std::find(known.begin(), known.end(), *stated) == known.end())
    s.reject(key, in_quotes(*stated), "there is no such choice" + suggestion(*stated, known));
  chosen = *stated;
}

void check_contact_flow(const Scenario& s, const std::string& flow, const std::string& law) {
  if (flow == "gauss")
    s.reject("method.flow", in_quotes(flow),
             "contact steps by quadrature rules and their compositions, which stay on what is held; gauss is "
             "neither");
  const std::string others =
      "the stepper \"contact\" has the laws \"shadow\" and \"continuous-energy\"; \"event-driven\" has the "
      "others";
  const bool fits = law == "shadow" || law == "continuous-energy";
  if (!fits && s.method.impact) s.reject("method.impact", in_quotes(law), others);
  if (!fits)
    s.reject("method.name", in_quotes(*s.method.name), "means " + in_quotes(law) + ", and " + others);
  if (s.method.fraction && *s.method.fraction == "polynomial")
    s.reject(
        "method.fraction", in_quotes(*s.method.fraction),
        "a polynomial leaves joints and lasting contacts; the stepper \"contact\" takes \"composition\"");
}

void add_gvi_options(const Scenario& s, Method& r) {
  const auto& m = s.method;
  refuse_impact_keys(s, "gvi");
  refuse(s, "method.scheme", m.scheme, "gvi", "direct\" or \"dae-euler");
  refuse(s, "method.beta", m.beta, "gvi", "\"direct\" with a Newmark scheme");
  choose(s, "method.reflection", m.reflection, reflections, r.reflection);
  choose(s, "method.energy", m.energy, energies, r.energy);
  choose(s, "method.predictor", m.predictor, predictors, r.predictor);
  choose(s, "method.constraints", m.constraints, constraint_kinds, r.constraints);
  const std::string& flow = r.flow.name;
  if (flow == "gauss")
    s.reject("method.flow", in_quotes(flow),
             "gvi steps by quadrature rules and their compositions, and gauss is neither");
  if (r.energy == "numerical" && flow != "svc" && flow != "sva" && flow != "svb" && flow != "midpoint")
    s.reject(
        "method.energy", in_quotes(r.energy),
        fmt::format("is known for svc, sva, svb and midpoint, not for {}; \"shadow\" works with every flow",
                    flow));
  if (m.order && r.energy != "shadow")
    s.reject("method.order", fmt::format("{}", *m.order),
             fmt::format("the energy \"{}\" has no order; \"shadow\" does", r.energy));
  if (m.order && (*m.order % 2 != 0 || *m.order < 2 || *m.order >= most_shadow_nodes))
    s.reject("method.order", fmt::format("{}", *m.order),
             "the order of the shadow energy is even, from 2 to 16");
  r.order = r.energy == "shadow" ? m.order.value_or(8) : 0;
  r.label += ", gvi with " + r.reflection + " reflections, energy " + r.energy;
  if (r.order > 0) r.label += fmt::format(" of order {}", r.order);
  if (r.predictor != "free") r.label += ", jointed predictor";
  if (r.constraints != "exact") r.label += fmt::format(", {} constraints", r.constraints);
}

void add_direct_options(const Scenario& s, Method& r) {
  const auto& m = s.method;
  refuse_impact_keys(s, "direct");
  refuse(s, "method.reflection", m.reflection, "direct", "gvi");
  refuse(s, "method.energy", m.energy, "direct", "gvi");
  refuse(s, "method.predictor", m.predictor, "direct", "gvi");
  refuse(s, "method.constraints", m.constraints, "direct", "gvi");
  refuse(s, "method.flow", m.flow, "direct", "gvi");
  if (m.order)
    s.reject("method.order", fmt::format("{}", *m.order), "direct substitution has no choice of order");
  choose(s, "method.scheme", m.scheme, direct_schemes, r.scheme);
  const bool newmark = r.scheme.ends_with("newmark");
  if (!newmark) {
    refuse(s, "method.beta", m.beta, "direct", "a Newmark scheme");
    refuse(s, "method.gamma", m.gamma, "direct", "a Newmark scheme");
  }
  r.beta = m.beta.value_or(0.25), r.gamma = m.gamma.value_or(0.5);
  if (r.scheme == "newmark" && r.beta == 0)
    s.reject("method.beta", "0",
             "contact forces at the end of the step do not move it then; take beta > 0, or scheme = "
             "\"imex-newmark\"");
  r.flow.order = newmark && r.gamma != 0.5 ? 1 : 2;
  r.label = "direct substitution, " + r.scheme;
  if (newmark) r.label += fmt::format(" (beta = {}, gamma = {})", r.beta, r.gamma);
}

namespace {

struct StatedMu {
  std::string key;
  ParameterValue mu;
  bool is_zero() const {
    const auto* number = std::get_if<double>(&mu);
    return number && *number == 0;
  }
};

// Of contacts in formulas, and of a scene.
std::vector<StatedMu> stated_mu(const Scenario& s) {
  std::vector<StatedMu> r;
  for (const auto& [name, contact] : s.system.contacts)
    if (contact.mu) r.push_back({"system.contacts." + key_part(name) + ".mu", *contact.mu});
  const TouchSpec& touch = s.scene.contact;
  if (touch.mu) r.push_back({"contact.mu", *touch.mu});
  for (std::size_t k = 0; k < touch.pairs.size(); ++k)
    if (touch.pairs[k].mu) r.push_back({fmt::format("contact.pair.{}.mu", k), *touch.pairs[k].mu});
  return r;
}

}  // namespace

bool states_friction(const Scenario& s) { return !stated_mu(s).empty(); }

bool has_rough_contacts(const Scenario& s) {
  const auto all = stated_mu(s);
  return std::any_of(all.begin(), all.end(), [](const StatedMu& one) { return !one.is_zero(); });
}

void refuse_friction(const Scenario& s, const std::string& stepper) {
  if (stepper == "contact" && !s.method.tolerance) return;
  for (const auto& [key, mu] : stated_mu(s)) {
    const auto* number = std::get_if<double>(&mu);
    s.reject(
        key, number ? fmt::format("{}", *number) : quoted(std::get<std::string>(mu)),
        s.method.tolerance
            ? "steps that method.tolerance chooses have no friction; leave it out"
            : fmt::format("the stepper \"{}\" has no friction contact by contact; \"contact\" has", stepper));
  }
}

// Impacts with friction have a law of their own, and between them nothing but H is known of the energy.
void check_rough_law(const Scenario& s, const std::string& law) {
  if (has_rough_contacts(s) && law != "continuous-energy")
    s.reject(s.method.impact ? "method.impact" : "method.name", in_quotes(law),
             "keeps an energy of a motion without friction; where a contact has mu, the impact law is that "
             "of friction: leave it out");
}

void refuse_own_contacts(const Scenario& s, const std::string& stepper) {
  refuse_friction(s, stepper);
  const bool by_events = stepper == "event-driven" || stepper == "contact";
  if (by_events && !s.method.tolerance) return;
  const std::string who =
      by_events ? "steps that method.tolerance chooses have" : fmt::format("the stepper \"{}\" has", stepper);
  for (const auto& [name, contact] : s.system.contacts) {
    const std::string key = "system.contacts." + key_part(name);
    const auto refuse = [&](const char* what, const std::string& value, const char* why) {
      s.reject(key + what, value, fmt::format("{} {}; \"event-driven\" and \"contact\" have them", who, why));
    };
    if (contact.when) refuse(".when", quoted(*contact.when), "no contacts that come and go");
    if (!contact.restitution) continue;
    const auto* number = std::get_if<double>(&*contact.restitution);
    refuse(".restitution",
           number ? fmt::format("{}", *number) : quoted(std::get<std::string>(*contact.restitution)),
           "no restitutions contact by contact");
  }
}

void refuse_contact_options(const Scenario& s, const std::string& stepper) {
  const auto& m = s.method;
  if (m.reflection && *m.reflection != "generalized")
    refuse(s, "method.reflection", m.reflection, stepper, "gvi");
  refuse(s, "method.energy", m.energy, stepper, "gvi");
  refuse(s, "method.predictor", m.predictor, stepper, "gvi");
  refuse(s, "method.constraints", m.constraints, stepper, "gvi");
  refuse(s, "method.scheme", m.scheme, stepper, "direct\" or \"dae-euler");
  refuse(s, "method.beta", m.beta, stepper, "\"direct\" with a Newmark scheme");
}

void add_dae_options(const Scenario& s, Method& r) {
  const auto& m = s.method;
  refuse_other_keys(s);
  check_dae_flow(s, r.flow);
  r.scheme = "true";
  choose(s, "method.scheme", m.scheme, dae_schemes, r.scheme);
  choose(s, "method.reaction_at", m.reaction_at, places, r.reaction_at);
  r.alpha = m.alpha.value_or(0.5);
  const bool natural = r.scheme.ends_with("natural");
  if (r.alpha == 0 || (natural && r.alpha == 1) || !std::isfinite(r.alpha))
    s.reject("method.alpha", fmt::format("{}", r.alpha),
             natural ? "must not be 0 or 1: one of the two reactions would be missing"
                     : "must not be 0: the first reaction would be missing");
  r.restitution = m.restitution.value_or(1);
  r.label += fmt::format(", dae-euler ({})", r.scheme);
  if (r.alpha != 0.5) r.label += fmt::format(", alpha = {}", r.alpha);
  if (r.reaction_at != "ends") r.label += fmt::format(", reaction at {}", r.reaction_at);
  if (r.restitution != 1) r.label += fmt::format(", restitution {}", r.restitution);
}

void refuse_dae_options(const Scenario& s, const std::string& stepper) {
  const auto& m = s.method;
  const auto refuse = [&](const char* key, const std::string& value) {
    s.reject(key, value, fmt::format("the stepper \"{}\" has no such choice; \"dae-euler\" does", stepper));
  };
  if (m.alpha) refuse("method.alpha", fmt::format("{}", *m.alpha));
  if (m.reaction_at) refuse("method.reaction_at", in_quotes(*m.reaction_at));
}

}  // namespace carom::detail

namespace carom {

using detail::direct_schemes;

void drop_keys_of_other_steppers(Scenario& scenario) {
  const auto by_set = [&scenario](const std::string& key) {
    const auto place = scenario.source.places.find(key);
    return place != scenario.source.places.end() && place->second.starts_with("--set");
  };
  if (!by_set("method.stepper")) return;
  MethodSpec& m = scenario.method;
  const auto drop = [&by_set](const char* key, auto& field) {
    if (!by_set(std::string("method.") + key)) field.reset();
  };
  const bool gvi = m.stepper == "gvi", direct = m.stepper == "direct", contact = m.stepper == "contact",
             dae = m.stepper == "dae-euler", event_driven = m.stepper == "event-driven";
  if (contact && m.impact && *m.impact != "shadow" && *m.impact != "continuous-energy")
    drop("impact", m.impact), drop("order", m.order), drop("fraction", m.fraction);
  if (contact && m.fraction == "polynomial") drop("fraction", m.fraction);
  if (!event_driven && !contact) drop("impact", m.impact), drop("fraction", m.fraction);
  if (!event_driven) drop("window", m.window);
  const auto& flows = flow_names;
  if (!event_driven && m.name && std::find(flows.begin(), flows.end(), *m.name) == flows.end())
    drop("name", m.name);
  if (!gvi) {
    drop("reflection", m.reflection), drop("energy", m.energy), drop("predictor", m.predictor);
    drop("constraints", m.constraints);
  }
  if (!event_driven && !contact && !(gvi && m.energy == "shadow")) drop("order", m.order);
  const bool direct_scheme =
      std::find(direct_schemes.begin(), direct_schemes.end(), m.scheme.value_or("")) != direct_schemes.end();
  if (direct ? !direct_scheme : !dae || direct_scheme) drop("scheme", m.scheme);
  if (!direct) drop("beta", m.beta);
  if (!event_driven && m.stepper != "smooth")
    drop("tolerance", m.tolerance), drop("longest_step", m.longest_step);
  if ((contact || gvi) && m.flow == "gauss") drop("flow", m.flow), drop("stages", m.stages);
  if (!dae) drop("alpha", m.alpha), drop("reaction_at", m.reaction_at);
  const std::string flow = m.flow.value_or("");
  if (dae && (flow == "se2" || flow == "svc" || flow == "midpoint" || flow == "gamma" || flow == "gauss"))
    drop("flow", m.flow), drop("stages", m.stages), drop("gamma", m.gamma);
  if (dae && m.base != "svb") drop("base", m.base);
  if (m.stepper != "smooth" && !event_driven) {
    drop("tolerance", m.tolerance);
    if (flow == "gauss") drop("flow", m.flow), drop("stages", m.stages);
    if (m.name == "gauss") drop("name", m.name), drop("stages", m.stages);
  }
  if (direct) drop("flow", m.flow), drop("base", m.base), drop("stages", m.stages), drop("name", m.name);
}

}  // namespace carom
