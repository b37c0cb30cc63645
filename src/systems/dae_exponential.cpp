#include "model/formula_built_in.hpp"

namespace carom {

// y1 = z1 = exp(2t), y2 = z2 = exp(-t), psi = exp(t). Another solution for the multiplier at the start is -2.
Model dae_exponential_model() {
  return formula_built_in(
      {.name = "dae-exponential",
       .summary = "a DAE that is not linear in its multiplier, with a known solution (004, (4.1))",
       .parameters = {},
       .coordinates = {"y1", "y2"},
       .joints = {{"constraint", "y1*y2^2 - 1"}},
       .z = {"z1", "z2"},
       .v = {"2*z1", "-z2"},
       .f = {"2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"},
       .r = {"y2*z1*psi1^2", "-sqrt(y1)*z1*z2^2*psi1"},
       .start_q = {"1", "1"},
       .start_v = {"1", "1"},
       .psi = {{1}},
       .draw = {.points = {{"y", {"y1", "y2"}}},
                .circles = {{"y", "0.05"}},
                .curves = {{"1/s^2", "s", "0.2", "1.5"}},
                .trails = {"y"},
                .view = {{0, 8, 0, 1.5}}}});
}

}  // namespace carom
