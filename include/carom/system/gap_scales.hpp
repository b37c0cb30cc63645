// How large the numbers are that a gap is made of: its tolerances are relative to that. With G = ∂g/∂q, a the
// acceleration under all forces and h the step,
//
//   size = Σ |G_k| (|q_k| + h |v_k| + h² |a_k|) + h |∂g/∂t|
//
// so that nothing depends on units, on a factor of the gap, or on coordinates that the gap does not see.
// Constants of a gap, such as the radii of balls that hang side by side, do not show in its slopes: the
// system tells them. Tested in tests/laws/units_test.cpp.
#pragma once

#include "carom/system/system.hpp"

namespace carom {

inline double size_of_gap(const SparseRows::Row& G, const Values& q, const Values& v, const Values& a,
                          double h) {
  const double size = G.size_along(v) + std::abs(G.drift);
  return G.size_along(q) + std::abs(h) * (size + std::abs(h) * G.size_along(a));
}

class GapScales {
 public:
  static constexpr double touch = 1e-9;  // gaps this far from zero, of their size, still count as touching

  GapScales(const System& m, double step);

  // The gaps at (t, z), and sizes of those that are near enough to matter, or of the ones asked for.
  void look(double t, const Phase& z);
  void look(double t, const Phase& z, const std::vector<int>& which);

  double touching(int contact) const { return touch * size[contact]; }
  double rounding(int contact) const { return 4e-15 * size[contact]; }
  // A gap far behind its wall, where its slopes are nothing: it was passed where it had none.
  bool is_passed(int contact) const { return gaps[contact] < -10 * size[contact]; }
  double kick(int contact) const {
    return pulled[contact];
  }  // the rate that forces may give it within a step

  Values gaps;

 private:
  bool accelerate(double t, const Phase& z);

  const System& system;
  double h;
  Values size, pulled, v, a, force, Lv;
  std::vector<int> near;
  SparseRows slopes;
};

}  // namespace carom
