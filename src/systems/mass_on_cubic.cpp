#include "model/formula_built_in.hpp"

namespace carom {

// The normal force is psi (-3 b x^2, 1), and friction its length to the power r_f, against the velocity. At
// the start the mass is on the curve and moves along it.
Model mass_on_cubic_model() {
  return formula_built_in(
      {.name = "mass-on-cubic",
       .summary = "a mass on the curve y = b x^3, with friction not linear in the normal force (004, (4.2))",
       .parameters = {{"m", 1, "> 0"},
                      {"b", 0.01, "any"},
                      {"g", 9.81, "any"},
                      {"c_f", 0.1, ">= 0"},
                      {"r_f", 0.85, "> 0"}},
       .coordinates = {"x", "y"},
       .lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y",
       .gaps = {{"surface", "y - b*x^3"}},
       .friction = {"-c_f*(abs(psi1)*sqrt(1 + 9*b^2*x^4))^r_f*x'/hypot(x', y')",
                    "-c_f*(abs(psi1)*sqrt(1 + 9*b^2*x^4))^r_f*y'/hypot(x', y')"},
       .start_q = {"10", "b*1000"},
       .start_v = {"-3.6", "3*b*100*(-3.6)"},
       .draw = {.points = {{"mass", {"x", "y"}}},
                .circles = {{"mass", "0.2"}},
                .curves = {{"s", "b*s^3", "-12", "12"}},
                .trails = {"mass"}},
       .stepper = "dae-euler"});
}

}  // namespace carom
