// Joints and contacts that last, c(t, q) = 0, at a point: their gradients G, a row each, and all that the
// derivative of a motion along them takes of them beside. Columns are those of columns.hpp, where those of q
// and of the time are of that point; those of p and of the length are zero. Tested in
// tests/laws/derivative_laws_test.cpp.
#pragma once

#include <span>

#include "carom/derivative/columns.hpp"

namespace carom {

class ConstraintSlopes {
 public:
  ConstraintSlopes(const DenseSystem& m, const DerivativeColumns& c);

  // The joints, and these contacts from here on.
  void hold(std::span<const int> contacts);
  int count() const { return static_cast<int>(held.size()); }

  void look(double t, const Values& q);

  Eigen::MatrixXd G;
  Values drift;                             // ∂c/∂t
  Slopes value() const;                     // of c
  Slopes push(const Values& lambda) const;  // of G'λ at fixed λ
  Slopes rate(const Values& v) const;       // of G v + ∂c/∂t at fixed v
  Values bend(const Values& v) const;       // d/dt (G v + ∂c/∂t) along v

 private:
  // What a constraint is by t and the parameters: c | c_q | c_t, a column each.
  Eigen::MatrixXd by_x(int k) const;

  const DenseSystem& system;
  DerivativeColumns columns;
  std::vector<int> held;                  // as constraints: joints first
  std::vector<Eigen::MatrixXd> hessians;  // of each
  std::vector<double> jet, joint_by_x, gap_by_x, bends;
};

}  // namespace carom
