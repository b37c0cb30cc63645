// The items of 000, in the paper's order.
#include "item.hpp"

namespace carom::papers {
namespace p000 {
Item fig_1();
Item fig_2();
Item fig_3();
Item table_1();
Item fig_4();
Item vci_jagged();
Item table_2();
Item cost_falls();
}  // namespace p000

Paper paper_000() {
  return {"000",
          "Pekarek & Murphey, Discrete Lagrangian Mechanics for Nonseparable Nonsmooth Systems, 2014",
          {p000::fig_1(), p000::fig_2(), p000::fig_3(), p000::table_1(), p000::fig_4(), p000::vci_jagged(),
           p000::table_2(), p000::cost_falls()}};
}

}  // namespace carom::papers
