#include "model/formula_built_in.hpp"

namespace carom {

// The start is the top of the disc; the particle slides off and leaves it at y = 2/3 R + v0²/(3 g).
Model disc_model() {
  return formula_built_in(
      {.name = "disc",
       .summary = "a particle that slides off a disc, or falls on it",
       .parameters = {{"m", 1, "> 0"}, {"g", 9.81, "any"}, {"R", 1, "> 0"}, {"v0", 0.5, "any"}},
       .coordinates = {"x", "y"},
       .lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y",
       .gaps = {{"disc", "hypot(x, y) - R"}},
       .start_q = {"0", "R"},
       .start_v = {"v0", "0"},
       .draw = {.points = {{"particle", {"x", "y"}}, {"low", {"-R", "-R"}}, {"high", {"R", "R"}}},
                .circles = {{"particle", "0.03*R"}},
                .curves = {{"R*cos(s)", "R*sin(s)", "0", "2*pi"}},
                .trails = {"particle"}},
       .stepper = "contact"});
}

}  // namespace carom
