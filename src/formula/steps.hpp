// Functions with jumps, over the scalars that formulas run over. Between its jumps such a function is
// constant, so that its derivatives are zero. Tested in tests/unit/formula_program_test.cpp.
#pragma once

#include <cmath>

#include "carom/numerics/exact_pack.hpp"
#include "carom/numerics/nilpotent.hpp"

namespace carom::formula {

using std::floor;
inline double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

template <class Lanes>
Lanes each_lane(const Lanes& x, double (*f)(double)) {
  Lanes r = x;
  for (int i = 0; i < Lanes::width; ++i) r.lanes[i] = f(x[i]);
  return r;
}
template <int W>
Pack<W> floor(const Pack<W>& x) {
  return each_lane(x, std::floor);
}
template <int W>
Pack<W> sign(const Pack<W>& x) {
  return each_lane(x, sign);
}
template <int W>
ExactPack<W> floor(const ExactPack<W>& x) {
  return each_lane(x, std::floor);
}
template <int W>
ExactPack<W> sign(const ExactPack<W>& x) {
  return each_lane(x, sign);
}
inline Nilpotent floor(const Nilpotent& x) { return Nilpotent(std::floor(x.value())); }
inline Nilpotent sign(const Nilpotent& x) { return Nilpotent(sign(x.value())); }

template <DualNumber X>
X floor(const X& x) {
  return X(floor(x.a));
}
template <DualNumber X>
X sign(const X& x) {
  return X(sign(x.a));
}

}  // namespace carom::formula
