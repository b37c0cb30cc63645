// The linear complementarity problem 0 <= x ⟂ M x + q >= 0 of a dense M, by Lemke's method (Cottle, Pang &
// Stone, The Linear Complementarity Problem, algorithm 4.4.5): x0 enters until nothing is negative, and then
// always the partner of what has left, until x0 leaves. It ends with a solution where M is copositive-plus
// and there is one; otherwise it may end along a ray. Ties, as those of a heap at rest, are broken by q,
// which is made a little larger, by other amounts in each row. Tested in tests/unit/complementarity_test.cpp.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace carom {

class Complementarity {
 public:
  void resize(int unknowns);
  double& entry(int row, int column) { return M(row, column); }
  double& bias(int row) { return q[row]; }
  bool solve();

  Eigen::VectorXd x;

 private:
  bool enter(int variable);
  void pivot(int row, int column);

  Eigen::MatrixXd M, table;  // columns of the table: those of w, of x, of x0, and q
  Eigen::VectorXd q;
  std::vector<int> basis;
  int n = 0, left = -1;  // the variable that has left
};

}  // namespace carom
