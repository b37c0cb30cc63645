#include "carom/systems/cart_pendulum.hpp"

#include "model/make_model.hpp"

namespace carom {

template class AutodiffSystem<CartPendulum>;

Model cart_pendulum_model() {
  Model r = make_model<CartPendulum>("cart-pendulum",
                                     "a cart on a vertical track with a pendulum, over a floor (000)");
  r.draw = {.points = {{"cart", {"0", "y + 0.08*L"}},
                       {"joint", {"0", "y"}},
                       {"bob", {"L*sin(θ)", "y - L*cos(θ)"}},
                       {"low", {"0", "0"}},
                       {"high", {"0", "3*L"}}},
            .lines = {{"low", "high"}, {"joint", "bob"}},
            .circles = {{"bob", "0.07*L"}},
            .boxes = {{"cart", "0.3*L", "0.16*L"}},
            .ground = {{"-1.2*L", "0", "-0.2*L", "0"}, {"0.2*L", "0", "1.2*L", "0"}},
            .trails = {"bob"}};
  return r;
}

}  // namespace carom
