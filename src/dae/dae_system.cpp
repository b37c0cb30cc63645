#include "carom/dae/dae_system.hpp"

#include "carom/dae/dae_touching.hpp"

namespace carom {

DaeSystem::DaeSystem(std::shared_ptr<const Dae> d) : dae(std::move(d)) {
  for (int i = 0; i < dae->sizes().g; ++i) (dae->one_sided(i) ? one_sided : two_sided).push_back(i);
}

Values DaeSystem::gaps(const Values& y) const { return chosen(y, one_sided); }

Values DaeSystem::joints(const Values& y) const { return chosen(y, two_sided); }

void DaeSystem::momenta(const Values& y, const Values& p,
                        const std::function<void(const char*, double)>& f) const {
  dae->momenta(y, p, f);
}

Values DaeSystem::multipliers(double t, const Phase& point) const {
  const Values none = Values::Constant(dae->sizes().g, std::nan(""));
  Values z;
  if (!dae->z_of(point.q, point.p, z)) return none;
  DaeTouching touching(*dae, 1);
  if (guess.size() > 0) touching.consistent.psi = guess;
  std::vector<int> held;
  touching.find(t, point.q, z, held);
  const bool chosen = touching.choose_lasting(t, point.q, z, held, z.isZero(0) ? 0 : 1);
  return chosen ? touching.consistent.psi : none;
}

Values DaeSystem::chosen(const Values& y, const std::vector<int>& which) const {
  Values g, r(static_cast<Eigen::Index>(which.size()));
  dae->gaps(y, g);
  for (std::size_t k = 0; k < which.size(); ++k) r[static_cast<Eigen::Index>(k)] = g[which[k]];
  return r;
}

double hamiltonian(const DaeSystem& system, const Phase& state) {
  Values z;
  return system.dae->z_of(state.q, state.p, z) ? system.dae->energy(state.q, z) : std::nan("");
}

Solved<double, Eigen::Dynamic> velocity(const DaeSystem& system, const Values& y, const Values& p) {
  Solved<double, Eigen::Dynamic> r{Values::Zero(y.size()), true};
  Values z;
  r.ok = system.dae->z_of(y, p, z);
  DaeMotion motion;
  if (r.ok) system.dae->motion(0, y, z, motion), r.x = motion.v;
  return r;
}

void DaeLook::operator()(double, const Phase& point, Look& look) const {
  look.H = carom::hamiltonian(system, point);
  look.gaps = system.gaps(point.q);
  if (look.gaps.size() > 0) look.smallest_gap = look.gaps.minCoeff();
  const Values f = system.joints(point.q);
  look.largest_joint = f.size() > 0 ? f.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  std::size_t k = 0;
  system.momenta(point.q, point.p, [&](const char* name, double x) { look.tell_momentum(k++, name, x); });
}

}  // namespace carom
