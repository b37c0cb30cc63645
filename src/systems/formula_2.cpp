#include "formula_runner.hpp"

namespace carom {

FormulaRunner formula_runner_2() { return make_formula_runner<2>(); }

}  // namespace carom
