// The one loop: a stepper, a start, a time grid, and observers that look and never touch.
//
//   observers see grid point 0 (the start)
//   for n = 0 .. steps-1:   z_{n+1} = stepper.step(t_n, z_n);   observers see grid point n+1
//
// Time on the grid is t0 + n h, never a running sum. A step that fails ends the run at the last good point.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "carom/run/grid.hpp"
#include "carom/run/stepper.hpp"

namespace carom {

// What an observer is shown. `step` tells what the step that led here did, and `impacts` and `changes` what
// happened in it; there is none at the start.
struct GridPoint {
  std::int64_t n;
  double t;
  const Phase& z;
  const StepResult<double, Eigen::Dynamic>* step;
  std::span<const Impact> impacts = {};
  std::span<const ContactChange> changes = {};
};

struct Ended {
  std::int64_t steps = 0;  // taken
  double t = 0;
  Phase z;
  std::optional<Failure> failure;
  bool stopped = false;  // on request
};

// Asked after every grid point; ends the run by answering true.
template <class Stop>
concept StopPredicate = std::is_invocable_r_v<bool, Stop, const GridPoint&>;

// The loop over a Stepper, or whatever steps as one does, from a grid point that the observers have seen: how
// a run goes on after its start, or resumes.
template <class Steps, class Stop, class... Observers>
Ended go_on(Steps& stepper, Ended now, const Grid& grid, Stop&& stop, Observers&&... observe) {
  while (!now.stopped && now.steps < grid.steps) {
    const Stepped& next = stepper.step(now.t, now.z);
    now.failure = next.failure, now.stopped = next.stopped;
    if (now.failure || now.stopped) break;
    now.z = next.step.z;
    now.t = grid.time(++now.steps);
    const GridPoint point{now.steps, now.t, now.z, &next.step, next.impacts, next.changes};
    (observe(point), ...);
    now.stopped = stop(point);
  }
  return now;
}

template <class Steps, StopPredicate Stop, class... Observers>
Ended simulate(Steps& stepper, const Phase& start, const Grid& grid, Stop&& stop, Observers&&... observe) {
  Ended now{0, grid.time(0), start, std::nullopt, false};
  const GridPoint point{0, now.t, now.z, nullptr};
  (observe(point), ...);
  now.stopped = stop(point);
  return go_on(stepper, now, grid, stop, observe...);
}

// Without a way to stop early.
template <class Steps, class... Observers>
Ended simulate(Steps& stepper, const Phase& start, const Grid& grid, Observers&&... observe) {
  return simulate(
      stepper, start, grid, [](const GridPoint&) { return false; }, std::forward<Observers>(observe)...);
}

}  // namespace carom
