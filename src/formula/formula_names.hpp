// The names that the formulas of a scenario may use, and the one way to read such a formula: coordinates x,
// velocities x' (of a DAE the names of its z), parameters, the definitions of [system] let, time t and pi;
// and, where reactions are stated, the multipliers. Complaints name the key, the formula and the column in
// it.
//
//   [system], [draw], time.until, output.quantities -> FormulaNames::parse() -> Node -> formula::compile() ->
//   Program
//
// Tested in tests/unit/formula_system_test.cpp.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "formula/expression.hpp"
#include "formula/parse.hpp"
#include "scenario/scenario.hpp"

namespace carom {

class FormulaNames {
 public:
  // Inputs of every program compiled from these formulas: coordinates, velocities, time. The multipliers come
  // after these, and behind them parameters that are to be varied, which are inputs and no numbers.
  FormulaNames(const Scenario& scenario, std::vector<std::string> coordinates,
               const std::map<std::string, double>& parameters, std::vector<std::string> varied = {});

  // Throws ScenarioError: "place: key = "text": column 7: what was expected".
  // A multiplier in it is refused, too.
  formula::Node parse(const std::string& key, const std::string& text);
  // A comparison, as a function that is positive where it holds.
  formula::Node parse_condition(const std::string& key, const std::string& text);
  // A reaction or friction: a formula that may use multipliers.
  formula::Node parse_reaction(const std::string& key, const std::string& text);
  // With one more name, such as the parameter s of a curve, which takes the place of an input.
  formula::Node parse_with(const std::string& name, int input, const std::string& key,
                           const std::string& text);

  // With more names, such as those of a place in space, for the inputs from `first` on.
  formula::Node parse_at(std::initializer_list<const char*> more, int first, const std::string& key,
                         const std::string& text);

  // Refuses a formula whose value jumps; `what` it is, such as "a gap".
  void refuse_jump(const std::string& key, const std::string& text, formula::Node node, const char* what);
  // One more definition, of a name that is not taken.
  formula::Node define(const std::string& key, const std::string& name, const std::string& text);

  int dim() const { return static_cast<int>(coordinates_.size()); }
  int q(int i) const { return i; }
  int v(int i) const { return dim() + i; }
  int t() const { return 2 * dim(); }
  int inputs() const { return 2 * dim() + 1; }
  int psi(int k) const { return inputs() + k; }
  int inputs_with_psi() const { return inputs() + static_cast<int>(multipliers_.size()); }
  int varied(int k) const { return inputs_with_psi() + k; }
  int all_inputs() const { return varied(static_cast<int>(varied_.size())); }
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  const std::vector<std::string>& velocities() const { return velocities_; }
  const std::vector<std::string>& multipliers() const { return multipliers_; }

  formula::Expressions expressions;

 private:
  void add_coordinates();
  void add_multipliers();
  void add_parameters(const std::map<std::string, double>& parameters);
  void add_definitions();
  void define_let(const std::string& name, std::vector<std::string>& open);
  void refuse_bad_name(const std::string& key, const std::string& name) const;
  using Reader = formula::Node (*)(formula::Expressions&, std::string_view, const formula::Symbols&);
  formula::Node read(Reader reader, const std::string& key, const std::string& text);
  void refuse_multipliers(const std::string& key, const std::string& text, formula::Node node) const;

  const Scenario& scenario_;
  std::vector<std::string> coordinates_, velocities_, multipliers_, varied_;
  formula::Symbols symbols_;
};

// The multipliers that a scenario's reactions may name, joints first, then contacts: system.psi, or psi1,
// ...; none where nothing can name them. Refuses names that are not as many as joints and contacts.
std::vector<std::string> multiplier_names(const Scenario& scenario);

// The numbers among a scenario's parameters; refuses those that are none.
std::map<std::string, double> number_parameters(const Scenario& scenario);

}  // namespace carom
