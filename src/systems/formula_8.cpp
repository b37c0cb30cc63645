#include "formula_runner.hpp"

namespace carom {

FormulaRunner formula_runner_8() { return make_formula_runner<8>(); }

}  // namespace carom
