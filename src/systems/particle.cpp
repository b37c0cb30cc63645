#include "carom/systems/particle.hpp"

#include "model/make_model.hpp"

namespace carom {

template class AutodiffSystem<Particle>;

Model particle_model() {
  Model r = make_model<Particle>("particle", "a particle in a vertical plane over a floor (002, 4.2)");
  r.draw = {.points = {{"particle", {"x", "y"}}},
            .circles = {{"particle", "0.04"}},
            .ground = {{"-1000", "0", "1000", "0"}},
            .trails = {"particle"}};
  return r;
}

}  // namespace carom
