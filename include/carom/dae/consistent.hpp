// Consistent values of a DAE at a point: the multipliers psi and the rates of z from the hidden constraint
//
//   0 = d/dt c(y, z) = c_y v + c_z z',   p_z z' = f + r(y, z, psi) - p_y v,
//
// whose solution for psi is unique where g_y v_z p_z^-1 r_psi is invertible (004, (3.1e)); and points on the
// manifold g = 0, c = 0 near a given one. Only the constraints in `held` count; the others' psi are 0.
// Tested in tests/laws/dae_laws_test.cpp.
#pragma once

#include <Eigen/LU>
#include <span>

#include "carom/dae/coordinate_units.hpp"
#include "carom/flow/outcome.hpp"

namespace carom {

// What the rate c_i is small against.
double rate_scale(const Dae& dae, const DaeConstraint& constraint, const DaeMotion& motion, int i);
// What the constraint g_i is small against: its slopes times the largest of |y| + h |v|. Both in units of the
// coordinates against each other.
double gap_scale(const Dae& dae, const DaeConstraint& constraint, const DaeMotion& motion, const Values& y,
                 double h, int i);

class ConsistentValues {
 public:
  explicit ConsistentValues(const Dae& d);

  // psi and z' at (t, y, z), with a share of the friction. Newton's method starts from psi as it is; from
  // nothing, where friction may have no slope, from what holds without it.
  Outcome operator()(double t, const Values& y, const Values& z, std::span<const int> held,
                     double friction = 1);

  // How far from singular g_y v_z p_z^-1 r_psi is at the psi found: its least singular value over its
  // largest.
  double condition() const;

  // A multiplier this small is rounding.
  double rounding(std::size_t k) const;

  // How y would have to move for g = 0, after a look at a point: along v_z p_z^-1 r_psi.
  Values shift(std::span<const int> held) const;

  const DaeMotion& at() const { return motion; }
  const DaeConstraint& constraints() const { return constraint; }
  const CoordinateUnits& units() const { return coordinates; }

 private:
  const Dae& dae;
  DaeSizes size;

 public:
  Values psi, z_rate;

 private:
  Outcome solve(const Values& y, const Values& z, std::span<const int> held, double friction);
  void residual(const Values& y, const Values& z, std::span<const int> held, double friction);
  void compute_mass();
  // p_z^-1 of a vector, or of columns.
  auto by_mass(const auto& x) const {
    return (coordinates.each().asDiagonal() * mass.solve(coordinates.each().asDiagonal() * x)).eval();
  }
  bool factor();

  static constexpr int most_iterations = 60;
  DaeMotion motion;
  DaeConstraint constraint;
  DaeReaction reaction;
  Eigen::PartialPivLU<Dense> mass;
  Eigen::PartialPivLU<Dense> matrix;
  Values miss, change, force, all, driven, held_back;
  CoordinateUnits coordinates;
  Values sizes, sides;  // per held constraint: what rounding errors of c' are relative to, and its unit
  Dense slope, slopes, ways;
};

}  // namespace carom
