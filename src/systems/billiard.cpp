#include "carom/systems/billiard.hpp"

#include "make_model.hpp"

namespace carom {

Model billiard_model() { return make_model<Billiard>("billiard", "a particle inside an ellipse"); }

}  // namespace carom
