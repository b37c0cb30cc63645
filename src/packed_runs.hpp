// Members of a sweep side by side, one in each lane of a pack (packed_steps.hpp). A step that anything
// happens in is taken by that member's own stepper, while the others wait; a lane whose run is over takes the
// next member:
//
//   fill the lanes; while any runs:
//     all lanes together, as many steps as nothing happens in, at most to the first end of a run
//     each lane that cannot take its next step so: alone, with all observers, then back into its lane
//
// So every number is that of the run alone, whatever stood in the other lanes. Included by make_model.hpp,
// and where it is tested and measured.
#pragma once

#include <algorithm>
#include <memory>

#include "packed_steps.hpp"
#include "run/run_system.hpp"

namespace carom::detail {

// As in collocation/stages.hpp: all inlined, so that it is compiled for the wider registers.
template <class Steps>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] unsigned advance_four_lanes(
    Steps& steps, std::int64_t most) {
  return steps.advance(most);
}
template <class Steps>
[[gnu::flatten, gnu::noclone, gnu::noinline]] unsigned advance_two_lanes(Steps& steps, std::int64_t most) {
  return steps.advance(most);
}

template <System Sys, class S>
S stepper_for(const Sys& system, const SteadyFlow& flow, const Method& method) {
  if constexpr (std::is_same_v<S, SmoothStepper<Sys>>)
    return {system, method.flow, flow.h};
  else
    return make_stepper(system, flow, method);
}

template <System Sys, class S, int W>
class PackedRuns {
  static constexpr std::int64_t most_at_once = 1024;  // then it is time to look at the clock

 public:
  PackedRuns(const Sys& sys, const Scenario& s, const Method& m, const RunHooks& h, const MemberFeed& f)
      : system(sys),
        watched(system),
        scenario(s),
        method(m),
        hooks(h),
        feed(f),
        empty(empty_result(system, scenario, method)),
        flow(method.flow, empty.grid.step),
        packed(system, flow, empty.grid, !is_smooth(system, method), !scenario.time.end),
        pulse(hooks, empty.grid.steps, scenario.time.impacts) {}

  bool possible() const { return packed.ok(); }

  void operator()() {
    for (int i = 0; i < W; ++i) fill(i);
    while (true) {
      const auto first = std::find_if(lanes.begin(), lanes.end(), [](const auto& lane) { return !!lane; });
      if (first == lanes.end()) return;
      for (int i = 0; i < W; ++i)
        if (!lanes[i]) packed.copy(static_cast<int>(first - lanes.begin()), i);  // idle, and in nobody's way
      const unsigned alone = advance();
      for (int i = 0; i < W; ++i)
        if (lanes[i] && ((alone >> i & 1) || packed.at(i) == grid().steps)) attend(i);
      if (pulse.beats(0) && pulse.stop(0, 0)) stop_all();
    }
  }

 private:
  struct Lane {
    Lane(PackedRuns& all, const RunState& start, std::size_t which)
        : member(which),
          stepper(stepper_for<Sys, S>(all.system, all.flow, all.method)),
          erased(stepper, static_cast<int>(start.q.size())),
          run({all.watched, erased, nullptr, all.scenario, all.method, all.hooks, all.grid(), start}) {}
    std::size_t member;
    S stepper;
    ErasedStepper<S, Sys::dim> erased;
    Run run;
    Run::End now = {};
  };

  const Grid& grid() const { return empty.grid; }

  unsigned advance() {
    std::int64_t most = most_at_once;
    for (int i = 0; i < W; ++i) most = std::min(most, grid().steps - packed.at(i));
    if constexpr (W == 4)
      return advance_four_lanes(packed, most);
    else
      return advance_two_lanes(packed, most);
  }

