// 004, Fig. 4.3: Global error in y, a mass on a cubic.
#include "common.hpp"

namespace carom::papers::p004 {

Item fig_4_3() {
  return {.name = "004-fig-4.3",
          .place = "Fig. 4.3",
          .title = "Global error in y, a mass on a cubic",
          .claim =
              "Measured at t = 1 in y, the true method converges with order 1 and the natural one does not "
              "converge (section 4).",
          .parameters = mass_on_cubic.scenario,
          .methods =
              "se1 with scheme natural, (3.2), and true, (3.5) (the paper's); beside them sva, yoshida4, "
              "kahan-li6, kahan-li8",
          .reproduce = [](const Lab& lab) { return global_error(lab, mass_on_cubic, Part::y); }};
}

}  // namespace carom::papers::p004
