// Powers of two by which numbers of different units become comparable: to divide by them changes no bits, so
// that nothing that is decided with them depends on units. Tested in tests/laws/units_test.cpp.
#pragma once

#include <cmath>

namespace carom {

// The power of two at or below |x|; 1 where there is none.
inline double power_of_two(double x) {
  return x != 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1;
}

// The unit of a coordinate against that of the first, as the diagonal of a mass matrix tells it: √(M_00 /
// M_ii).
inline double unit_of_mass(double first, double own) {
  const double ratio = std::abs(first / own);
  return ratio > 0 && std::isfinite(ratio) ? power_of_two(std::sqrt(ratio)) : 1;
}

}  // namespace carom
