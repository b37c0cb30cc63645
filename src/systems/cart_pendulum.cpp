#include "carom/systems/cart_pendulum.hpp"

#include "make_model.hpp"

namespace carom {

Model cart_pendulum_model() {
  return make_model<CartPendulum>("cart-pendulum",
                                  "a cart on a vertical track with a pendulum, over a floor (000)");
}

}  // namespace carom
