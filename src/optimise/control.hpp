// Optimal control from a problem to a motion:
//
//   problem, scenario -> guess (a line, or a first run) -> Transcription -> Ipopt -> Plan -> a scenario with
//   its controls as formulas of t, which is run by the scenario's own method
//
// Tested in tests/cli/optimise_test.py.
#pragma once

#include "optimise/transcription.hpp"

namespace carom {

// What was reached.
struct Plan {
  bool solved = false;
  bool stopped = false;
  bool misplaced = false;  // measurements have come to another phase than that in which they were fitted
  std::string reason;      // why not
  double cost = 0;
  int iterations = 0;
  double seconds = 0;
  struct Phase {
    double begin = 0, duration = 0;
    std::string contact;  // that ends it; empty: none
    Values v_begin, v_end;
    std::vector<double> t;
    std::vector<Values> q, p;  // at the grid's points
    std::vector<std::vector<double>>
        pieces;  // of each step, for each control: coefficients of powers of t - t_i
    std::vector<double> control_times;
    std::vector<std::vector<double>> controls;  // at each node
  };
  std::vector<Phase> phases;
  std::vector<std::pair<std::string, double>> parameters;  // chosen
  std::size_t unknowns = 0, rows = 0;
};

class OptimalControl {
 public:
  // `folder`: where the problem's scenario is looked for. Throws ScenarioError.
  OptimalControl(ControlProblem problem, const std::string& folder);
  OptimalControl(const OptimalControl&) = delete;  // its parts refer to each other

  Plan solve(SolveProgram solver, const SolverOptions& options);

  // The scenario that moves as planned: controls are formulas of t, chosen parameters and the start are
  // numbers.
  Scenario replay(const Plan& plan) const;

  const ControlProblem problem;
  Prepared prepared;
  const MeasuredPlaces measured;

 private:
  MotionGuess make_guess() const;
  MotionGuess guess_of_run() const;
  MotionGuess guess_of_plan(const Plan& plan) const;
  Scenario with_controls(const std::vector<std::pair<std::string, std::string>>& formulas) const;
  Plan plan_of(const Transcription& made, const SparseSolution& solved) const;
  double guessed_duration() const;
};

}  // namespace carom
