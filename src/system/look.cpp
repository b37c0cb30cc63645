#include "carom/system/look.hpp"

namespace carom {

SystemLook::SystemLook(SystemRef sys)
    : system(std::move(sys)), v(system->size()), Lq(v.size()), Lv(v.size()) {}

void SystemLook::operator()(double t, const Phase& z, Look& look) {
  look.H = hamiltonian(t, z.q, z.p);
  look.v = v;
  system->gaps(t, z.q, look.gaps);
  look.smallest_gap = smallest_of(t, z.q, look.gaps);
  system->joints(t, z.q, joints);
  look.largest_joint = joints.size() > 0 ? joints.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  std::size_t k = 0;
  system->momenta(t, z.q, z.p, [&](const char* name, double x) { look.tell_momentum(k++, name, x); });
}

double SystemLook::smallest_gap(double t, const Values& q) {
  system->gaps(t, q, gaps);
  return smallest_of(t, q, gaps);
}

// Of the contacts that exist; how fast it moves is known from the last look.
double SystemLook::smallest_of(double t, const Values& q, const Values& all) {
  if (all.size() == 0) return HUGE_VAL;
  if (!system->has_conditions()) return all.minCoeff();
  system->conditions(t, q, v, conditions);
  double smallest = HUGE_VAL;
  for (int i = 0; i < all.size(); ++i)
    if (conditions[i] > 0) smallest = std::fmin(smallest, all[i]);
  return smallest;
}

}  // namespace carom
