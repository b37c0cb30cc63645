// The picture of a run: where it went, its phase portrait, and what its energy did.
#pragma once

#include <string>

#include "model.hpp"

namespace carom {

std::string run_figure(const Scenario& scenario, const RunResult& result);  // SVG

}  // namespace carom
