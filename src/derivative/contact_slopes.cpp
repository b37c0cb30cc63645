#include "carom/derivative/contact_slopes.hpp"

#include <Eigen/LU>

namespace carom {

ContactSlopes::ContactSlopes(const DenseSystem& m, const DerivativeColumns& c)
    : n(c.n),
      dn(c.n, c.count()),
      turn(c.n, c.count()),
      reset(c.n, c.count()),
      loss(c.count()),
      system(m),
      columns(c),
      before(m),
      after(m),
      gap(c.count()),
      gap_rate(c.count()),
      v_before(c.n),
      v_after(c.n),
      jet(static_cast<std::size_t>(m.contact_count() * (2 + c.n))),
      bends(static_cast<std::size_t>(m.constraint_count() * c.n)),
      by_x(static_cast<std::size_t>((1 + m.parameter_count()) * m.contact_count() * (2 + c.n))) {}

bool ContactSlopes::look(const Impact& impact, double e) {
  const int contact = impact.contacts[0];
  q = impact.q;
  if (!look_at_gap(impact.t, q, contact)) return false;
  lambda = n.dot(impact.p_after - impact.p_before) / n.squaredNorm();
  for (int i = 0; i < columns.n; ++i) {
    Values unit = Values::Unit(columns.n, i);
    system.slope_bends(impact.t, q.data(), unit.data(), bends.data());
    const int row = system.joint_count() + contact;
    dn.col(i) = Eigen::Map<const Values>(bends.data() + row * columns.n, columns.n);
  }
  turn = lambda * dn;
  if (!system.velocity(impact.t, q, impact.p_before, v_before)) return false;
  before.look(impact.t, q, v_before);
  rate = n.dot(v_before) + drift;
  bounced.q = q;
  if (!(system.quadratic() ? bounce(impact.t, impact.p_before, e, contact)
                           : keep_energy(impact.p_before, impact.p_after) &&
                                 system.velocity(impact.t, q, impact.p_after, v_after)))
    return false;
  find_loss();
  return true;
}

bool ContactSlopes::look_at_gap(double t, const Values& at, int contact) {
  const int contacts = system.contact_count(), own = system.parameter_count(), size = columns.n;
  system.gap_jet(t, at.data(), jet.data());
  n = Eigen::Map<const Values>(jet.data() + contacts + contact * size, size);
  drift = system.timed() ? jet[static_cast<std::size_t>(contacts * (1 + size) + contact)] : 0;
  system.parameter_gap_slopes(t, at.data(), by_x.data());
  gap.setZero(), gap_rate.setZero(), dn.setZero();
  for (int k = 0; k <= own; ++k) {
    const double* block = by_x.data() + (k * contacts + contact) * (2 + size);
    const int column = k == 0 ? columns.time() : columns.parameter(k - 1);
    gap[column] = block[0], gap_rate[column] = block[1 + size];
    dn.col(column) = Eigen::Map<const Values>(block + 1, size);
    if (k == 0) gap_rate.head(size) = Eigen::Map<const SlopeRow>(block + 1, size);
  }
  const double along = n.squaredNorm();
  return std::isfinite(along) && along > 0;
}

SlopeRow ContactSlopes::length_of(const Slopes& B) const {
  SlopeRow row = n.transpose() * B.topRows(columns.n) + gap;
  const double r = row[columns.length()] + drift;
  row /= -r;
  row[columns.length()] = 0;
  return row;
}

Slopes ContactSlopes::velocity_slopes(const PointSlopes& there) const {
  Slopes r = Slopes::Zero(columns.n, columns.count());
  r.leftCols(columns.n) = there.Lvq, r.col(columns.time()) = there.Lvx.col(0);
  r.middleCols(columns.parameter(0), system.parameter_count()) =
      there.Lvx.rightCols(system.parameter_count());
  return -there.Lvv.partialPivLu().solve(r);
}

// λ = -(1 + e) rate / (n·M^-1 n): the condition n·v+ + e n·v- + (1 + e) g_t = 0, differentiated.
bool ContactSlopes::bounce(double t, const Values& p_before, double e, int contact) {
  const int size = columns.n;
  const auto mass = before.Lvv.partialPivLu();
  const Values lift = mass.solve(n);
  const double weight = n.dot(lift), size_of_lambda = -(1 + e) * rate / weight;
  if (!(weight > 0)) return false;
  bounced.p = p_before + size_of_lambda * n;
  if (!system.velocity(t, q, bounced.p, v_after)) return false;
  after.look(t, q, v_after);
  SlopeRow F = n.transpose() * (velocity_slopes(after) + e * velocity_slopes(before));
  F.segment(size, size) += (1 + e) * lift.transpose();
  F +=
      (v_after + e * v_before).transpose() * dn + size_of_lambda * lift.transpose() * dn + (1 + e) * gap_rate;
  for (int k = 0; k < columns.parameters; ++k)
    F[columns.parameter(k)] += rate * (k == columns.restitution ? std::isnan(system.restitution(contact))
                                                                : system.restitution_slope(contact, k));
  reset = size_of_lambda * dn - n * (F / weight);
  reset.middleCols(size, size).diagonal().array() += 1;
  return true;
}

// dλ = -[dH+ - dH- at p+ = p- + λ n] / (n·v+), walls at rest.
bool ContactSlopes::keep_energy(const Values& p_before, const Values& p_after) {
  const int size = columns.n;
  if (!system.velocity(0, q, p_after, v_after)) return false;
  after.look(0, q, v_after);
  bounced.p = p_after;
  SlopeRow change = energy_slopes(after) - energy_slopes(before);
  change += v_after.transpose() * turn;
  change.segment(size, size) += (v_after - v_before).transpose();
  reset = turn - n * (change / n.dot(v_after));
  reset.middleCols(size, size).diagonal().array() += 1;
  return (p_after - p_before).allFinite();
}

SlopeRow ContactSlopes::energy_slopes(const PointSlopes& there) const {
  SlopeRow r = SlopeRow::Zero(columns.count());
  r.head(columns.n) = -there.Lq.transpose(), r[columns.time()] = -there.Lx[0];
  r.middleCols(columns.parameter(0), system.parameter_count()) =
      -there.Lx.rightCols(system.parameter_count());
  return r;
}

void ContactSlopes::find_loss() {
  loss = energy_slopes(before) - energy_slopes(after) - v_after.transpose() * reset;
  loss.segment(columns.n, columns.n) += v_before.transpose();
}

}  // namespace carom
