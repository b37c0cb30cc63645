// A problem of optimal control as its TOML file states it, beside its scenario. This struct is the file
// format.
//
//   problem.toml -> read_problem() -> ControlProblem
//
// Tested, as a user meets it, in tests/cli/optimise_test.py.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenario/scenario.hpp"

namespace carom {

struct ControlRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// A value, an interval, or a formula that is to vanish.
using EndCondition = std::variant<ControlRange, std::string>;

struct ControlGuess {
  std::map<std::string, std::string> formulas;  // of controls, in t
  std::vector<double> durations;                // of the phases
  std::vector<std::vector<double>> impacts;     // coordinates at each
  std::map<std::string, double> end;            // coordinates and velocities at the end
};

// Places that were measured: columns of a CSV file, t and coordinates; NaN where there is no number.
struct MeasuredPlaces {
  std::vector<std::string> columns;  // behind t
  std::vector<double> times;
  std::vector<std::vector<double>> values;  // of each time
};

struct ControlProblem {
  std::string title;
  std::string scenario;                  // a path as the file has it, or a shipped name
  std::vector<std::string> set;          // "key=value" for the scenario
  std::vector<std::string> controls;     // its parameters that become functions of time
  std::vector<std::int64_t> steps;       // of all phases, or of each
  std::vector<std::string> impacts;      // contacts in the order in which they close
  bool impacts_from_run = false;         // instead: those of a run with the controls guessed
  std::optional<ControlRange> duration;  // else the scenario's
  std::vector<std::pair<std::string, ControlRange>> parameters, start, bounds;
  std::string running, at_end;  // cost; empty: none
  std::vector<std::pair<std::string, EndCondition>> end;
  Formulas path;     // not negative at any point
  std::string data;  // a CSV file beside the problem; empty: none
  ControlGuess guess;
  SourceMap source;

  // As Scenario::reject.
  [[noreturn]] void reject(const std::string& key, const std::string& value, const std::string& why) const;
};

// Throws ScenarioError for a file that is none, or whose columns are not t and these coordinates.
MeasuredPlaces read_measured(const ControlProblem& problem, const std::string& folder,
                             const std::vector<std::string>& coordinates);

ControlProblem read_problem(const std::string& path);
ControlProblem parse_problem(const std::string& text, const std::string& name);

}  // namespace carom
