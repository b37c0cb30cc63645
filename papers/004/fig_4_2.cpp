// 004, Fig. 4.2: Global error in z, problem (4.1).
#include "common.hpp"

namespace carom::papers::p004 {

Item fig_4_2() {
  return {.name = "004-fig-4.2",
          .place = "Fig. 4.2",
          .title = "Global error in z, problem (4.1)",
          .claim =
              "Measured at t = 1 in z, the true method converges with order 1 and the natural one does not "
              "converge (section 4).",
          .parameters = exponential.scenario,
          .methods =
              "se1 with scheme natural, (3.2), and true, (3.5) (the paper's); beside them sva, yoshida4, "
              "kahan-li6, kahan-li8",
          .reproduce = [](const Lab& lab) { return global_error(lab, exponential, Part::z); }};
}

}  // namespace carom::papers::p004
