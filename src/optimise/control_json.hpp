// A plan as JSON: optimise.json, and what Python reads. Tested in tests/cli/optimise_test.py.
#pragma once

#include "optimise/control.hpp"

namespace carom {

// The text; `replay` where the plan was run.
std::string plan_json(const Plan& plan, const ControlProblem& problem, const std::string& command,
                      const RunResult* replay);

// How far a run ends from where the plan does.
double end_difference(const Plan& plan, const RunResult& replay);

// Ipopt, of which there may be none. Throws std::runtime_error with what would help.
SolveProgram open_solver();

}  // namespace carom
