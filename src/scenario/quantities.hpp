// Formulas of a state: [output] quantities = { height = "y - R", T = "0.5*m*y'^2" }, numbers of the user's
// own that a run records and watches. One may use those that stand above it, and time.until may use all of
// them.
//
//   scenario -> make_quantities() -> Quantities -> QuantityWatch (run/observers.hpp)
//
// Tested in tests/cli/quantities_test.py.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "formula/formula_names.hpp"
#include "formula/program.hpp"

namespace carom {

// One program over coordinates, velocities (of a DAE its z) and time.
class StateFormulas {
 public:
  StateFormulas() = default;
  StateFormulas(const FormulaNames& names, std::span<const formula::Node> nodes);
  // Good until the next call.
  std::span<const double> operator()(std::span<const double> q, std::span<const double> v, double t);

 private:
  formula::Program program;
  std::vector<double> in, out;
};

struct Quantities {
  std::vector<std::string> names = {};
  StateFormulas formulas = {};
};

// Throws ScenarioError for a bad formula, and for a name that is taken, by the system or by a column of the
// records.
Quantities make_quantities(const Scenario& scenario, const std::vector<std::string>& coordinates,
                           const std::map<std::string, double>& parameters);

// The same as names that a formula may use.
std::vector<formula::Node> add_quantities(const Scenario& scenario, FormulaNames& names);

}  // namespace carom
