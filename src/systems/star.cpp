#include "carom/systems/star.hpp"

#include "model/make_model.hpp"

namespace carom {

template class AutodiffSystem<Star>;

Model star_model() {
  Model r = make_model<Star>("star", "a rotating four-point star over a floor (002, 4.3)");
  r.draw = {.points = {{"v1", {"x + L/sqrt(2)*cos(θ + pi/4)", "y + L/sqrt(2)*sin(θ + pi/4)"}},
                       {"v2", {"x + L/sqrt(2)*cos(θ + 3*pi/4)", "y + L/sqrt(2)*sin(θ + 3*pi/4)"}},
                       {"v3", {"x + L/sqrt(2)*cos(θ + 5*pi/4)", "y + L/sqrt(2)*sin(θ + 5*pi/4)"}},
                       {"v4", {"x + L/sqrt(2)*cos(θ + 7*pi/4)", "y + L/sqrt(2)*sin(θ + 7*pi/4)"}},
                       {"n1", {"x + L/4*cos(θ + pi/2)", "y + L/4*sin(θ + pi/2)"}},
                       {"n2", {"x + L/4*cos(θ + pi)", "y + L/4*sin(θ + pi)"}},
                       {"n3", {"x + L/4*cos(θ + 3*pi/2)", "y + L/4*sin(θ + 3*pi/2)"}},
                       {"n4", {"x + L/4*cos(θ)", "y + L/4*sin(θ)"}},
                       {"centre", {"x", "y"}}},
            .polygons = {{"v1", "n1", "v2", "n2", "v3", "n3", "v4", "n4"}},
            .ground = {{"-1000", "0", "1000", "0"}},
            .trails = {"centre"}};
  return r;
}

}  // namespace carom
