// The columns of a scenario's records, before it has been run.
#pragma once

#include "records/table.hpp"
#include "scenario/scenario.hpp"

namespace carom {

struct Layouts {
  Layout rows, impacts, changes;
};

// Throws ScenarioError for a scenario that cannot be run.
Layouts layouts_of(Scenario scenario);

}  // namespace carom
