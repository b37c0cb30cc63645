#include "formula_runner.hpp"

namespace carom {

FormulaRunner formula_runner_16() { return make_formula_runner<16>(); }

}  // namespace carom
