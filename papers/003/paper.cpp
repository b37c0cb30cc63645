// The items of 003, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p003 {
// Sections 1 to 6, Appendix B.
Item fig_1_2();
Item fig_1_3();
Item fig_1_4();
Item fig_5_1();
Item fig_6_1();
Item reversibility();
Item theorem_b_1();
}  // namespace p003

Paper paper_003() {
  return {"003",
          "Kaufman & Pai, Geometric Numerical Integration of Inequality Constrained, Nonsmooth Hamiltonian "
          "Systems, 2012",
          {// Sections 1 to 6, Appendix B.
           p003::fig_1_2(), p003::fig_1_3(), p003::fig_1_4(), p003::fig_5_1(), p003::fig_6_1(),
           p003::reversibility(), p003::theorem_b_1()}};
}

}  // namespace carom::papers
