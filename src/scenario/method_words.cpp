// A method in plain words, for those who did not choose it.
#include <fmt/format.h>

#include <array>

#include "scenario/method.hpp"

namespace carom {
namespace {

std::string ordinal(int order) {
  constexpr std::array names = {"zeroth", "first", "second", "third", "fourth", "fifth", "sixth"};
  return order < 7 ? names[static_cast<std::size_t>(order)] : std::to_string(order) + "th";
}

std::string flow_in_words(const Method& m) {
  const std::string order = ordinal(m.flow.order) + "-order ";
  if (m.tolerance > 0)
    return fmt::format("Gauss collocation, its steps chosen for an error of {} at the end", m.tolerance);
  if (m.flow.name == "gauss") return "a " + order + "Gauss collocation, symplectic";
  if (m.flow.name == "midpoint") return "the implicit midpoint rule, a " + order + "variational integrator";
  if (m.flow.name == "se1" || m.flow.name == "se2")
    return "symplectic Euler, a " + order + "variational integrator";
  if (m.flow.name.starts_with("sv")) return "a " + order + "variational integrator (Stormer-Verlet)";
  return "a " + order + "variational integrator";
}

std::string law_in_words(const Method& m) {
  if (m.friction)
    return "that locates where contacts stick, slide and stop, with impacts that never gain energy";
  if (m.impact == "shadow") return "that keeps the energy which its own steps conserve, through impacts too";
  if (m.impact == "continuous-energy") return "that keeps H at each impact";
  if (m.impact == "discrete-energy")
    return "that keeps the discrete energy of the parts before and after each impact";
  return "that keeps a modified energy, nearer to that of its steps than H, at each impact";
}

}  // namespace

std::string method_in_words(const Method& m, bool smooth) {
  if (m.stepper == "direct")
    return "contact forces put into a " + ordinal(m.flow.order) +
           "-order method: a baseline, which loses energy";
  if (m.stepper == "dae-euler")
    return "a " + ordinal(m.flow.order) +
           "-order symplectic method for constraints, with friction, take-off and landing";
  if (m.stepper == "gvi")
    return flow_in_words(m) + " whose full steps start with the reflection of what they would hit";
  if (smooth) return flow_in_words(m);
  const std::string r = flow_in_words(m) + (m.tolerance > 0 ? ", " : " ") + law_in_words(m);
  return m.stepper == "contact" ? r + ", and follows contacts that last" : r;
}

}  // namespace carom
