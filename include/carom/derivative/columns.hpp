// What derivatives are taken by, in the order of their columns: the start z = (q, p) of a part of a run, the
// time t and the length h of that part, the anchor of a law that has one (impact_law.hpp), and the
// parameters.
#pragma once

#include "carom/system/dense_system.hpp"

namespace carom {

struct DerivativeColumns {
  int n = 0;           // coordinates
  int parameters = 0;  // those of the system, and the method's restitution where it is one (restitution >= 0)
  int restitution = -1;

  int z() const { return 2 * n; }
  int time() const { return 2 * n; }
  int length() const { return 2 * n + 1; }
  int anchor() const { return 2 * n + 2; }
  int parameter(int k) const { return 2 * n + 3 + k; }
  int count() const { return 2 * n + 3 + parameters; }
};

using Slopes = Eigen::MatrixXd;  // one row for each number, one column as above
using SlopeRow = Eigen::RowVectorXd;

}  // namespace carom
