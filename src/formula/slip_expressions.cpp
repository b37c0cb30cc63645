#include "formula/slip_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formula/point_contacts.hpp"
#include "formula/program.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

constexpr const char* speed_name = "slip_speed";
constexpr double most_mu = 1e6;

// A mu as a formula of the speed, which is input `speed`; nothing else may vary.
formula::Node read_mu(const Scenario& scenario, FormulaNames& names, const std::string& key,
                      const ParameterValue& value, int speed) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return names.expressions.number(std::get<double>(value));
  const formula::Node node = names.parse_at({speed_name}, speed, key, *text);
  const bool varies = names.expressions.depends_on_any(node, 0, speed);
  const auto number = names.expressions.constant(node);
  if (varies || (number && !(*number >= 0)))
    scenario.reject(
        key, detail::quoted(*text),
        (number ? fmt::format("is {}; ", *number) : std::string()) +
            "must be at least 0, as a number, a formula of the parameters or one of the slip_speed");
  return node;
}

// A mu of the speed alone, at any of them.
auto mu_of(const FormulaNames& names, formula::Node node) {
  return [program = formula::compile(names.expressions, std::span(&node, 1), 1)](double speed) {
    double in[] = {speed}, out[] = {0};
    program(std::span<const double>(in), std::span<double>(out));
    return out[0];
  };
}

std::string in_words(const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? detail::quoted(*text) : fmt::format("{}", std::get<double>(value));
}

// Friction that drives, at speeds of many sizes; a run looks at those that it meets. And what never slips.
void refuse_driving(const Scenario& scenario, const FormulaNames& names, const std::string& key,
                    const ParameterValue& value, formula::Node node) {
  const auto mu_at = mu_of(names, node);
  constexpr int each_decade = 40;
  for (int k = -6 * each_decade; k <= 4 * each_decade; ++k) {
    const double speed = k == -6 * each_decade ? 0 : std::pow(10.0, static_cast<double>(k) / each_decade),
                 mu = mu_at(speed);
    if (speed == 0 && !(mu <= most_mu))
      scenario.reject(
          key, in_words(value),
          fmt::format("is {:.3g} where nothing slips; must be at most {:.0e}: what never slips is "
                      "held by a joint",
                      mu, most_mu));
    if (!(mu < 0)) continue;
    scenario.reject(
        key, in_words(value),
        fmt::format("is {:.3g} at slip_speed = {:.3g}: friction would drive; must be at least 0", mu, speed));
  }
}

// Which velocity a formula depends on, or "".
std::string velocity_in(const FormulaNames& names, formula::Node node) {
  const auto varies = names.expressions.symbols_of(node, names.dim(), names.dim());
  const auto found = std::find(varies.begin(), varies.end(), true);
  return found == varies.end() ? "" : names.velocities()[static_cast<std::size_t>(found - varies.begin())];
}

std::string written_mu(const ParameterValue& mu) {
  return std::visit([](const auto& x) { return fmt::format("{}", x); }, mu);
}

std::string written(const std::vector<std::string>& list) {
  return list.size() == 1 ? detail::quoted(list[0]) : fmt::format("an array of {}", list.size());
}

void refuse_unfinished(const Scenario& scenario, const std::string& key, const ContactSpec& contact) {
  const bool has_slip = !contact.slip.empty() || !contact.slide.empty();
  if (!contact.slip.empty() && !contact.slide.empty())
    scenario.reject(key + "slip", written(contact.slip), "a contact has a slip or a slide, not both");
  if (contact.wall && contact.point.empty())
    scenario.reject(key + "wall", detail::quoted(*contact.wall),
                    "needs the point that touches it: point = [\"x\", \"y\"]");
  if (contact.mu_kinetic && !contact.mu)
    scenario.reject(key + "mu_kinetic", written_mu(*contact.mu_kinetic),
                    "needs mu, which is that of sticking");
  if (contact.mu && !contact.rubs())
    scenario.reject(key + "mu", written_mu(*contact.mu),
                    "needs a slip, such as slip = \"x' + R*a'\", or a slide whose rate it is, such as slide "
                    "= \"x + R*a\": a "
                    "gap alone does not say along what the contact rubs");
  if (has_slip && !contact.mu)
    scenario.reject(key + (contact.slip.empty() ? "slide" : "slip"),
                    written(contact.slip.empty() ? contact.slide : contact.slip),
                    "belongs to a contact with friction: give mu, too");
  for (const auto* list : {&contact.slip, &contact.slide})
    if (list->size() > 2)
      scenario.reject(key + (list == &contact.slip ? "slip" : "slide"), written(*list),
                      "must have one formula, or two in space, at right angles");
}

void refuse_curved(const Scenario& scenario, FormulaNames& names, const std::string& key,
                   const std::string& text, formula::Node slip) {
  auto& e = names.expressions;
  for (int i = 0; i < names.dim(); ++i)
    if (const auto name = velocity_in(names, e.derivative(slip, names.v(i))); !name.empty())
      scenario.reject(key, detail::quoted(text),
                      fmt::format("a slip must be linear in the velocities, and is not in {}", name));
}

