// The items of 002, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p002 {
Item cost();
Item symplectic();
Item theorem_3_2();
Item double_impact();
Item fig_2();
Item fig_3();
Item fig_4();
Item fig_4_walk();
Item fig_5();
Item fig_6();
}  // namespace p002

Paper paper_002() {
  return {"002",
          "Fetecau, Marsden, Ortiz & West, Nonsmooth Lagrangian Mechanics and Variational Collision "
          "Integrators, 2003",
          {p002::cost(), p002::symplectic(), p002::theorem_3_2(), p002::double_impact(), p002::fig_2(),
           p002::fig_3(), p002::fig_4(), p002::fig_4_walk(), p002::fig_5(), p002::fig_6()}};
}

}  // namespace carom::papers
