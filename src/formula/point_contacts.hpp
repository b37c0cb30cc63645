// A contact of a point P(t, q) with a wall φ(X, Y[, Z], t) >= 0: gap and slip that follow,
//
//   g = φ(P)/|∇φ(P)|,    u = t(P)·P',    t ⟂ ∇φ of length one
//
// in space for two t that are at right angles (Duff et al., "Building an orthonormal basis, revisited",
// 2017). Where ∇φ is the same everywhere, t·P is a slide. Tested in tests/cli/friction_space_test.py.
#pragma once

#include "formula/formula_names.hpp"

namespace carom {

struct PointContact {
  formula::Node gap = formula::none;
  std::vector<formula::Node> slips, slides;  // one or two; without slides where the wall is not straight
};

PointContact read_point(const Scenario& scenario, FormulaNames& names, const std::string& key,
                        const ContactSpec& contact);

}  // namespace carom
