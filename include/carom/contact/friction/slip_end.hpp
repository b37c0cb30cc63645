// The end of a slip in space. While u goes to zero its direction turns ever faster, on the time scale |u|/(mu
// λ_n W_tt), and no step of a fixed length sees that. With the slip itself as clock, dt = |u| ds,
//
//   dq/ds = |u| v,   dv/ds = |u| a(t, q, v),   a by the modes at each point (contact_space.hpp)
//
// the motion is smooth up to where u is rounding, which is as far as it goes. Pieces of equal ds by the
// extrapolated midpoint rule (Gragg; Bulirsch and Stoer 1966), to rounding. Tested in
// tests/cli/friction_space_test.py.
#pragma once

#include "carom/contact/friction/contact_space.hpp"
#include "carom/contact/friction/friction_step.hpp"
#include "carom/flow/step_result.hpp"

namespace carom {

class SlipEnd {
 public:
  SlipEnd(const System& m, double step);

  // For how long the flow may go on: a quarter of the time scale of the slip that ends first, infinite where
  // none does.
  // Notes the directions of slips, too.
  double time_left(double t, const Phase& z, const std::vector<int>& lasting, FrictionModes& modes);

  // One piece, which ends at `rest` at the latest; after time_left() at the same point. False where it fails.
  bool advance(double t, const Phase& z, double rest);

  // Of that piece.
  Phase to;
  double tau = 0, friction = 0, work = 0;
  bool ended = false;  // the slip is rounding

 private:
  static constexpr int columns = 6;

  bool slope(const Values& y, Values& change);
  bool integrate(double length, Values& y);
  bool midpoint(double length, int count, Values& y);
  void set_slips();
  bool is_standing(int k) const;

  const System& system;
  double h;
  ContactSpace space;
  ModeSolver solver;
  const FrictionModes* modes = nullptr;
  std::vector<Mode> present;
  std::vector<int> among, which;
  int first = -1;  // the contact that is the clock
  double length = 0;
  Values q, v, p, Lq, f, a;                         // at a point
  Values start, now, next, before, change, result;  // (q, v, t, friction, work)
  std::vector<Values> rows;
};

}  // namespace carom
