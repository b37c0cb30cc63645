// The ledger: what energy, momenta, gaps and joints did over all grid points of a run, in constant memory.
// Tested in tests/unit/ledger_test.cpp.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "carom/constancy.hpp"
#include "carom/simulate.hpp"

namespace carom {

template <System Sys>
class Ledger {
  static constexpr int N = Sys::dim;

 public:
  explicit Ledger(const Sys& sys) : system(sys) { energy.name = "H"; }

  void operator()(const GridPoint<N>& point) {
    const bool first = point.n == 0;
    H = hamiltonian(system, point.z);
    energy.add(H, first);
    drift.add(point.t, H - energy.initial);
    if (point.step) work += point.step->work, friction += point.step->friction;
    if (point.step) iterations += point.step->outcome.iterations;
    if constexpr (HasMomenta<Sys>) {
      std::size_t k = 0;
      system.momenta(point.z.q, point.z.p, [&](const char* name, double value) {
        if (k == momenta.size()) momenta.push_back({name});
        momenta[k++].add(value, first);
      });
    }
    smallest_gap = std::fmin(smallest_gap, carom::smallest_gap(system, point.z.q));
    if (const double off = carom::largest_joint(system, point.z.q); off > largest_joint || std::isnan(off))
      largest_joint = off;  // NaN wins
    for (const auto& impact : point.impacts) {
      smallest_gap = std::fmin(smallest_gap, carom::smallest_gap(system, impact.q));
      loss += hamiltonian(system, State<double, N>{impact.q, impact.p_before}) -
              hamiltonian(system, State<double, N>{impact.q, impact.p_after});
    }
    impacts += static_cast<std::int64_t>(point.impacts.size());
  }

  // Calls f with each number that a run must keep to go on later as if it had never stopped.
  void numbers(auto&& f) {
    f(H), f(smallest_gap), f(largest_joint), f(work), f(friction), f(loss), f(iterations), f(impacts);
    energy.numbers(f), drift.numbers(f);
    for (Constancy& momentum : momenta) momentum.numbers(f);
  }

  double H = 0;  // at the point seen last
  Constancy energy;
  Slope drift;  // of H - H(0)
  std::vector<Constancy> momenta;
  double smallest_gap = HUGE_VAL;  // over grid points and impacts
  double largest_joint = 0;        // max |f_i| over grid points
  double work = 0;                 // of the forces, since the start
  double friction = 0;             // work of friction, since the start; it takes, so this is negative
  double loss = 0;                 // of H at impacts, since the start
  std::int64_t iterations = 0, impacts = 0;

  // What of the change of H the work of forces and friction and the losses at impacts do not explain: the
  // error of the method.
  double remainder() const { return energy.final - energy.initial - work - friction + loss; }

 private:
  Sys system;
};

}  // namespace carom
