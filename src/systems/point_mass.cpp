#include "carom/systems/point_mass.hpp"

#include "model/make_model.hpp"

namespace carom {

template class AutodiffSystem<PointMass>;

Model point_mass_model() {
  Model r = make_model<PointMass>("point-mass", "a mass on a line under gravity over a floor (001)");
  r.draw = {.points = {{"mass", {"0", "q + 0.05"}}},
            .circles = {{"mass", "0.05"}},
            .ground = {{"-0.5", "0", "0.5", "0"}},
            .view = {{-0.7, 0.7, -0.12, 1.2}}};
  return r;
}

}  // namespace carom
