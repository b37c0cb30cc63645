// The ledger: what energy, momenta, gaps and joints did over all grid points of a run, in constant memory.
// Tested in tests/unit/ledger_test.cpp.
#pragma once

#include "carom/run/constancy.hpp"
#include "carom/run/simulate.hpp"
#include "carom/system/look.hpp"

namespace carom {

// Coordinates, momenta and energies beyond it are of no world, whatever its units.
inline constexpr double largest_number = 1e100;

// The numbers, for any system: somebody else looks at it.
class Accounts {
 public:
  Accounts() { energy.name = "H"; }

  void add_point(bool first, double t, const Look& look) {
    H = look.H;
    energy.add(H, first);
    drift.add(t, H - energy.initial);
    for (std::size_t k = 0; k < look.momenta.size(); ++k) {
      if (k == momenta.size()) momenta.push_back({look.momenta[k].name});
      momenta[k].add(look.momenta[k].value, first);
    }
    smallest_gap = std::fmin(smallest_gap, look.smallest_gap);
    if (look.largest_joint > largest_joint || std::isnan(look.largest_joint))
      largest_joint = look.largest_joint;  // NaN wins
  }
  template <int N>
  void add_step(const StepResult<double, N>& step) {
    work += step.work, friction += step.friction;
    iterations += step.outcome.iterations;
  }
  // `taken` by restitution; what the impact law adds to it is its error.
  void add_impact(double gap, double taken, double by_walls) {
    smallest_gap = std::fmin(smallest_gap, gap);
    loss += taken, work += by_walls;
    ++impacts;
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
  double work = 0;                 // of the forces and of what drives the system, since the start
  double friction = 0;             // work of friction, since the start; it takes, so this is negative
  double loss = 0;                 // of H at impacts, since the start
  std::int64_t iterations = 0, impacts = 0;

  // What of the change of H the work of forces and friction and the losses at impacts do not explain: the
  // error of the method.
  double remainder() const { return energy.final - energy.initial - work - friction + loss; }
};

// An observer for simulate() that looks by itself: `LookAt` knows how, as SystemLook does.
template <class LookAt>
class LedgerOf : public Accounts {
 public:
  explicit LedgerOf(const auto& system) : look_at(system) {}

  void operator()(const GridPoint& point) {
    look_at(point.t, point.z, look);
    add_point(point.n == 0, point.t, look);
    if (point.step) add_step(*point.step);
    for (const auto& impact : point.impacts)
      add_impact(look_at.smallest_gap(impact.t, impact.q),
                 impact.taken(look_at.hamiltonian(impact.t, impact.q, impact.p_before),
                              look_at.hamiltonian(impact.t, impact.q, impact.p_after)),
                 impact.work);
  }

 private:
  LookAt look_at;
  Look look;
};

using Ledger = LedgerOf<SystemLook>;

}  // namespace carom
