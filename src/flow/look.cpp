#include "carom/look.hpp"

namespace carom {

MechanismLook::MechanismLook(MechanismSystem system)
    : mechanism(std::move(system.mechanism)), v(mechanism->size()), Lq(v.size()), Lv(v.size()) {}

void MechanismLook::operator()(const State<double, Eigen::Dynamic>& z, Look& look) {
  look.H = hamiltonian(z.q, z.p);
  look.v = v;
  mechanism->gaps(z.q, look.gaps);
  if (look.gaps.size() > 0) look.smallest_gap = look.gaps.minCoeff();
  mechanism->joints(z.q, joints);
  look.largest_joint = joints.size() > 0 ? joints.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  std::size_t k = 0;
  mechanism->momenta(z.q, z.p, [&](const char* name, double x) { look.tell_momentum(k++, name, x); });
}

double MechanismLook::smallest_gap(const Values& q) {
  mechanism->gaps(q, gaps);
  return gaps.size() > 0 ? gaps.minCoeff() : HUGE_VAL;
}

}  // namespace carom
