#include "carom/systems/point_mass.hpp"

#include "make_model.hpp"

namespace carom {

Model point_mass_model() {
  return make_model<PointMass>("point-mass", "a mass on a line under gravity over a floor (001)");
}

}  // namespace carom
