#include "carom/dae/coordinate_units.hpp"

#include <Eigen/LU>

namespace carom {

bool solve_for_z(const Dae& dae, const Values& y, const Values& p, Values& z) {
  DaeMotion motion;
  CoordinateUnits units;
  z = p;
  for (int i = 0; i < 50; ++i) {
    dae.motion(0, y, z, motion);
    units.measure(motion);
    const auto S = units.each().asDiagonal();
    const Dense scaled = S * motion.p_z * S;
    const Values missing = S * (motion.p - p), change = S * scaled.partialPivLu().solve(missing);
    if (!change.allFinite()) return false;
    z -= change;
    if (units.largest(change) <= 1e-15 * units.largest(z)) return true;
  }
  return false;
}

}  // namespace carom
