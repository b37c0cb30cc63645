// The numbers of a run that a sweep can keep, by their dotted names in summary.json.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace carom {

// What the names depend on.
struct RunShape {
  std::vector<std::string> coordinates;
  std::size_t momenta = 0;
  std::vector<std::string> quantities;
};

struct RunField {
  std::string name;
  std::function<double(const RunResult&)> value;  // NaN where summary.json has null
  bool of_record = false;                         // known only of runs that are recorded
};

// Every field of a run of this shape. What a clock says is none: it would differ from run to run.
std::vector<RunField> run_fields(const RunShape& shape);

}  // namespace carom
