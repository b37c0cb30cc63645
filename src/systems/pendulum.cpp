#include "model/formula_built_in.hpp"

namespace carom {

Model pendulum_model() {
  return formula_built_in({.name = "pendulum",
                           .summary = "a mass on a rod, in Cartesian coordinates with a joint",
                           .parameters = {{"m", 1, "> 0"},
                                          {"l", 1, "> 0"},
                                          {"g", 9.81, "any"},
                                          {"angle", 1.0471975511965976, "any"}},
                           .coordinates = {"x", "y"},
                           .lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y",
                           .joints = {{"rod", "sqrt(x^2 + y^2) - l"}},
                           .start_q = {"l*sin(angle)", "-l*cos(angle)"},
                           .start_v = {"0", "0"},
                           .draw = {.points = {{"pivot", {"0", "0"}}, {"bob", {"x", "y"}}},
                                    .lines = {{"pivot", "bob"}},
                                    .circles = {{"bob", "0.07*l"}},
                                    .ground = {{"0.3*l", "0", "-0.3*l", "0"}},
                                    .trails = {"bob"}}});
}

}  // namespace carom
