#include "model/formula_built_in.hpp"

namespace carom {

// The walls meet at the origin; gravity points down the line between them. The start is half of the way from
// that line to the right wall.
Model wedge_model() {
  return formula_built_in(
      {.name = "wedge",
       .summary = "a particle that falls between two walls that meet at an angle",
       .parameters = {{"m", 1, "> 0"}, {"g", 9.81, "any"}, {"angle", 1.0471975511965976, "> 0"}},
       .below = {{"angle", "pi"}},
       .coordinates = {"x", "y"},
       .lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y",
       .gaps = {{"left", "y*sin(angle/2) + x*cos(angle/2)"}, {"right", "y*sin(angle/2) - x*cos(angle/2)"}},
       .start_q = {"0.5*tan(angle/2)", "1"},
       .start_v = {"0", "0"},
       .draw = {.points = {{"particle", {"x", "y"}}, {"corner", {"0", "0"}}},
                .circles = {{"particle", "0.02"}},
                .ground = {{"-1000*sin(angle/2)", "1000*cos(angle/2)", "0", "0"},
                           {"0", "0", "1000*sin(angle/2)", "1000*cos(angle/2)"}},
                .trails = {"particle"}}});
}

}  // namespace carom
