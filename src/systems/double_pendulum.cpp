#include "carom/systems/double_pendulum.hpp"

#include "model/make_model.hpp"

namespace carom {

template class AutodiffSystem<DoublePendulum>;

Model double_pendulum_model() {
  Model r = make_model<DoublePendulum>("double-pendulum", "a double pendulum beside a wall (001)");
  r.draw = {.points = {{"pivot", {"0", "0"}},
                       {"first", {"L1*sin(θ1)", "-L1*cos(θ1)"}},
                       {"second", {"L1*sin(θ1) + L2*sin(θ1 + θ2)", "-L1*cos(θ1) - L2*cos(θ1 + θ2)"}}},
            .lines = {{"pivot", "first", "second"}},
            .circles = {{"pivot", "0.03*(L1 + L2)/2"},
                        {"first", "0.06*(L1 + L2)/2"},
                        {"second", "0.06*(L1 + L2)/2"}},
            .ground = {{"wall", "1.2*(L1 + L2)", "wall", "-1.2*(L1 + L2)"}},
            .trails = {"second"}};
  return r;
}

}  // namespace carom
