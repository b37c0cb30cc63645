// A method in plain words, for those who did not choose it.
#include <fmt/format.h>

#include <map>

#include "scenario/method.hpp"

namespace carom {
namespace {

// "Stormer-Verlet steps (svc: symplectic, order 2)"
std::string flow_in_words(const Method& m) {
  static const std::map<std::string, std::string, std::less<>> kinds = {
      {"se1", "symplectic Euler steps"},       {"se2", "symplectic Euler steps"},
      {"midpoint", "implicit midpoint steps"}, {"gamma", "one-node variational steps"},
      {"svc", "Störmer-Verlet steps"},         {"sva", "Störmer-Verlet steps"},
      {"svb", "Störmer-Verlet steps"},         {"gauss", "Gauss collocation"}};
  const auto kind = kinds.find(m.flow.name);
  const std::string what = kind != kinds.end() ? kind->second : "composed variational steps";
  if (m.tolerance > 0)
    return fmt::format("{} with stages and steps chosen for errors of {}", what, m.tolerance);
  return fmt::format("{} ({}: symplectic, order {})", what, m.flow.name, m.flow.order);
}

std::string law_in_words(const Method& m) {
  static const std::map<std::string, std::string, std::less<>> kept = {
      {"continuous-energy", "the energy H"},
      {"discrete-energy", "the discrete energy of the motion before and after"},
      {"modified-energy", "a modified energy, which the steps keep better than H"},
      {"stable-energy", "a modified energy, which the steps keep better than H"},
      {"shadow", "the shadow energy, which the steps keep far better than H"}};
  const std::string but =
      m.restitution < 1 ? fmt::format(", but for what a restitution of {} takes", m.restitution) : "";
  return fmt::format("impacts are found within a step and keep {} ({}){}", kept.at(m.impact), m.impact, but);
}

}  // namespace

std::string in_words(const Method& m) {
  if (m.stepper == "smooth") return flow_in_words(m) + "; a contact that closes ends the run";
  if (m.stepper == "gvi")
    return flow_in_words(m) + "; contacts are reflected at the start of full steps (gvi), " + m.energy +
           " energy";
  if (m.stepper == "direct")
    return fmt::format("contact forces put into a symplectic method ({}), a baseline that loses energy",
                       m.scheme);
  if (m.stepper == "dae-euler")
    return fmt::format(
        "symplectic Euler for differential-algebraic equations ({}): joints, friction, take-off and landing",
        m.flow.name);
  const std::string lasting = m.stepper == "contact" ? "; contacts that last are carried along" : "";
  return flow_in_words(m) + "; " + law_in_words(m) + lasting;
}

}  // namespace carom
