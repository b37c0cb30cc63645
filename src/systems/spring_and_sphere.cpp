#include "model/formula_built_in.hpp"

namespace carom {

// The start is that of Fig. 8.3: both momenta have the length 1 and point counterclockwise, at right angles
// to the radius; the second particle touches.
Model spring_and_sphere_model() {
  return formula_built_in(
      {.name = "spring-and-sphere",
       .summary = "two particles on a spring, pulled outwards, inside a circle (003, 5.2 and 8.1)",
       .parameters = {{"m", 1, "> 0"},
                      {"a", 50, "any"},
                      {"k", 1, ">= 0"},
                      {"l", 2.8284271247461903, ">= 0"},
                      {"r", 5, "> 0"}},
       .coordinates = {"x1", "y1", "x2", "y2"},
       .lagrangian = "0.5*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2) - a/(x1^2 + y1^2) - a/(x2^2 + y2^2)"
                     " - 0.5*k*(hypot(x1 - x2, y1 - y2) - l)^2",
       .gaps = {{"sphere 1", "r - hypot(x1, y1)"}, {"sphere 2", "r - hypot(x2, y2)"}},
       .momenta = {{"angular momentum", "m*(x1*y1' - y1*x1' + x2*y2' - y2*x2')"}},
       .start_q = {"4*r/5", "-r/5", "3*r/5", "-4*r/5"},
       .start_v = {"1/(m*sqrt(17))", "4/(m*sqrt(17))", "4/(5*m)", "3/(5*m)"},
       .draw = {.points = {{"first", {"x1", "y1"}},
                           {"second", {"x2", "y2"}},
                           {"low", {"-r", "-r"}},
                           {"high", {"r", "r"}}},
                .lines = {{"first", "second"}},
                .circles = {{"first", "0.03*r"}, {"second", "0.03*r"}},
                .curves = {{"r*cos(s)", "r*sin(s)", "0", "2*pi"}},
                .trails = {"first", "second"}},
       .stepper = "contact"});
}

}  // namespace carom
