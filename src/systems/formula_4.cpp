#include "formula_runner.hpp"

namespace carom {

FormulaRunner formula_runner_4() { return make_formula_runner<4>(); }

}  // namespace carom
