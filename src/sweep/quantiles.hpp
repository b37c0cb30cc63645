// Quantiles over members, as numpy.nanquantile has them.
#pragma once

#include <array>
#include <vector>

namespace carom {

inline constexpr std::array quantile_levels = {0.05, 0.25, 0.5, 0.75, 0.95};
using Quantiles = std::array<double, quantile_levels.size()>;

// Of the numbers that are no NaN, which are put in order; NaN where there are none.
Quantiles quantiles_of(std::vector<double>& numbers);

}  // namespace carom
