// Programs as functions of C that do the same operations in the same order, so that over doubles both give
// the same bits. Tested in tests/unit/formula_to_c_test.cpp.
#pragma once

#include <span>
#include <string>

#include "formula/program.hpp"

namespace carom::formula {

// A whole file, valid as C and as C++, that exports the table
//   void (*const carom_functions[])(const double* in, double* out)
// with one function for each program, in their order.
//
// Must be compiled without contraction to fused operations and without what -ffast-math allows. Calls of the
// library must stay what they are: a compiler that knows pow may replace it by what rounds differently
// (-fno-builtin).
std::string to_c(std::span<const Program* const> programs);

}  // namespace carom::formula
