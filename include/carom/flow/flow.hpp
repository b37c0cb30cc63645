// A flow is data: a list of (building block, fraction of the step). Every method of the papers is such a
// list, and so are its inverse, its adjoint and its compositions. Applying one to a state is
// flow_step() in flow_step.hpp.
//
//   se1 = {(c=0), 1}    sva = {se1, 1/2}, {se2, 1/2}    yoshida4 = base with fractions g, 1-2g, g
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "carom/flow/rule.hpp"
#include "carom/numerics/gauss_table.hpp"

namespace carom {

struct Substep {
  std::variant<Rule, Gauss> block;
  double fraction = 1;
};

struct Flow {
  std::string name;
  int order;
  bool symmetric;  // Φ_h^{-1} = Φ_{-h}
  std::vector<Substep> substeps;
};

// Φ_h^{-1}, to be applied with the same h: the adjoint blocks in reverse order with negative fractions. (For
// a flow that is not symmetric this is not Φ_{-h}: the inverse of se1 is se2 with -h.)
inline Flow inverse(const Flow& flow) {
  Flow r{"inverse of " + flow.name, flow.order, flow.symmetric, {}};
  for (auto s = flow.substeps.rbegin(); s != flow.substeps.rend(); ++s) {
    const Rule* rule = std::get_if<Rule>(&s->block);
    r.substeps.push_back({rule ? std::variant<Rule, Gauss>(rule->adjoint()) : s->block, -s->fraction});
  }
  return r;
}

}  // namespace carom
