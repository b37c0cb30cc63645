// summary.json: what a run was and how it went, in the fields that other programs rely on.
#pragma once

#include <string>

#include "model.hpp"

namespace carom {

inline constexpr int summary_schema_version = 1;

std::string version();       // of this program
std::string git_revision();  // what it was built from; empty where that is not known

// Numbers read back exactly; what does not apply is null.
std::string summary_json(const Scenario& scenario, const RunResult& result);

}  // namespace carom
