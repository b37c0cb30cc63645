// What became of a run's energy, in the words that the terminal, summary.json and the report share.
#pragma once

#include <string>

#include "model/model.hpp"

namespace carom {

// "largest error 1.2e-05, drift 1.0e-09 per unit of time", or, where work, friction or impacts change H,
// "0.75 lost at impacts, error of the balance 2.0e-06". Empty where there is no energy.
std::string energy_in_words(const RunResult& r);

}  // namespace carom
