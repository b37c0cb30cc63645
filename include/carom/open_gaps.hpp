// Whether a step touches nothing, by gaps and their rates at its ends. The end of a step is the start of the
// next, so that each is looked at once.
#pragma once

#include "carom/cubic.hpp"
#include "carom/gap_search.hpp"

namespace carom {

template <System Sys>
class OpenGaps {
  static constexpr int N = Sys::dim;

 public:
  bool stay(const Sys& system, const State<double, N>& z, const State<double, N>& end, double h) {
    const auto a = z.q == last.q && z.p == last.p ? seen : rates_at(system, z), b = rates_at(system, end);
    last = end, seen = b;
    for (int i = 0; i < a.gap.size(); ++i)
      if (!stays_open(a.gap[i], a.rate[i] * h, b.gap[i], b.rate[i] * h)) return false;
    return true;
  }

  static GapRates<Sys> rates_at(const Sys& system, const State<double, N>& z) {
    return gap_rates(system, z.q, velocity(system, z.q, z.p).x);
  }

 private:
  State<double, N> last = {Vector<double, N>::Constant(std::nan("")),
                           Vector<double, N>::Constant(std::nan(""))};
  GapRates<Sys> seen;
};

}  // namespace carom
