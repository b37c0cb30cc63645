// The items of 001, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p001 {
Item point_mass_dtec();
Item point_mass_ctec();
Item point_mass_mhc();
Item fig_1();
Item fig_2_left();
Item fig_2_right();
Item partial_step_drift();
Item mean_over_starts();
}  // namespace p001

Paper paper_001() {
  using namespace p001;
  return {"001",
          "Pekarek & Murphey, A Backwards Error Analysis Approach for Simulation and Control of Nonsmooth "
          "Mechanical Systems",
          {point_mass_dtec(), point_mass_ctec(), point_mass_mhc(), fig_1(), fig_2_left(), fig_2_right(),
           partial_step_drift(), mean_over_starts()}};
}

}  // namespace carom::papers
