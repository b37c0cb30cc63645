#include "formula/slip_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

double read_mu(const Scenario& scenario, FormulaNames& names, const std::string& key,
               const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return std::get<double>(value);
  const auto number = names.expressions.constant(names.parse(key, *text));
  if (!number || !(*number >= 0))
    scenario.reject(key, detail::quoted(*text),
                    (number ? fmt::format("is {}; ", *number) : std::string()) +
                        "must be at least 0, as a number or a formula of the parameters");
  return *number;
}

// Which velocity a formula depends on, or "".
std::string velocity_in(const FormulaNames& names, formula::Node node) {
  const auto varies = names.expressions.symbols_of(node, names.dim(), names.dim());
  const auto found = std::find(varies.begin(), varies.end(), true);
  return found == varies.end() ? "" : names.velocities()[static_cast<std::size_t>(found - varies.begin())];
}

void refuse_unfinished(const Scenario& scenario, const std::string& key, const ContactSpec& contact) {
  const bool has_slip = contact.slip || contact.slide;
  if (contact.slip && contact.slide)
    scenario.reject(key + "slip", detail::quoted(*contact.slip), "a contact has a slip or a slide, not both");
  if (contact.mu && !has_slip)
    scenario.reject(key + "mu", std::visit([](const auto& x) { return fmt::format("{}", x); }, *contact.mu),
                    "needs a slip, such as slip = \"x' + R*a'\", or a slide whose rate it is, such as slide "
                    "= \"x + R*a\": a "
                    "gap alone does not say along what the contact rubs");
  if (has_slip && !contact.mu)
    scenario.reject(key + (contact.slip ? "slip" : "slide"),
                    detail::quoted(contact.slip ? *contact.slip : *contact.slide),
                    "belongs to a contact with friction: give mu, too");
}

}  // namespace

bool SlipExpressions::any() const {
  return std::any_of(mu.begin(), mu.end(), [](double x) { return x > 0; });
}

void SlipExpressions::add_frictionless(FormulaNames& names) {
  const formula::Node zero = names.expressions.number(0);
  mu.push_back(0), has_slide.push_back(0);
  slopes.insert(slopes.end(), static_cast<std::size_t>(names.dim()), zero);
  drifts.push_back(zero), bends.push_back(zero), slides.push_back(zero);
}

void SlipExpressions::add_contact(const Scenario& scenario, FormulaNames& names, const std::string& key,
                                  const ContactSpec& contact) {
  refuse_unfinished(scenario, key, contact);
  if (!contact.mu) return add_frictionless(names);
  auto& e = names.expressions;
  const int n = names.dim();
  const std::string own = key + (contact.slip ? "slip" : "slide"),
                    text = contact.slip ? *contact.slip : *contact.slide;
  const formula::Node stated = names.parse(own, text);
  names.refuse_jump(own, text, stated, contact.slip ? "a slip" : "a slide");
  if (contact.slide)
    if (const auto name = velocity_in(names, stated); !name.empty())
      scenario.reject(own, detail::quoted(text),
                      fmt::format("a slide must not depend on the velocity {}: give it as slip", name));
  std::vector<std::pair<int, formula::Node>> at_rest;
  for (int i = 0; i < n; ++i) at_rest.emplace_back(names.v(i), e.number(0));
  const formula::Node drift = contact.slip ? e.substitute(stated, at_rest) : e.derivative(stated, names.t());
  formula::Node slip = drift;
  for (int i = 0; i < n; ++i) {
    const formula::Node slope = e.derivative(stated, contact.slip ? names.v(i) : names.q(i));
    if (const auto name = velocity_in(names, slope); contact.slip && !name.empty())
      scenario.reject(own, detail::quoted(text),
                      fmt::format("a slip must be linear in the velocities, and is not in {}", name));
    slopes.push_back(slope);
    slip = e.make(formula::Op::add, slip, e.make(formula::Op::multiply, slope, e.symbol(names.v(i))));
  }
  formula::Node bend = e.derivative(slip, names.t());
  for (int i = 0; i < n; ++i)
    bend = e.make(formula::Op::add, bend,
                  e.make(formula::Op::multiply, e.derivative(slip, names.q(i)), e.symbol(names.v(i))));
  mu.push_back(read_mu(scenario, names, key + "mu", *contact.mu));
  has_slide.push_back(contact.slide ? 1 : 0);
  drifts.push_back(drift), bends.push_back(bend);
  slides.push_back(contact.slide ? stated : e.number(0));
}

}  // namespace carom
