// Members of a sweep side by side, one in each lane of a pack (packed_steps.hpp). A step that anything
// happens in is taken by that member's own stepper, while the others wait; a lane whose run is over takes the
// next member:
//
//   fill the lanes; while any runs:
//     all lanes together, as many steps as nothing happens in, at most to the first end of a run
//     each lane that cannot take its next step so: alone, with all observers, then back into its lane
//
// So every number is that of the run alone, whatever stood in the other lanes.
// Tested in tests/laws/packed_runs_test.cpp.
#pragma once

#include "model/model.hpp"
#include "run/watched.hpp"

namespace carom {

// Where a member of the sweep starts; throws ScenarioError.
using CheckedStart = std::function<RunState(const Scenario&)>;

// Runs what the feed gives in `lanes` lanes, 2 or 4; answers whether system, method and what is asked of the
// runs allow it, before the first member is taken.
bool run_packed(const std::shared_ptr<const System>& system, const CheckedStart& start_of,
                const Scenario& scenario, const Method& method, const RunHooks& hooks, const MemberFeed& feed,
                int lanes);

}  // namespace carom
