#include "carom/contact/contact_forces.hpp"

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
  if (!system.velocity(t, q, drive, bare)) return false;
  size = std::sqrt(std::fmax(drive.dot(bare), 0.0));
  if (!system.quadratic()) size = drive.norm();  // velocity(q, drive) is no norm there
  return std::isfinite(size);
}

void ContactForces::prepare(double t, const Values& q, ContactRates& contacts, std::span<const int> which) {
  system.momentum_bend(t, q, contacts.v, change);
  free = drive - change;
  system.joint_bends(t, q, contacts.v, bend_of_joints);
  contacts.accelerate(free, bend_of_joints);
  const auto n = static_cast<Eigen::Index>(which.size());
  bias.resize(n), scale.resize(n), unclear.resize(n);
  system.gap_bends(t, q, contacts.v, which, bias);
  const double radius = std::fmax(1.0, q.lpNorm<Eigen::Infinity>()),
               fastest = std::fmax(bare.lpNorm<Eigen::Infinity>(), free.lpNorm<Eigen::Infinity>());
  for (int k = 0; k < contacts.size(); ++k) {
    const double speed = contacts.scale(k);
    unclear[k] = tolerance * (contacts.strength_of(k) * size + std::abs(bias[k]) + speed * speed / radius);
    scale[k] = std::abs(bias[k]) + fastest * contacts.gradients()[k].size();
    bias[k] += contacts.gradients()[k].dot(free);
  }
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
