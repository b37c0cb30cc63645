#include "carom/dae/dae.hpp"

#include <Eigen/LU>

namespace carom {

bool solve_for_z(const Dae& dae, const Values& y, const Values& p, Values& z) {
  DaeMotion motion;
  z = p;
  for (int i = 0; i < 50; ++i) {
    dae.motion(0, y, z, motion);
    const Values change = motion.p_z.partialPivLu().solve(motion.p - p);
    if (!change.allFinite()) return false;
    z -= change;
    if (change.norm() <= 1e-15 * z.norm()) return true;
  }
  return false;
}

}  // namespace carom
