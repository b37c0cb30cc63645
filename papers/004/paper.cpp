// The items of 004, in the paper's order.
#include "item.hpp"

namespace carom::papers {
Paper paper_004() {
  return {
      "004",
      "Jay & Simeon, Consistent Extensions of the Symplectic Euler Method for a Class of Overdetermined DAEs",
      {}};
}

}  // namespace carom::papers
