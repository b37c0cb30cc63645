#include "model/formula_built_in.hpp"

namespace carom {

Model pogo_stick_model() {
  return formula_built_in(
      {.name = "pogo-stick",
       .summary = "two masses on a vertical spring over a floor (003, 6.1.1)",
       .parameters =
           {{"m", 1, "> 0"}, {"k", 10, ">= 0"}, {"k4", 0, ">= 0"}, {"l", 5, "> 0"}, {"g", 9.8, "any"}},
       .coordinates = {"y1", "y2"},
       .lagrangian =
           "0.5*m*(y1'^2 + y2'^2) - 0.5*k*(y1 - y2 - l)^2 - 0.25*k4*(y1 - y2 - l)^4 - m*g*(y1 + y2)",
       .gaps = {{"floor", "y2"}},
       .start_q = {"l + 1", "1"},
       .start_v = {"0", "0"},
       .draw = {.points = {{"top", {"0", "y1"}}, {"bottom", {"0", "y2"}}},
                .lines = {{"top", "bottom"}},
                .circles = {{"top", "0.05*l"}, {"bottom", "0.05*l"}},
                .ground = {{"-0.5*l", "0", "0.5*l", "0"}}}});
}

}  // namespace carom
