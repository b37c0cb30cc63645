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

#include "carom/grid.hpp"
#include "carom/stepper.hpp"

namespace carom {

// What an observer is shown. `step` tells what the step that led here did, and `impacts` and `changes` what
// happened in it; there is none at the start.
template <int N = Eigen::Dynamic>
struct GridPoint {
  std::int64_t n;
  double t;
  const State<double, N>& z;
  const StepResult<double, N>* step;
  std::span<const Impact<N>> impacts = {};
  std::span<const ContactChange> changes = {};
};

template <int N>
struct Ended {
  std::int64_t steps = 0;  // taken
  double t = 0;
  State<double, N> z;
  std::optional<Failure> failure;
  bool stopped = false;  // on request
};

// Asked after every grid point; ends the run by answering true.
template <class Stop, class Point>
concept StopPredicate = std::is_invocable_r_v<bool, Stop, const Point&>;

// The loop, from a grid point that the observers have seen: how a run goes on after its start, or resumes.
template <class Stepper, int N, StopPredicate<GridPoint<N>> Stop, class... Observers>
Ended<N> go_on(Stepper& stepper, Ended<N> now, const Grid& grid, Stop&& stop, Observers&&... observe) {
  while (!now.stopped && now.steps < grid.steps) {
    const auto& next = stepper.step(now.t, now.z);
    if (next.failure) {
      now.failure = next.failure;
      break;
    }
    now.z = next.step.z;
    now.t = grid.time(++now.steps);
    const GridPoint<N> point{now.steps, now.t, now.z, &next.step, next.impacts, next.changes};
    (observe(point), ...);
    now.stopped = stop(point);
  }
  return now;
}

template <class Stepper, int N, StopPredicate<GridPoint<N>> Stop, class... Observers>
Ended<N> simulate(Stepper& stepper, const State<double, N>& start, const Grid& grid, Stop&& stop,
                  Observers&&... observe) {
  Ended<N> now{0, grid.time(0), start, std::nullopt, false};
  const GridPoint<N> point{0, now.t, now.z, nullptr};
  (observe(point), ...);
  now.stopped = stop(point);
  return go_on(stepper, now, grid, stop, observe...);
}

// Without a way to stop early.
template <class Stepper, int N, class... Observers>
Ended<N> simulate(Stepper& stepper, const State<double, N>& start, const Grid& grid, Observers&&... observe) {
  return simulate(
      stepper, start, grid, [](const GridPoint<N>&) { return false; }, std::forward<Observers>(observe)...);
}

}  // namespace carom
