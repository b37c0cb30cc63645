#include "carom/dae/mechanical_dae.hpp"

namespace carom {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const RowMajor>;

double* scratch(std::size_t count) {
  thread_local std::vector<double> memory;
  if (memory.size() < count) memory.resize(count);
  return memory.data();
}

}  // namespace

MechanicalDae::MechanicalDae(std::shared_ptr<const DenseSystem> s)
    : system(std::move(s)), n(system->size()), m(system->constraint_count()), coupled(system->units()) {}

void MechanicalDae::motion(double t, const Values& y, const Values& z, DaeMotion& r) const {
  double* jet = scratch(static_cast<std::size_t>(1 + 2 * n + 3 * n * n));
  PointMemory memory;
  system->look(t, y.data(), Need::all, memory);
  system->jet(t, y.data(), z.data(), Need::all, memory, jet);
  const double *Lq = jet + 1, *Lv = Lq + n, *matrices = Lv + n;
  const Rows Lqv(matrices, n, n), Lvv(matrices + n * n, n, n), Lqq(matrices + 2 * n * n, n, n);
  r.v = z, r.f = Eigen::Map<const Values>(Lq, n), r.p = Eigen::Map<const Values>(Lv, n);
  r.v_y.setZero(n, n), r.v_z.setIdentity(n, n);
  r.f_y = Lqq, r.f_z = Lqv, r.p_y = Lqv.transpose(), r.p_z = Lvv;
  if (!system->forced()) return;
  double* force = jet;  // all of it has been read
  for (int i = 0; i < n; ++i) force[i] = 0;
  system->force(t, y.data(), z.data(), force);
  for (int i = 0; i < n; ++i) r.f[i] += force[i];
  system->force_slopes(t, y.data(), z.data(), force);
  r.f_y += Rows(force, n, n), r.f_z += Rows(force + n * n, n, n);
}

void MechanicalDae::reaction(const Values& y, const Values& z, const Values& psi, double friction,
                             DaeReaction& r) const {
  double* numbers = scratch(static_cast<std::size_t>(n + 2 * n * n + n * m));
  system->held_curvature(0, y.data(), psi.data(), numbers);
  r.r_y = Rows(numbers, n, n), r.r_z.setZero(n, n);
  double* slopes = numbers;
  const int joints = system->joint_count(), contacts = system->contact_count();
  r.r_psi.resize(n, m), r.r.setZero(n);
  if (joints > 0) {
    system->joint_jet(0, y.data(), slopes);
    r.r_psi.leftCols(joints) = Rows(slopes + joints, joints, n).transpose();
  }
  if (contacts > 0) {
    system->gap_jet(0, y.data(), slopes);
    r.r_psi.rightCols(contacts) = Rows(slopes + contacts, contacts, n).transpose();
  }
  for (int k = 0; k < m; ++k) r.r += psi[k] * r.r_psi.col(k);
  if (friction == 0 || !system->rubs()) return;
  system->friction(y.data(), z.data(), psi.data(), numbers);
  r.r += friction * Eigen::Map<const Values>(numbers, n);
  r.r_y += friction * Rows(numbers + n, n, n), r.r_z += friction * Rows(numbers + n + n * n, n, n);
  r.r_psi += friction * Rows(numbers + n + 2 * n * n, n, m);
}

void MechanicalDae::constraint_jet(const Values& y, Values& g, Dense& g_y) const {
  g.resize(m), g_y.resize(m, n);
  double* numbers = scratch(static_cast<std::size_t>(m * (1 + n)));
  const int joints = system->joint_count(), contacts = system->contact_count();
  if (joints > 0) {
    system->joint_jet(0, y.data(), numbers);
    g.head(joints) = Eigen::Map<const Values>(numbers, joints);
    g_y.topRows(joints) = Rows(numbers + joints, joints, n);
  }
  if (contacts == 0) return;
  system->gap_jet(0, y.data(), numbers);
  g.tail(contacts) = Eigen::Map<const Values>(numbers, contacts);
  g_y.bottomRows(contacts) = Rows(numbers + contacts, contacts, n);
}

void MechanicalDae::constraint(const Values& y, const Values& z, DaeConstraint& r) const {
  constraint_jet(y, r.g, r.g_y);
  r.c.noalias() = r.g_y * z;
  r.c_z = r.g_y;
  double* bends = scratch(static_cast<std::size_t>(m * n));
  system->slope_bends(0, y.data(), z.data(), bends);
  r.c_y = Rows(bends, m, n);
}

void MechanicalDae::gaps(const Values& y, Values& g) const {
  thread_local Dense g_y;
  constraint_jet(y, g, g_y);
}

double MechanicalDae::energy(const Values& y, const Values& z) const {
  double* jet = scratch(static_cast<std::size_t>(1 + 2 * n));
  PointMemory memory;
  system->look(0, y.data(), Need::slopes, memory);
  system->jet(0, y.data(), z.data(), Need::slopes, memory, jet);
  return z.dot(Eigen::Map<const Values>(jet + 1 + n, n)) - jet[0];
}

double MechanicalDae::force_power(double t, const Values& y, const Values& z) const {
  if (!system->forced()) return 0;
  double* force = scratch(static_cast<std::size_t>(n));
  system->force(t, y.data(), z.data(), force);
  return z.dot(Eigen::Map<const Values>(force, n));
}

double MechanicalDae::friction_power(const Values& y, const Values& z, const Values& psi) const {
  if (!system->rubs()) return 0;
  double* numbers = scratch(static_cast<std::size_t>(n + 2 * n * n + n * m));
  system->friction(y.data(), z.data(), psi.data(), numbers);
  return z.dot(Eigen::Map<const Values>(numbers, n));
}

std::string MechanicalDae::constraint_name(int i) const {
  const int joints = system->joint_count();
  return i < joints ? system->joint_name(i) : system->contact_name(i - joints);
}

}  // namespace carom
