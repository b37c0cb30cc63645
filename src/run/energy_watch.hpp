// What a run shows of its energies, point by point: how large those are that it exchanges, and how much of H
// nothing explains. The scale is that of the run itself: it knows no units, and neither a constant in V nor a
// coordinate that moves freely changes it:
//
//   S = sum_i 1/2 min(max |p_i v_i|, Δp_i Δv_i) + ΔV + max |W| + max |F| + max |loss|,    Δ: largest -
//   smallest
//
// with V = H - p·v/2. Tested in tests/unit/energy_watch_test.cpp.
#pragma once

#include "carom/run/ledger.hpp"
#include "model/model.hpp"
#include "run/watched.hpp"

namespace carom {

class EnergyWatch {
 public:
  explicit EnergyWatch(int size) : p(size), v(size), power(RunVector::Zero(size)) {}

  void see(const RunVector& momentum, const RunVector& velocity, const Accounts& ledger);
  EnergySeen seen() const;
  void numbers(KeptNumbers& f);

 private:
  // Of each number the smallest and the largest.
  struct Ranges {
    explicit Ranges(int size)
        : low(RunVector::Constant(size, HUGE_VAL)), high(RunVector::Constant(size, -HUGE_VAL)) {}
    void add(const RunVector& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
    RunVector low, high;
  };

  Ranges p, v;
  RunVector power;  // max |p_i v_i|
  double V_low = HUGE_VAL, V_high = -HUGE_VAL;
  double work = 0, friction = 0, loss = 0;        // largest, without their signs
  double change = 0, remainder = 0, largest = 0;  // the last of |H| and |p·v|
};

}  // namespace carom
