// --native: the formulas of a scenario as C++, compiled once, kept in a cache and loaded into the program.
//
//   scenario -> native_source() -> c++ -shared -> <cache>/carom/<key>.so -> Model with the speed of a
//   built-in one
//
// Tested in tests/cli/native_test.py.
#pragma once

#include <string>

#include "model.hpp"

namespace carom {

// The C++ text of a system in formulas, a struct like those in include/carom/systems/.
std::string native_source(const Scenario& scenario);

// The model that runs compiled formulas, or `interpreted` with a warning where there is no compiler or it
// fails: the results are the same up to rounding.
Model native_model(const Scenario& scenario, const Model& interpreted, std::string& warning);

// What a compiled system gives to the program.
struct NativeRunner {
  void (*check)(const Scenario&);
  RunResult (*run)(const Scenario&, const Method&, const RunHooks&);
};

}  // namespace carom
