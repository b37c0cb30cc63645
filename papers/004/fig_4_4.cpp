// 004, Fig. 4.4: Global error in z, a mass on a cubic.
#include "common.hpp"

namespace carom::papers::p004 {

Item fig_4_4() {
  return {.name = "004-fig-4.4",
          .place = "Fig. 4.4",
          .title = "Global error in z, a mass on a cubic",
          .claim =
              "Measured at t = 1 in z, the true method converges with order 1 and the natural one does not "
              "converge (section 4).",
          .parameters = mass_on_cubic.scenario,
          .methods =
              "se1 with scheme natural, (3.2), and true, (3.5) (the paper's); beside them sva, yoshida4, "
              "kahan-li6, kahan-li8",
          .reproduce = [](const Lab& lab) { return global_error(lab, mass_on_cubic, Part::z); }};
}

}  // namespace carom::papers::p004
