// From a scenario to what runs it: all that it names, found and checked.
#pragma once

#include "model/model.hpp"

namespace carom {

struct Prepared {
  Scenario scenario;
  Model model;
  Method method;
};

// Throws ScenarioError for what does not fit.
Prepared prepare(Scenario scenario);

}  // namespace carom
