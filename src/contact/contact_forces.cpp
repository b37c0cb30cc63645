#include "carom/contact/contact_forces.hpp"

#include "carom/system/gap_scales.hpp"

namespace carom {

ContactForces::ContactForces(const System& m)
    : system(m),
      drive(m.size()),
      bare(m.size()),
      free(m.size()),
      change(m.size()),
      Lv(m.size()),
      x(m.size()) {}

bool ContactForces::look(double t, const Values& q, const Values& v) {
  system.slopes(t, q, v, drive, Lv);
  if (system.forced()) {
    system.force(t, q, v, Lv);
    drive += Lv;
  }
  return system.velocity(t, q, drive, bare) && bare.allFinite();
}

void ContactForces::prepare(double t, const Values& q, ContactRates& contacts, std::span<const int> which) {
  system.momentum_bend(t, q, contacts.v, change);
  free = drive - change;
  system.joint_bends(t, q, contacts.v, bend_of_joints);
  contacts.accelerate(free, bend_of_joints);
  const auto n = static_cast<Eigen::Index>(which.size());
  bias.resize(n), scale.resize(n), unclear.resize(n);
  system.gap_bends(t, q, contacts.v, which, bias);
  const int count = contacts.size();
  shared.setZero(count);
  contacts.measure_units(drive, bare);
  for (int k = 0; k < count; ++k) {
    const auto G = contacts.gradients()[k];
    scale[k] = std::abs(bias[k]) + G.size_along(free) + G.size_along(bare);
    bias[k] += G.dot(free);
    if (!contacts.can_push(k)) continue;
    double& most = shared[contacts.group_of(k)];
    most = std::fmax(most, contacts.unit_norm(k));
  }
  for (int k = 0; k < count; ++k)
    unclear[k] = tolerance * (scale[k] + contacts.strength_of(k) * shared[contacts.group_of(k)]);
}

bool ContactForces::solve(ContactRates& contacts, const std::vector<int>& chosen) {
  const auto n = static_cast<Eigen::Index>(chosen.size());
  b.resize(n), acceleration.resize(n), force.resize(n);
  double largest = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    b[i] = bias[chosen[i]], largest = std::fmax(largest, unclear[chosen[i]]);
  if (!problem.solve(contacts, chosen, b, force, 1e-3 * largest, NonnegativeSolver::Guess::all)) return false;
  x.setZero();
  for (Eigen::Index i = 0; i < n; ++i) contacts.answer(chosen[i]).add_to(x, force[i]);
  for (Eigen::Index i = 0; i < n; ++i) acceleration[i] = b[i] + contacts.gradients()[chosen[i]].dot(x);
  return true;
}

}  // namespace carom
