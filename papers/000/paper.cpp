// The items of 000, in the paper's order.
#include "item.hpp"

namespace carom::papers {
Paper paper_000() {
  return {
      "000", "Pekarek & Murphey, Discrete Lagrangian Mechanics for Nonseparable Nonsmooth Systems, 2014", {}};
}

}  // namespace carom::papers
