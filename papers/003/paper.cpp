// The items of 003, in the paper's order.
#include "item.hpp"

namespace carom::papers {
Paper paper_003() {
  return {"003",
          "Kaufman & Pai, Geometric Numerical Integration of Inequality Constrained, Nonsmooth Hamiltonian "
          "Systems, 2012",
          {}};
}

}  // namespace carom::papers
