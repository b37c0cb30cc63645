#include "carom/systems/billiard.hpp"

#include "model/make_model.hpp"

namespace carom {

template class AutodiffSystem<Billiard>;

Model billiard_model() {
  Model r = make_model<Billiard>("billiard", "a particle inside an ellipse");
  r.draw = {.points = {{"ball", {"x", "y"}}, {"west", {"-a", "-b"}}, {"east", {"a", "b"}}},
            .circles = {{"ball", "0.03*(a + b)/2"}},
            .curves = {{"a*cos(s)", "b*sin(s)", "0", "2*pi"}},
            .trails = {"ball"}};
  return r;
}

}  // namespace carom
