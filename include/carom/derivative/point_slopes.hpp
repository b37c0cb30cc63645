// All first derivatives of ∂L/∂q + force, ∂L/∂v and L at a point (t, q, v): by q and v, by t, and by the
// parameters of the system. Steps, impacts and energies are differentiated with nothing else. Tested in
// tests/laws/derivative_laws_test.cpp.
#pragma once

#include "carom/derivative/columns.hpp"

namespace carom {

class PointSlopes {
 public:
  explicit PointSlopes(const DenseSystem& m);

  void look(double t, const double* q, const double* v);
  void look(double t, const Values& q, const Values& v) { look(t, q.data(), v.data()); }

  double L = 0;
  Values Lq, Lv, F;          // F = Lq + f
  Eigen::MatrixXd Fq, Fv;    // ∂F/∂q, ∂F/∂v
  Eigen::MatrixXd Lvq, Lvv;  // ∂Lv/∂q, ∂Lv/∂v
  Eigen::MatrixXd Fx, Lvx;   // by x = t and the parameters, a column each
  SlopeRow Lx;

 private:
  const DenseSystem& system;
  int n, extra;
  PointMemory memory;
  std::vector<double> jet, force, by_x;
};

}  // namespace carom
