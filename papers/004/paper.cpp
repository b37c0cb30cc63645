// The items of 004, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p004 {
Item theorem_3_1();
Item multipliers();
Item reaction_at();
Item theorem_3_2_affine();
Item theorem_3_2_symplectic();
Item initial_guess();
Item theorem_3_3();
Item section_3_4();
Item fig_4_1();
Item fig_4_2();
Item constraint_active();
Item fig_4_3();
Item fig_4_4();
Item composition();
}  // namespace p004

Paper paper_004() {
  return {
      "004",
      "Jay & Simeon, Consistent Extensions of the Symplectic Euler Method for a Class of Overdetermined DAEs",
      {p004::theorem_3_1(), p004::multipliers(), p004::reaction_at(), p004::theorem_3_2_affine(),
       p004::theorem_3_2_symplectic(), p004::initial_guess(), p004::theorem_3_3(), p004::section_3_4(),
       p004::fig_4_1(), p004::fig_4_2(), p004::constraint_active(), p004::fig_4_3(), p004::fig_4_4(),
       p004::composition()}};
}

}  // namespace carom::papers
