// The items of 001, in the paper's order.
#include "item.hpp"

namespace carom::papers {
Paper paper_001() {
  return {"001",
          "Pekarek & Murphey, A Backwards Error Analysis Approach for Simulation and Control of Nonsmooth "
          "Mechanical Systems",
          {}};
}

}  // namespace carom::papers
