// The items of 001, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p001 {
Item fig_1();
Item fig_2_left();
Item fig_2_right();
}  // namespace p001

Paper paper_001() {
  return {"001",
          "Pekarek & Murphey, A Backwards Error Analysis Approach for Simulation and Control of Nonsmooth "
          "Mechanical Systems",
          {p001::fig_1(), p001::fig_2_left(), p001::fig_2_right()}};
}

}  // namespace carom::papers
