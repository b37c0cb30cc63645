// The fast stepper for Gauss collocation, with impacts that keep H: what ContactStepper does with the flow
// gauss and the law continuous-energy, in steps of its own inside of a grid step. For any dense system of up
// to 16 coordinates; compiled once, in src/collocation/. Tested in tests/laws/collocation_test.cpp.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "carom/run/stepper.hpp"
#include "carom/system/system.hpp"

namespace carom {

// How many stages or runs this machine computes side by side.
inline int widest_lanes() {
  static const int lanes = __builtin_cpu_supports("avx2") ? 4 : 2;
  return lanes;
}

struct CollocationOptions {
  int stages = 6;
  double longest_step = HUGE_VAL;  // inside of a grid step
  double tolerance = 0;            // above 0: chooses stages, and steps up to the longest
  double restitution = 1;
  double accuracy_of_slopes = 4e-16;  // relative: where the iteration may stop
  bool stops_at_contacts = false;     // no impact law: the first contact ends the run
  bool measures = true;               // action and discrete energy of each step
  int lanes = widest_lanes();         // 2 or 4
  std::function<bool()> stop = {};    // asked between steps that a tolerance chooses
};

// For a tolerance of a step. Whole packs, so that few lanes idle. On the cart-pendulum 8 stages are the
// fastest for every tolerance below 5e-6; with long steps their iteration converges slowly.
inline int stages_for(double tolerance) { return tolerance >= 1e-4 ? 4 : tolerance >= 5e-6 ? 6 : 8; }

// Whether it knows the system: dense, of at most 16 coordinates and 64 contacts, no joints, and contacts only
// where L is quadratic in v.
bool collocation_fits(const System& system);

// The system must outlive it, and fit. Its solves() are the steps solved for up to a wall, and its
// fallbacks() those taken in halves, because the iteration did not converge.
std::unique_ptr<Stepper> make_collocation_stepper(const System& system, double grid_step,
                                                  const CollocationOptions& options);

}  // namespace carom