  // The first step is taken alone, too: the stepper may look at the start.
  void fill(int i) {
    while (const Scenario* next = feed.next()) {
      lanes[i] = std::make_unique<Lane>(*this, own_state(system, checked_state(system, *next)), given++);
      Lane& lane = *lanes[i];
      lane.now = lane.run.start(std::min<std::int64_t>(1, grid().steps));
      if (settle(lane, lane.run.accounts_under_way().impacts > 0)) return put(i);
      finish(i);
    }
  }
  void attend(int i) {
    Lane& lane = *lanes[i];
    packed.take(i, lane.now.steps, lane.now.z, lane.run.accounts_under_way());
    lane.now.t = grid().time(lane.now.steps);
    if (settle(lane, lane.now.steps < grid().steps)) return put(i);
    finish(i);
    fill(i);
  }
  void put(int i) {
    Lane& lane = *lanes[i];
    packed.put(i, lane.now.steps, lane.now.z, lane.run.accounts_under_way());
  }

  // Takes steps alone until one has no impact, since the stepper may look at the state after one; answers
  // whether the run goes on.
  bool settle(Lane& lane, bool alone) {
    const Run::End& now = lane.now;
    const auto over = [&] { return now.failure || now.stopped || now.steps >= grid().steps; };
    while (alone && !over()) {
      const std::int64_t before = lane.run.accounts_under_way().impacts;
      lane.run.take_step(lane.now);
      alone = lane.run.accounts_under_way().impacts > before;
    }
    return !over();
  }

  void finish(int i) {
    Lane& lane = *lanes[i];
    RunResult r = empty;
    lane.run.end(lane.now, r);
    if constexpr (!std::is_same_v<S, SmoothStepper<Sys>>) tell_of_impacts(is_forced(system), method, r);
    feed.done(lane.member, r);
    lanes[i].reset();
  }
  void stop_all() {
    for (int i = 0; i < W; ++i)
      if (lanes[i]) lanes[i]->now.stopped = true, finish(i);
  }

  const Sys& system;
  Watched<Sys> watched;
  const Scenario& scenario;
  const Method& method;
  const RunHooks& hooks;
  const MemberFeed& feed;
  RunResult empty;
  SteadyFlow flow;
  PackedSteps<Sys, ExactPack<W>> packed;
  Pulse pulse;
  std::array<std::unique_ptr<Lane>, W> lanes;
  std::size_t given = 0;
};

// Whether it could be done.
template <System Sys, class S, int W>
bool run_lanes(const Sys& system, const Scenario& scenario, const Method& method, const RunHooks& hooks,
               const MemberFeed& feed) {
  const auto runs = std::make_unique<PackedRuns<Sys, S, W>>(system, scenario, method, hooks, feed);
  if (!runs->possible()) return false;
  (*runs)();
  return true;
}

// Runs what the feed gives in `lanes` lanes, 2 or 4; answers whether system, method and what is asked of the
// runs allow it, before the first member is taken.
template <System Sys>
bool run_packed(const Sys& system, const Scenario& scenario, const Method& method, const RunHooks& hooks,
                const MemberFeed& feed, int lanes) {
  if constexpr (ConstantMass<Sys> || OwnDerivatives<Sys>) {
    if (method.stepper == "dae-euler" || method.over_mechanisms() || !fits_packs(system, method.flow) ||
        hooks.records || hooks.resumed || scenario.time.until)
      return false;
    using Smooth = SmoothStepper<Sys>;
    using Hitting = EventDrivenStepper<Sys>;
    if (is_smooth(system, method))
      return lanes == 4 ? run_lanes<Sys, Smooth, 4>(system, scenario, method, hooks, feed)
                        : run_lanes<Sys, Smooth, 2>(system, scenario, method, hooks, feed);
    return lanes == 4 ? run_lanes<Sys, Hitting, 4>(system, scenario, method, hooks, feed)
                      : run_lanes<Sys, Hitting, 2>(system, scenario, method, hooks, feed);
  } else {
    return false;
  }
}

}  // namespace carom::detail
