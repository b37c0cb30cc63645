#include "carom/systems/particle.hpp"

#include "make_model.hpp"

namespace carom {

Model particle_model() {
  return make_model<Particle>("particle", "a particle in a vertical plane over a floor (002, 4.2)");
}

}  // namespace carom
