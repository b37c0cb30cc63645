// summary.json: what a run was and how it went, in the fields that other programs rely on.
#pragma once

#include <string>

#include "model/model.hpp"

namespace carom {

inline constexpr int summary_schema_version = 1;

std::string version();       // of this program
std::string git_revision();  // what it was built from; empty where that is not known

// The times of the first impacts; more are in impacts.csv.
inline constexpr std::size_t most_impact_times = 10000;

// Numbers read back exactly; what does not apply is null. `formulas` is how they were run (native.hpp), ""
// where there are none.
std::string summary_json(const Scenario& scenario, const RunResult& result, const std::string& formulas,
                         const std::vector<double>& impact_times);

}  // namespace carom
