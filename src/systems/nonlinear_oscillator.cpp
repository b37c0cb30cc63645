#include "model/formula_built_in.hpp"

namespace carom {

// The circle that is drawn is the floor of the potential.
Model nonlinear_oscillator_model() {
  return formula_built_in(
      {.name = "nonlinear-oscillator",
       .summary = "two hard discs in a potential that wants both at the distance 1 (003, 8.0.1)",
       .parameters = {{"m", 1, "> 0"}, {"r1", 1, "> 0"}, {"r2", 1, "> 0"}},
       .coordinates = {"x1", "y1", "x2", "y2"},
       .lagrangian = "0.5*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2) - (x1^2 + y1^2)*(x1^2 + y1^2 - 1)^2"
                     " - (x2^2 + y2^2)*(x2^2 + y2^2 - 1)^2",
       .gaps = {{"discs", "hypot(x1 - x2, y1 - y2) - r1 - r2"}},
       .momenta = {{"angular momentum", "m*(x1*y1' - y1*x1' + x2*y2' - y2*x2')"}},
       .start_q = {"0", "-r1 - 0.4", "0", "r2 + 0.4"},
       .start_v = {"1/m", "0", "-1/m", "0"},
       .draw = {.points = {{"first", {"x1", "y1"}},
                           {"second", {"x2", "y2"}},
                           {"low", {"-1.5*(r1 + r2)", "-1.5*(r1 + r2)"}},
                           {"high", {"1.5*(r1 + r2)", "1.5*(r1 + r2)"}}},
                .circles = {{"first", "r1"}, {"second", "r2"}},
                .curves = {{"cos(s)", "sin(s)", "0", "2*pi"}},
                .trails = {"first", "second"}}});
}

}  // namespace carom
