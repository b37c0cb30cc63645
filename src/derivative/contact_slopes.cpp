#include "carom/derivative/contact_slopes.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace carom {
namespace {

using Least = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

}  // namespace

ContactSlopes::ContactSlopes(const DenseSystem& m, const DerivativeColumns& c)
    : n(c.n),
      dn(c.n, c.count()),
      turn(c.n, c.count()),
      push(c.n),
      reset(c.n, c.count()),
      loss(c.count()),
      system(m),
      columns(c),
      before(m),
      after(m),
      kept(m, c),
      gap(c.count()),
      gap_rate(c.count()),
      v_before(c.n),
      v_after(c.n),
      jet(static_cast<std::size_t>(m.contact_count() * (2 + c.n))),
      bends(static_cast<std::size_t>(m.constraint_count() * c.n)),
      by_x(static_cast<std::size_t>((1 + m.parameter_count()) * m.contact_count() * (2 + c.n))) {}

bool ContactSlopes::look(const Impact& impact, int contact, double e) {
  q = impact.q;
  if (!look_at_gap(impact.t, q, contact)) return false;
  if (kept.count() > 0) kept.look(impact.t, q);
  Eigen::MatrixXd along(columns.n, 1 + kept.count());
  along << n, kept.G.transpose();
  const Values jump = impact.p_after - impact.p_before;
  const Values sizes = Least(along).solve(jump);
  lambda = sizes[0], kappa = sizes.tail(kept.count()), aside = (jump - along * sizes).norm();
  for (int i = 0; i < columns.n; ++i) {
    Values unit = Values::Unit(columns.n, i);
    system.slope_bends(impact.t, q.data(), unit.data(), bends.data());
    const int row = system.joint_count() + contact;
    dn.col(i) = Eigen::Map<const Values>(bends.data() + row * columns.n, columns.n);
  }
  if (!system.velocity(impact.t, q, impact.p_before, v_before)) return false;
  before.look(impact.t, q, v_before);
  rate = n.dot(v_before) + drift;
  bounced.q = q;
  if (!turn_along(impact.t, impact.p_after)) return false;
  if (!(system.quadratic() ? bounce(impact.t, impact.p_before, e, contact)
                           : keep_energy(impact.p_before, impact.p_after) &&
                                 system.velocity(impact.t, q, impact.p_after, v_after)))
    return false;
  find_loss();
  return true;
}

// At fixed λ: what is kept pushes so that it stays.
bool ContactSlopes::turn_along(double t, const Values& p_after) {
  turn = lambda * dn, push = n;
  if (kept.count() == 0) return true;
  const int size = columns.n;
  if (!system.velocity(t, q, p_after, v_after)) return false;
  after.look(t, q, v_after);
  const Eigen::MatrixXd lift = after.Lvv.partialPivLu().solve(Eigen::MatrixXd(kept.G.transpose()));
  const Least solver(kept.G * lift);
  turn += kept.push(kappa);
  Slopes missed = kept.G * velocity_slopes(after) + lift.transpose() * turn + kept.rate(v_after);
  missed.middleCols(size, size) += lift.transpose();
  turn -= kept.G.transpose() * solver.solve(missed);
  push -= kept.G.transpose() * solver.solve(Values(lift.transpose() * n));
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

// With N = (n, G) the conditions n·v+ + e n·v- + (1 + e) g_t = 0 and G v+ + ∂c/∂t = 0, differentiated.
bool ContactSlopes::bounce(double t, const Values& p_before, double e, int contact) {
  const int size = columns.n, along = kept.count();
  const auto mass = before.Lvv.partialPivLu();
  Eigen::MatrixXd N(1 + along, size);
  N << n.transpose(), kept.G;
  const Eigen::MatrixXd lift = mass.solve(Eigen::MatrixXd(N.transpose())), W = N * lift;
  if (!(W(0, 0) > 0)) return false;
  const Least solver(W);
  Values missing(1 + along);
  missing << (1 + e) * rate, kept.G * v_before + kept.drift;
  const Values sizes = -solver.solve(missing);
  bounced.p = p_before + N.transpose() * sizes;
  if (!system.velocity(t, q, bounced.p, v_after)) return false;
  after.look(t, q, v_after);
  reset = sizes[0] * dn;
  if (along > 0) reset += kept.push(sizes.tail(along));
  Slopes F = N * velocity_slopes(after) + lift.transpose() * reset;
  F.middleCols(size, size) += lift.transpose();
  F.row(0).segment(size, size) += e * lift.col(0).transpose();
  F.row(0) += e * n.transpose() * velocity_slopes(before) + (v_after + e * v_before).transpose() * dn +
              (1 + e) * gap_rate;
  if (along > 0) F.bottomRows(along) += kept.rate(v_after);
  for (int k = 0; k < columns.parameters; ++k)
    F(0, columns.parameter(k)) += rate * (k == columns.restitution ? std::isnan(system.restitution(contact))
                                                                   : system.restitution_slope(contact, k));
  reset -= N.transpose() * solver.solve(F);
  reset.middleCols(size, size).diagonal().array() += 1;
  return true;
}

// dλ = -[dH+ - dH- at fixed λ] / (∂p+/∂λ·v+), walls at rest.
bool ContactSlopes::keep_energy(const Values& p_before, const Values& p_after) {
  const int size = columns.n;
  if (!system.velocity(0, q, p_after, v_after)) return false;
  after.look(0, q, v_after);
  bounced.p = p_after;
  SlopeRow change = energy_slopes(after) - energy_slopes(before);
  change += v_after.transpose() * turn;
  change.segment(size, size) += (v_after - v_before).transpose();
  reset = turn - push * (change / push.dot(v_after));
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