// The rate of a function of places.
formula::Node rate_of(FormulaNames& names, formula::Node of) {
  auto& e = names.expressions;
  formula::Node rate = e.derivative(of, names.t());
  for (int i = 0; i < names.dim(); ++i)
    rate = e.make(formula::Op::add, rate,
                  e.make(formula::Op::multiply, e.derivative(of, names.q(i)), e.symbol(names.v(i))));
  return rate;
}

}  // namespace

int slips_each(const Scenario& scenario) {
  for (const auto& [name, contact] : scenario.system.contacts)
    if (contact.mu && (contact.slip.size() == 2 || contact.slide.size() == 2 || contact.point.size() == 3))
      return 2;
  return 1;
}

bool SlipExpressions::any() const {
  return std::any_of(mu.begin(), mu.end(), [](double x) { return x > 0; });
}

void SlipExpressions::add_frictionless(FormulaNames& names) {
  const formula::Node zero = names.expressions.number(0);
  mu.push_back(0), sliding.push_back(zero), sliding_slopes.push_back(zero), is_split.push_back(0),
      has_slide.push_back(0);
  for (int k = 0; k < each; ++k) add_slip(names, zero, formula::none);
}

void SlipExpressions::add_slip(FormulaNames& names, formula::Node slip, formula::Node slide) {
  auto& e = names.expressions;
  std::vector<std::pair<int, formula::Node>> at_rest;
  for (int i = 0; i < names.dim(); ++i) {
    slopes.push_back(e.derivative(slip, names.v(i)));
    at_rest.emplace_back(names.v(i), e.number(0));
  }
  drifts.push_back(e.substitute(slip, at_rest));
  formula::Node linear = drifts.back();
  for (int i = 0; i < names.dim(); ++i)
    linear = e.make(
        formula::Op::add, linear,
        e.make(formula::Op::multiply, slopes[slopes.size() - static_cast<std::size_t>(names.dim() - i)],
               e.symbol(names.v(i))));
  bends.push_back(rate_of(names, linear));
  slides.push_back(slide == formula::none ? e.number(0) : slide);
}

void SlipExpressions::add_mu(const Scenario& scenario, FormulaNames& names, const std::string& key,
                             const ContactSpec& contact) {
  auto& e = names.expressions;
  const int speed = names.all_inputs();
  const std::pair<int, formula::Node> as_first{speed, e.symbol(0)};
  const auto read = [&](const char* name, const ParameterValue& value) {
    const formula::Node node =
        e.substitute(read_mu(scenario, names, key + name, value, speed), std::span(&as_first, 1));
    refuse_driving(scenario, names, key + name, value, node);
    return node;
  };
  const formula::Node stated = read("mu", *contact.mu);
  mu.push_back(mu_of(names, stated)(0));
  sliding.push_back(contact.mu_kinetic ? read("mu_kinetic", *contact.mu_kinetic) : stated);
  sliding_slopes.push_back(e.derivative(sliding.back(), 0));
  is_split.push_back(e.constant(sliding.back()) == mu.back() ? 0 : 1);
  if (mu_of(names, sliding.back())(0) > mu.back())
    scenario.reject(
        key + "mu_kinetic", written_mu(*contact.mu_kinetic),
        fmt::format("must be at most mu, {}, at rest: what sticks would hold less than what slides",
                    mu.back()));
}

void SlipExpressions::add_contact(const Scenario& scenario, FormulaNames& names, const std::string& key,
                                  const ContactSpec& contact) {
  refuse_unfinished(scenario, key, contact);
  if (!contact.mu) return add_frictionless(names);
  std::vector<formula::Node> slip, slide;
  const bool by_slip = !contact.slip.empty();
  const auto& list = by_slip ? contact.slip : contact.slide;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string own =
        key + (by_slip ? "slip" : "slide") + (list.size() == 1 ? "" : fmt::format(".{}", k));
    const formula::Node stated = names.parse(own, list[k]);
    names.refuse_jump(own, list[k], stated, by_slip ? "a slip" : "a slide");
    if (const auto name = velocity_in(names, stated); !by_slip && !name.empty())
      scenario.reject(own, detail::quoted(list[k]),
                      fmt::format("a slide must not depend on the velocity {}: give it as slip", name));
    if (by_slip) refuse_curved(scenario, names, own, list[k], stated);
    slip.push_back(by_slip ? stated : rate_of(names, stated));
    if (velocity_in(names, slip.back()).empty())
      scenario.reject(own, detail::quoted(list[k]),
                      by_slip ? "depends on no velocity: nothing would rub; such as x' + R*a'"
                              : "depends on no coordinate: nothing would rub; such as x + R*a");
    if (!by_slip) slide.push_back(stated);
  }
  if (!contact.point.empty()) {
    const PointContact point = read_point(scenario, names, key, contact);
    slip = point.slips, slide = point.slides;
  }
  add_mu(scenario, names, key, contact);
  has_slide.push_back(slide.empty() ? 0 : 1);
  for (std::size_t k = 0; k < static_cast<std::size_t>(each); ++k)
    add_slip(names, k < slip.size() ? slip[k] : names.expressions.number(0),
             k < slide.size() ? slide[k] : formula::none);
}

}  // namespace carom
