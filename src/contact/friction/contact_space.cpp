#include "carom/contact/friction/contact_space.hpp"

#include <cmath>

namespace carom {

ContactSpace::ContactSpace(const System& m)
    : v(m.size()),
      system(m),
      tangent(m),
      drive(m.size()),
      change(m.size()),
      bare(m.size()),
      free(m.size()),
      bends(2 * m.contact_count()),
      dense(m.size()) {}

bool ContactSpace::look(double t, const Values& q, const Values& p, const std::vector<int>& k) {
  which = k;
  joints.clear(), normals.clear(), slips.clear(), rows.clear();
  system.joint_slopes(t, q, joints);
  if (!which.empty()) system.gap_slopes(t, q, which, normals), system.slip_slopes(t, q, which, slips);
  for (int i = 0; i < normals.size(); ++i) rows.append(normals[i]), rows.append(slips[i]);
  if (!tangent.prepare(t, q, p, joints) || !system.velocity(t, q, p, v)) return false;
  couple(q);
  return accelerate(t, q);
}

void ContactSpace::couple(const Values&) {
  const int n = static_cast<int>(which.size());
  equations.resize(n);
  rate.resize(static_cast<std::size_t>(2 * n)), rate_size = drive_size = unit = rate;
  if (n > 0) tangent.respond(rows, answers);
  for (int k = 0; k < 2 * n; ++k) {
    dense.setZero();
    answers[k].add_to(dense, 1.0);
    for (int i = 0; i < 2 * n; ++i) equations.w(i, k) = rows[i].dot(dense);
  }
  for (int i = 0; i < 2 * n; ++i) {
    const double own = equations.w(i, i);
    unit[i] = own > 0 ? 1 / std::sqrt(own) : 0;
    rate[i] = unit[i] * rows[i].rate(v);
    rate_size[i] = unit[i] * (rows[i].size_along(v) + std::abs(rows[i].drift));
  }
  for (int i = 0; i < 2 * n; ++i)
    for (int k = 0; k < 2 * n; ++k) equations.w(i, k) *= unit[i] * unit[k];
  for (int i = 0; i < n; ++i) {
    const double mu = system.mu(which[i]);
    equations.mu[i] = mu > 0 && unit[2 * i + 1] > 0 ? mu * unit[2 * i] / unit[2 * i + 1] : 0;
    equations.slip[i] = 0;
  }
}

bool ContactSpace::accelerate(double t, const Values& q) {
  system.slopes(t, q, v, drive, change);
  if (system.forced()) {
    system.force(t, q, v, change);
    drive += change;
  }
  if (!system.velocity(t, q, drive, bare) || !bare.allFinite()) return false;
  system.momentum_bend(t, q, v, change);
  free = drive - change;
  system.joint_bends(t, q, v, joint_bends);
  tangent.accelerate(free, joint_bends);
  const auto n = static_cast<Eigen::Index>(which.size());
  if (n == 0) return true;
  system.gap_bends(t, q, v, which, bends.head(n));
  system.slip_bends(t, q, v, which, bends.segment(n, n));
  for (int i = 0; i < 2 * n; ++i) {
    const double bend = bends[i % 2 * n + i / 2];
    equations.b[i] = unit[i] * (bend + rows[i].dot(free));
    drive_size[i] = unit[i] * (std::abs(bend) + rows[i].size_along(free) + rows[i].size_along(bare));
  }
  return true;
}

double ContactSpace::kick(int row, double h) const {
  double size = drive_size[row];
  for (int k = 0; k < equations.count; ++k) {
    const double along = equations.mu[k] * std::abs(equations.w(row, 2 * k + 1));
    size += (std::abs(equations.w(row, 2 * k)) + along) * drive_size[2 * k];
  }
  return h * size;
}

signed char ContactSpace::slip_sign(int i, double h) const {
  const double u = rate[2 * i + 1], none = 1e-9 * (rate_size[2 * i + 1] + kick(2 * i + 1, h));
  return std::abs(u) <= none ? 0 : u > 0 ? 1 : -1;
}

void ContactSpace::push(const std::vector<double>& P, const Values& q, Values& p) {
  for (int i = 0; i < rows.size(); ++i) rows[i].add_to(p, unit[i] * P[i]);
  if (joints.size() > 0) tangent.project(q, p);
}

}  // namespace carom
