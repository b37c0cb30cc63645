// The part of [method] that belongs to the stepper dae-euler. Tested in tests/cli/dae_test.py.
#include <fmt/format.h>

#include <cmath>

#include "scenario/contact_method.hpp"

namespace carom::detail {
namespace {

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

void check_flow(const Scenario& s, const Flow& flow) {
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

void add_dae_options(const Scenario& s, Method& r) {
  const auto& m = s.method;
  refuse_other_keys(s);
  check_flow(s, r.flow);
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
