#include "carom/contact/friction/contact_space.hpp"

#include <cmath>

namespace carom {

ContactSpace::ContactSpace(const System& m)
    : v(m.size()),
      system(m),
      tangent(m),
      each(m.slips_each()),
      stride(1 + each),
      drive(m.size()),
      change(m.size()),
      bare(m.size()),
      free(m.size()),
      bends(stride * m.contact_count()),
      dense(m.size()) {}

bool ContactSpace::look(double t, const Values& q, const Values& p, const std::vector<int>& k) {
  which = k;
  joints.clear(), normals.clear(), slips.clear(), rows.clear();
  system.joint_slopes(t, q, joints);
  if (!which.empty()) system.gap_slopes(t, q, which, normals), system.slip_slopes(t, q, which, slips);
  for (int i = 0; i < normals.size(); ++i) {
    rows.append(normals[i]);
    for (int slip = each * i; slip < each * (i + 1); ++slip) rows.append(slips[slip]);
  }
  if (!tangent.prepare(t, q, p, joints) || !system.velocity(t, q, p, v)) return false;
  couple();
  return accelerate(t, q);
}

void ContactSpace::couple() {
  const int n = static_cast<int>(which.size());
  equations.resize(n, each);
  const int all = equations.rows;
  rate.resize(static_cast<std::size_t>(all)), rate_size = drive_size = unit = rate;
  if (n > 0) tangent.respond(rows, answers);
  for (int k = 0; k < all; ++k) {
    dense.setZero();
    answers[k].add_to(dense, 1.0);
    for (int i = 0; i < all; ++i) equations.w(i, k) = rows[i].dot(dense);
  }
  for (int i = 0; i < all; ++i) {
    double own = equations.w(i, i);
    if (each == 2 && i % stride == 1)
      own = std::fmax(own, equations.w(i + 1, i + 1));  // one scale: cones stay round
    if (each == 2 && i % stride == 2) own = std::fmax(own, equations.w(i - 1, i - 1));
    unit[i] = own > 0 ? 1 / std::sqrt(own) : 0;
    rate[i] = unit[i] * rows[i].rate(v);
    rate_size[i] = unit[i] * (rows[i].size_along(v) + std::abs(rows[i].drift));
  }
  for (int i = 0; i < all; ++i)
    for (int k = 0; k < all; ++k) equations.w(i, k) *= unit[i] * unit[k];
  for (int i = 0; i < n; ++i) {
    const double mu = system.mu(which[i]);
    const int row = stride * i;
    equations.set_mu(i, mu > 0 && unit[row + 1] > 0 ? mu * unit[row] / unit[row + 1] : 0);
    set_slip(i, 0);
  }
}

void ContactSpace::set_slip(int i, signed char sign) {
  equations.slip[i] = sign;
  const int row = stride * i;
  const double along = unit[row + 1];
  if (along > 0 && equations.mu[i] > 0 && system.mu_is_split(which[i]))
    equations.mu_sliding[i] =
        system.sliding_mu(which[i], sign == 0 ? 0 : speed(i) / along) * unit[row] / along;
  if (each == 1 || sign == 0) return;
  const double length = speed(i);
  for (const int k : {0, 1}) equations.direction[2 * i + k] = length > 0 ? rate[row + 1 + k] / length : 0;
}

void ContactSpace::acceleration(const std::vector<double>& f, Values& q2) const {
  q2 = free;
  for (int k = 0; k < equations.rows; ++k) answers[k].add_to(q2, unit[k] * f[k]);
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
  system.slip_bends(t, q, v, which, bends.segment(n, each * n));
  for (int i = 0; i < equations.rows; ++i) {
    const int k = i % stride;
    const double bend = bends[k == 0 ? i / stride : n + each * (i / stride) + k - 1];
    equations.b[i] = unit[i] * (bend + rows[i].dot(free));
    drive_size[i] = unit[i] * (std::abs(bend) + rows[i].size_along(free) + rows[i].size_along(bare));
  }
  return true;
}

double ContactSpace::kick(int row, double h) const {
  double size = drive_size[row];
  for (int k = 0; k < equations.count; ++k) {
    const int n = stride * k;
    const double across = each == 1 ? std::abs(equations.w(row, n + 1))
                                    : std::hypot(equations.w(row, n + 1), equations.w(row, n + 2));
    size += (std::abs(equations.w(row, n)) + equations.mu[k] * across) * drive_size[n];
  }
  return h * size;
}

signed char ContactSpace::slip_sign(int i, double h) const {
  const double u = each == 1 ? rate[2 * i + 1] : speed(i), none = 1e-9 * speed_size(i, h);
  return std::abs(u) <= none ? 0 : u > 0 ? 1 : -1;
}

double ContactSpace::speed(int i) const {
  return each == 1 ? std::abs(rate[2 * i + 1]) : std::hypot(rate[3 * i + 1], rate[3 * i + 2]);
}

double ContactSpace::speed_size(int i, double h) const {
  if (each == 1) return rate_size[2 * i + 1] + kick(2 * i + 1, h);
  return std::hypot(rate_size[3 * i + 1], rate_size[3 * i + 2]) +
         std::hypot(kick(3 * i + 1, h), kick(3 * i + 2, h));
}

void ContactSpace::push(const std::vector<double>& P, const Values& q, Values& p) {
  for (int i = 0; i < rows.size(); ++i) rows[i].add_to(p, unit[i] * P[i]);
  if (joints.size() > 0) tangent.project(q, p);
}

}  // namespace carom
