#include "carom/systems/double_pendulum.hpp"

#include "make_model.hpp"

namespace carom {

Model double_pendulum_model() {
  return make_model<DoublePendulum>("double-pendulum", "a double pendulum beside a wall (001)");
}

}  // namespace carom
