#include "formula/formula_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formula/kinks.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

// Whether `name` stands in `text` as a word of its own.
bool mentions(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80) != 0;
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::map<std::string, double> number_parameters(const Scenario& scenario) {
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : scenario.system.parameters) {
    if (const auto* text = std::get_if<std::string>(&value))
      scenario.reject("system.parameters." + detail::key_part(name), detail::quoted(*text),
                      "must be a number");
    numbers[name] = std::get<double>(value);
  }
  return numbers;
}

std::vector<std::string> multiplier_names(const Scenario& scenario) {
  const SystemSpec& system = scenario.system;
  const std::size_t all = system.joints.size() + system.contact_count();
  if (!system.psi.empty()) {
    if (system.psi.size() != all)
      scenario.reject(
          "system.psi", fmt::format("an array of {}", system.psi.size()),
          fmt::format("must have {}, one for each joint and then one for each contact, in their order", all));
    return system.psi;
  }
  std::vector<std::string> names;
  if (system.friction.empty() && system.r.empty()) return names;
  for (std::size_t k = 1; k <= all; ++k) names.push_back(fmt::format("psi{}", k));
  return names;
}

FormulaNames::FormulaNames(const Scenario& scenario, std::vector<std::string> coordinates,
                           const std::map<std::string, double>& parameters,
                           std::vector<std::string> varied_names)
    : scenario_(scenario),
      coordinates_(std::move(coordinates)),
      velocities_(scenario.system.z),
      multipliers_(multiplier_names(scenario)),
      varied_(std::move(varied_names)) {
  if (velocities_.size() != coordinates_.size()) {  // no DAE
    velocities_.clear();
    for (const std::string& name : coordinates_) velocities_.push_back(name + "'");
  }
  symbols_["t"] = expressions.symbol(t());
  add_coordinates();
  add_parameters(parameters);
  add_multipliers();
  add_definitions();
}

void FormulaNames::refuse_bad_name(const std::string& key, const std::string& name) const {
  const auto refuse = [&](const std::string& why) { scenario_.reject(key, detail::quoted(name), why); };
  if (!formula::is_identifier(name)) refuse("a name has letters, digits and _, and begins with a letter");
  if (formula::is_reserved(name)) refuse("is the name of a function or constant; choose another");
  if (name == "t") refuse("is the name of time; choose another");
  if (symbols_.contains(name)) refuse("this name is taken already; choose another");
}

void FormulaNames::add_coordinates() {
  for (int i = 0; i < dim(); ++i) {
    if (scenario_.system.in_formulas())
      refuse_bad_name(fmt::format("system.coordinates.{}", i), coordinates_[i]);
    symbols_[coordinates_[i]] = expressions.symbol(q(i));
  }
  for (int i = 0; i < dim(); ++i) {
    if (scenario_.system.is_dae()) refuse_bad_name(fmt::format("system.z.{}", i), velocities_[i]);
    symbols_[velocities_[i]] = expressions.symbol(v(i));
  }
}

void FormulaNames::add_multipliers() {
  for (int k = 0; k < static_cast<int>(multipliers_.size()); ++k) {
    if (scenario_.system.in_formulas())
      refuse_bad_name(scenario_.system.psi.empty() ? "system.psi" : fmt::format("system.psi.{}", k),
                      multipliers_[k]);
    symbols_[multipliers_[k]] = expressions.symbol(psi(k));
  }
}

void FormulaNames::add_parameters(const std::map<std::string, double>& parameters) {
  for (const auto& [name, value] : parameters) {
    if (scenario_.system.in_formulas()) refuse_bad_name("system.parameters." + detail::key_part(name), name);
    const auto place = std::find(varied_.begin(), varied_.end(), name);
    symbols_[name] = place == varied_.end()
                         ? expressions.number(value)
                         : expressions.symbol(varied(static_cast<int>(place - varied_.begin())));
  }
}

void FormulaNames::add_definitions() {
  for (const auto& [name, text] : scenario_.system.let)
    refuse_bad_name("system.let." + detail::key_part(name), name);
  std::vector<std::string> open;
  for (const auto& [name, text] : scenario_.system.let) define_let(name, open);
}

// Definitions may use each other in any order; `open` are those on the way here.
void FormulaNames::define_let(const std::string& name, std::vector<std::string>& open) {
  if (symbols_.contains(name)) return;
  const auto& let = scenario_.system.let;
  const auto own =
      std::find_if(let.begin(), let.end(), [&](const auto& entry) { return entry.first == name; });
  const std::string key = "system.let." + detail::key_part(name);
  if (std::find(open.begin(), open.end(), name) != open.end())
    scenario_.reject(key, detail::quoted(own->second), "is defined by itself");
  if (open.size() > 100) scenario_.reject(key, detail::quoted(own->second), "stands on more than 100 others");
  open.push_back(name);
  for (const auto& [other, text] : let)
    if (mentions(own->second, other)) define_let(other, open);
  open.pop_back();
  symbols_[name] = parse_reaction(key, own->second);
}

formula::Node FormulaNames::define(const std::string& key, const std::string& name, const std::string& text) {
  refuse_bad_name(key, name);
  return symbols_[name] = parse(key, text);
}

void FormulaNames::refuse_multipliers(const std::string& key, const std::string& text,
                                      formula::Node node) const {
  for (int k = 0; k < static_cast<int>(multipliers_.size()); ++k)
    if (expressions.depends_on(node, psi(k)))
      scenario_.reject(
          key, detail::quoted(text),
          fmt::format("must not depend on the multiplier {}, which may stand in {} only", multipliers_[k],
                      scenario_.system.is_dae() ? "r and friction" : "friction"));
}

formula::Node FormulaNames::read(Reader reader, const std::string& key, const std::string& text) {
  try {
    return reader(expressions, text, symbols_);
  } catch (const formula::FormulaError& e) {
    scenario_.reject(key, detail::quoted(text), fmt::format("column {}: {}", e.column, e.what()));
  }
}

formula::Node FormulaNames::parse(const std::string& key, const std::string& text) {
  const auto node = parse_reaction(key, text);
  refuse_multipliers(key, text, node);
  return node;
}

formula::Node FormulaNames::parse_condition(const std::string& key, const std::string& text) {
  const auto node = read(formula::parse_comparison, key, text);
  refuse_multipliers(key, text, node);
  return node;
}

formula::Node FormulaNames::parse_reaction(const std::string& key, const std::string& text) {
  return read(formula::parse, key, text);
}

void FormulaNames::refuse_jump(const std::string& key, const std::string& text, formula::Node node,
                               const char* what) {
  const auto jump = formula::find_jump(expressions, node, inputs());
  if (!jump) return;
  const int i = jump->input;
  const std::string& name = i == t() ? "t" : i < dim() ? coordinates_[i] : velocities_[i - dim()];
  scenario_.reject(key, detail::quoted(text),
                   fmt::format("jumps near {} = {:.3g}, from {:.3g} to {:.3g}; {} must be continuous", name,
                               jump->at, jump->before, jump->after, what));
}

formula::Node FormulaNames::parse_with(const std::string& name, int input, const std::string& key,
                                       const std::string& text) {
  return parse_at({name.c_str()}, input, key, text);
}

formula::Node FormulaNames::parse_at(std::initializer_list<const char*> more, int first,
                                     const std::string& key, const std::string& text) {
  const formula::Symbols usual = symbols_;
  for (const char* name : more) symbols_[name] = expressions.symbol(first++);
  const auto node = parse(key, text);
  symbols_ = usual;
  return node;
}

}  // namespace carom
