// The items of 003, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p003 {
Item fig_1_2();
Item fig_1_3();
Item fig_1_4();
Item fig_5_1();
Item fig_6_1();
Item reversibility();
Item fig_8_2a();
Item fig_8_2b();
Item fig_8_2c();
Item fig_8_2d();
Item fig_8_3();
Item fig_8_4();
Item fig_8_5();
Item theorem_b_1();
}  // namespace p003

Paper paper_003() {
  using namespace p003;
  return {"003",
          "Kaufman & Pai, Geometric Numerical Integration of Inequality Constrained, Nonsmooth Hamiltonian "
          "Systems, 2012",
          {fig_1_2(), fig_1_3(), fig_1_4(), fig_5_1(), fig_6_1(), reversibility(), fig_8_2a(), fig_8_2b(),
           fig_8_2c(), fig_8_2d(), fig_8_3(), fig_8_4(), fig_8_5(), theorem_b_1()}};
}

}  // namespace carom::papers
