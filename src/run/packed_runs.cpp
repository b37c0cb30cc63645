#include "run/packed_runs.hpp"

#include <algorithm>
#include <memory>

#include "carom/flow/flow_stepper.hpp"
#include "run/make_law.hpp"
#include "run/packed_steps.hpp"
#include "run/run.hpp"
#include "run/run_system.hpp"
#include "run/watched_mechanics.hpp"

namespace carom {
namespace {

// As in carom/system/stage_slopes.hpp: all inlined, so that it is compiled for the wider registers.
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] unsigned advance_lanes(
    PackedSteps<ExactPack<4>>& steps, std::int64_t most) {
  return steps.advance(most);
}
[[gnu::flatten, gnu::noclone, gnu::noinline]] unsigned advance_lanes(PackedSteps<ExactPack<2>>& steps,
                                                                     std::int64_t most) {
  return steps.advance(most);
}

template <int W>
class PackedRuns {
  static constexpr std::int64_t most_at_once = 1024;  // then it is time to look at the clock

 public:
  PackedRuns(const std::shared_ptr<const System>& m, const CheckedStart& s, const Scenario& first,
             const Method& by, const RunHooks& h, const MemberFeed& f)
      : system(m),
        start_of(s),
        watched(*m),
        scenario(first),
        method(by),
        hooks(h),
        feed(f),
        smooth(is_smooth(*m, by)),
        empty(empty_result_of(*m, scenario, method)),
        flow(method.flow, empty.grid.step),
        packed(*m, flow, empty.grid, !smooth, !scenario.time.end),
        pulse(hooks, empty.grid.steps, scenario.time.impacts) {}

  bool possible() const { return packed.ok(); }

  void operator()() {
    for (int i = 0; i < W; ++i) fill(i);
    for (std::int64_t round = 0;; ++round) {
      const auto first = std::find_if(lanes.begin(), lanes.end(), [](const auto& lane) { return !!lane; });
      if (first == lanes.end()) return;
      for (int i = 0; i < W; ++i)
        if (!lanes[i]) packed.copy(static_cast<int>(first - lanes.begin()), i);  // idle, and in nobody's way
      const unsigned alone = advance();
      for (int i = 0; i < W; ++i)
        if (lanes[i] && ((alone >> i & 1) || packed.at(i) == grid().steps)) attend(i);
      if (pulse.beats(round) && (pulse.tell(0, 0), hooks.stop && hooks.stop())) stop_all();
    }
  }

 private:
  struct Lane {
    Lane(PackedRuns& all, const RunState& start, std::size_t which)
        : member(which),
          stepper(all.make_stepper(all.flow)),
          run({all.watched,
               *stepper,
               nullptr,
               all.scenario,
               all.method,
               all.hooks,
               all.grid(),
               start,
               {},
               [&all](double h) { return all.make_stepper(SteadyFlow(all.method.flow, h)); }}) {}
    std::size_t member;
    std::unique_ptr<Stepper> stepper;
    Run run;
    Run::End now = {};
  };

  const Grid& grid() const { return empty.grid; }

  std::unique_ptr<Stepper> make_stepper(const SteadyFlow& steps) const {
    if (smooth) return std::make_unique<FlowStepper>(*system, method.flow, steps.h);
    return make_contact_stepper(system, steps, method);
  }

  unsigned advance() {
    std::int64_t most = most_at_once;
    for (int i = 0; i < W; ++i) most = std::min(most, grid().steps - packed.at(i));
    return advance_lanes(packed, most);
  }

  // The first step is taken alone, too: the stepper may look at the start.
  void fill(int i) {
    while (const Scenario* next = feed.next()) {
      lanes[i] = std::make_unique<Lane>(*this, start_of(*next), given++);
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
    if (!smooth) tell_of_impacts(*system, method, r);
    feed.done(lane.member, r);
    lanes[i].reset();
  }
  void stop_all() {
    for (int i = 0; i < W; ++i)
      if (lanes[i]) lanes[i]->now.stopped = true, finish(i);
  }

  const std::shared_ptr<const System>& system;
  const CheckedStart& start_of;
  WatchedMechanics watched;
  const Scenario& scenario;
  const Method& method;
  const RunHooks& hooks;
  const MemberFeed& feed;
  bool smooth;
  RunResult empty;
  SteadyFlow flow;
  PackedSteps<ExactPack<W>> packed;
  Pulse pulse;
  std::array<std::unique_ptr<Lane>, W> lanes;
  std::size_t given = 0;
};

// Whether it could be done.
template <int W>
bool run_lanes(const auto&... parts) {
  const auto runs = std::make_unique<PackedRuns<W>>(parts...);
  if (!runs->possible()) return false;
  (*runs)();
  return true;
}

bool fits_lanes(const System& m, const Method& method) {
  const bool known = method.stepper == "event-driven" || method.stepper == "smooth";
  const bool small = m.size() <= most_packed_coordinates && m.contact_count() <= most_packed_gaps;
  return known && small && m.has_lanes() && m.constant_mass() && !m.forced() && m.joint_count() == 0 &&
         is_explicit(method.flow);
}

}  // namespace

bool run_packed(const std::shared_ptr<const System>& system, const CheckedStart& start_of,
                const Scenario& scenario, const Method& method, const RunHooks& hooks, const MemberFeed& feed,
                int lanes) {
  if (!fits_lanes(*system, method) || hooks.records || hooks.resumed || scenario.time.until ||
      !scenario.output.quantities.empty())
    return false;
  return lanes == 4 ? run_lanes<4>(system, start_of, scenario, method, hooks, feed)
                    : run_lanes<2>(system, start_of, scenario, method, hooks, feed);
}

}  // namespace carom
