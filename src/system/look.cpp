#include "carom/system/look.hpp"

namespace carom {

SystemLook::SystemLook(SystemRef sys)
    : system(std::move(sys)), v(system->size()), Lq(v.size()), Lv(v.size()) {}

void SystemLook::operator()(double t, const Phase& z, Look& look) {
  look.H = hamiltonian(t, z.q, z.p);
  look.v = v;
  system->gaps(t, z.q, look.gaps);
  if (look.gaps.size() > 0) look.smallest_gap = look.gaps.minCoeff();
  system->joints(t, z.q, joints);
  look.largest_joint = joints.size() > 0 ? joints.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  std::size_t k = 0;
  system->momenta(t, z.q, z.p, [&](const char* name, double x) { look.tell_momentum(k++, name, x); });
}

double SystemLook::smallest_gap(double t, const Values& q) {
  system->gaps(t, q, gaps);
  return gaps.size() > 0 ? gaps.minCoeff() : HUGE_VAL;
}

}  // namespace carom
