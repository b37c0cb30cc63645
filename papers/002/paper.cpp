// The items of 002, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p002 {
Item fig_2();
}

Paper paper_002() {
  return {"002",
          "Fetecau, Marsden, Ortiz & West, Nonsmooth Lagrangian Mechanics and Variational Collision "
          "Integrators, 2003",
          {p002::fig_2()}};
}

}  // namespace carom::papers
