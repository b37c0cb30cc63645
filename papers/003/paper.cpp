// The items of 003, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p003 {
// Section 8.
Item fig_8_2a();
Item fig_8_2b();
Item fig_8_2c();
Item fig_8_2d();
Item fig_8_3();
Item fig_8_4();
Item fig_8_5();
}  // namespace p003

Paper paper_003() {
  return {"003",
          "Kaufman & Pai, Geometric Numerical Integration of Inequality Constrained, Nonsmooth Hamiltonian "
          "Systems, 2012",
          {// Section 8.
           p003::fig_8_2a(), p003::fig_8_2b(), p003::fig_8_2c(), p003::fig_8_2d(), p003::fig_8_3(),
           p003::fig_8_4(), p003::fig_8_5()}};
}

}  // namespace carom::papers
