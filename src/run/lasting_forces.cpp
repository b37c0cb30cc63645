#include "run/lasting_forces.hpp"

#include <numeric>

namespace carom {

void LastingForces::operator()(double t, const Phase& z, std::span<const std::int64_t> lasting,
                               Values& force) {
  which.clear();
  for (std::size_t i = 0; i < lasting.size(); ++i)
    if (lasting[i] != 0) which.push_back(static_cast<int>(i));
  solve(t, z, force);
}

void LastingForces::at_start(double t, const Phase& z, Values& force) {
  system.gaps(t, z.q, force);
  const double far = force.size() > 0 ? force.cwiseAbs().maxCoeff() : 0;
  closed.clear(), which.clear();
  for (int i = 0; i < force.size(); ++i)
    if (force[i] <= 1e-6 * far) closed.push_back(i);  // choose_lasting() takes those that are closed indeed
  const bool known = closed.empty() ||
                     (touching.prepare(t, z.q, z.p, closed) && touching.choose_lasting(t, z.q, z.p, which));
  if (!known) which = closed;
  solve(t, z, force);
}

void LastingForces::solve(double t, const Phase& z, Values& force) {
  force.setZero(system.contact_count());
  if (rubs) friction.setZero(system.slips_each() * system.contact_count()), slip = friction;
  if (which.empty()) return;
  all.resize(which.size());
  std::iota(all.begin(), all.end(), 0);
  if (rubs) return solve_with_friction(t, z, force);
  const bool known = touching.prepare(t, z.q, z.p, which) && touching.forces.solve(touching.rates, all);
  for (std::size_t i = 0; i < which.size(); ++i)
    force[which[i]] = known ? touching.forces.force[static_cast<int>(i)] : std::nan("");
}

// By the modes that hold at the point, slips that are nothing in a step being none.
void LastingForces::solve_with_friction(double t, const Phase& z, Values& force) {
  bool known = space.look(t, z.q, z.p, which);
  for (int i = 0; known && i < space.equations.count; ++i) space.set_slip(i, space.slip_sign(i, h));
  known = known && modes.solve(space.equations, all, false) != ModeSolver::Found::none;
  const int each = system.slips_each();
  for (int i = 0; i < static_cast<int>(which.size()); ++i) {
    const int n = (1 + each) * i, contact = which[static_cast<std::size_t>(i)];
    force[contact] = known ? space.unit[n] * modes.f[n] : std::nan("");
    for (int k = 0; k < each; ++k) {
      const int along = n + 1 + k, to = each * contact + k;
      friction[to] = known ? space.unit[along] * modes.f[along] : std::nan("");
      if (space.unit[along] > 0)
        slip[to] = space.equations.slip[i] == 0 ? 0 : space.rate[along] / space.unit[along];
    }
  }
}

}  // namespace carom
