// The items of 003, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p003 {
// Sections 1 to 6, Appendix B.
Item fig_1_2();
Item fig_1_3();
}  // namespace p003

Paper paper_003() {
  return {"003",
          "Kaufman & Pai, Geometric Numerical Integration of Inequality Constrained, Nonsmooth Hamiltonian "
          "Systems, 2012",
          {// Sections 1 to 6, Appendix B.
           p003::fig_1_2(), p003::fig_1_3()}};
}

}  // namespace carom::papers
