// One step of the symplectic Euler methods of 004 from (y0, z0) to (y1, z1), all equations at once:
//
//   P1 = p0 + h f(y0, Z1) + h alpha r(y0, z0, Psi0)                       (3.2a), (3.5a); P1 = p(y0, Z1)
//   y1 = y0 + h v(y0, Z1)                                                 (b)
//   p1 = P1 + h (1 - alpha) r(y1, z1, Psi1)                               natural, (3.2d)
//   p1 = P1 + h r(y1, z1, Psi1) - h alpha r(y1, z1, Psi0)                 true, (3.5d)
//   0 = g(y1),   0 = g_y(y1) v(y1, z1)                                    (c), (e)
//
// The conjugate ones, (3.7) and (3.8), take f and v at (y1, Z1), P1 = p(y1, Z1), and f goes into p1. The
// adjoint of each is the same set of equations with -h, in which (y1, z1) is where the step starts: the
// unknown end, on which g and its rate vanish, is then (y0, z0). (3.8) is not the adjoint of (3.5).
// Tested in tests/laws/dae_laws_test.cpp and dae_orders_test.cpp.
#pragma once

#include <Eigen/LU>
#include <span>

#include "carom/dae/coordinate_units.hpp"
#include "carom/flow/outcome.hpp"

namespace carom {

struct DaeScheme {
  bool natural = false, conjugate = false;
  double alpha = 0.5;
  // Which z the reactions at y0 and at y1 are taken at: those of their ends, or one for both.
  enum class At { ends, z0, z1, Z1 } at = At::ends;
};

class DaeEuler {
 public:
  DaeEuler(const Dae& d, const DaeScheme& s);

  // Takes (y, z) from t to t + step with the constraints `which` held. Psi0 and Psi1 of the step before are
  // where Newton's method starts, as 004 advises: Psi0 is not near the consistent multipliers.
  Outcome operator()(double t, double step, bool adjoint, std::span<const int> which, Values& y, Values& z);

  void numbers(auto&& f) {
    for (Values* psi : {&Psi0, &Psi1})
      for (double& x : *psi) f(x);
  }

 private:
  const Dae& dae;
  DaeScheme scheme;
  DaeSizes size;

 public:
  // Friction opposes the motion along this way (a momentum), and still points against it where z turns back:
  // so a motion that friction brings to rest passes through rest smoothly, and rest can be found. Without a
  // way friction follows z.
  Values way;
  bool has_way = false;
  // Multipliers: of the true methods Psi1 is consistent. Where Newton's method starts; zero for what is not
  // held.
  Values Psi0, Psi1;
  double force_work = 0, friction_work = 0;  // of the last step

 private:
  // The unknowns: an end of the step (columns of y and z), Z1 and the multipliers of what is held. -1: known.
  struct Columns {
    int y0 = -1, z0 = -1, y1 = -1, z1 = -1, Z = 0, Psi0 = 0, Psi1 = 0;
  };

  double sign(const Values& z) const;
  const Values& moving(const Values& z);
  void start(double t, double step, bool adjoint, std::span<const int> which, const Values& y,
             const Values& z);
  const Values& reaction_z(bool at_start) const;
  int reaction_column(bool at_start) const;
  void assemble();
  void solve();
  void add_reactions(int first, int second);
  void add_reaction(int row, double factor, bool at_start, const Values& psi, int psi_column);
  void add_constraints(int row);

  struct Slope {
    int column;
    const Dense* matrix;
  };
  void add(int row, double factor, const Values& value, const Slope& by_y, const Slope& by_z);
  double update();
  void finish(Values& y, Values& z);

  static constexpr int most_iterations = 50;
  bool backward = false;
  double h = 0, t0 = 0, t1 = 0;
  std::span<const int> held;
  Columns column;
  Values y0, z0, y1, z1, Z, residual, change, bit, velocity;  // (that of the start)
  CoordinateUnits units;
  Values rows, columns;  // what they are scaled by
  Dense jacobian;
  Eigen::PartialPivLU<Dense> matrix;
  DaeMotion drive, ends;
  DaeReaction reaction;
  DaeConstraint constraint;
};

}  // namespace carom
