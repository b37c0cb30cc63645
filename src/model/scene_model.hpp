// A scene of rigid bodies as a model. Tested in tests/cli/bodies_test.py.
#pragma once

#include "model/model.hpp"

namespace carom {

Model scene_model(const Scenario& scenario);

}  // namespace carom
