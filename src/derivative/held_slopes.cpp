// The derivative of a substep along joints and contacts that last. Multipliers are those of least size, so
// that joints that follow from others do no harm.
#include <Eigen/LU>
#include <Eigen/QR>

#include "carom/derivative/substep_slopes.hpp"

namespace carom {
namespace {

using Least = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

}  // namespace

void SubstepSlopes::hold(std::span<const int> contacts) {
  held.assign(contacts.begin(), contacts.end());
  constraints.hold(contacts);
  if (constraints.count() > 0 && !along) along = std::make_unique<SmoothStep>(system);
}

Outcome SubstepSlopes::take_along(const Substep& substep, double t, double h, Phase& z) {
  const Rule* rule = std::get_if<Rule>(&substep.block);
  if (!rule) return {Status::no_joints};
  if (h == 0) return stand(t);
  const Outcome taken = (*along)(*rule, t, h, z.q, z.p, held, SmoothStep::Hold::bilateral, {});
  if (!taken.ok()) return taken;
  v = along->v, spent_energy = along->Ld.energy;
  assemble(*rule, t, h, start.q);
  press_at_start(t);
  // c(q1) = 0, divided by h, beside the momenta: dv and dλ.
  constraints.look(t + h, z.q);
  const int n = columns.n, m = constraints.count();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m, n + m);
  all.topLeftCorner(n, n) = Rv, all.topRightCorner(n, m) = start_gradients.transpose();
  all.bottomLeftCorner(m, n) = constraints.G;
  Slopes right(n + m, columns.count());
  const Slopes reached = constraints.value();
  right.topRows(n) = -R, right.bottomRows(m) = -reached / h;
  right.bottomRows(m).col(columns.length()) -= (constraints.G * v + constraints.drift) / h;
  dv = Least(all).solve(right).topRows(n);
  finish(h);
  turn_at_end(t + h, z);
  return taken;
}

// What presses from the start on, and how that changes with the gradients there.
void SubstepSlopes::press_at_start(double t) {
  constraints.look(t, start.q);
  start_gradients = constraints.G;
  const Values lambda = Least(start_gradients.transpose()).solve(-balance);
  R += constraints.push(lambda);
  add_to_action(lambda);
}

// ∂L_d/∂θ at fixed ends, where ends that constraints move along with θ count as fixed.
void SubstepSlopes::add_to_action(const Values& lambda) {
  action.tail(columns.parameters) += lambda.transpose() * constraints.value().rightCols(columns.parameters);
}

// p1 = P + G'μ with G v(q1, p1) + ∂c/∂t = 0: the lower half of B is that of P so far.
void SubstepSlopes::turn_at_end(double t1, const Phase& end) {
  const int n = columns.n, own = system.parameter_count();
  Values u(n);
  system.velocity(t1, end.q, end.p, u);
  at.look(t1, end.q, u);
  const auto mass = at.Lvv.partialPivLu();
  const auto at_end = [&](const Slopes& by) {  // by the point at the end, as by the columns of the substep
    Slopes r = by.leftCols(n) * B.topRows(n);
    r.col(columns.time()) += by.col(columns.time()), r.col(columns.length()) += by.col(columns.time());
    r.middleCols(columns.parameter(0), own) += by.middleCols(columns.parameter(0), own);
    return r;
  };
  const Values mu = Least(constraints.G.transpose()).solve(end.p - leaving);
  B.bottomRows(n) += at_end(constraints.push(mu));
  Slopes momentum = Slopes::Zero(n, columns.count());
  momentum.leftCols(n) = at.Lvq, momentum.col(columns.time()) = at.Lvx.col(0);
  momentum.middleCols(columns.parameter(0), own) = at.Lvx.rightCols(own);
  const Slopes rate =
      at_end(constraints.rate(u)) + constraints.G * mass.solve(Slopes(B.bottomRows(n) - at_end(momentum)));
  const Eigen::MatrixXd lift = mass.solve(Eigen::MatrixXd(constraints.G.transpose()));
  B.bottomRows(n) -= constraints.G.transpose() * Least(constraints.G * lift).solve(rate);
  add_to_action(mu);
}

// A part of no length: what changes with its length is the motion itself.
Outcome SubstepSlopes::stand(double t) {
  const int n = columns.n, own = system.parameter_count();
  if (!system.velocity(t, start.q, start.p, v)) return {Status::singular};
  B.setZero(), energy.setZero(), action.setZero(), spent_energy = 0;
  B.leftCols(2 * n).setIdentity();
  at.look(t, start.q, v), constraints.look(t, start.q);
  const auto mass = at.Lvv.partialPivLu();
  const Values drive = at.F - at.Lvq * v - at.Lvx.col(0);
  const Eigen::MatrixXd lift = mass.solve(Eigen::MatrixXd(constraints.G.transpose()));
  const Values kappa =
      Least(constraints.G * lift).solve(Values(-constraints.bend(v) - constraints.G * mass.solve(drive)));
  energy.head(n) = -at.Lq.transpose(), energy.segment(n, n) = v.transpose();
  energy[columns.time()] = -at.Lx[0];
  energy.segment(columns.parameter(0), own) = -at.Lx.tail(own);
  B.col(columns.length()).head(n) = v;
  B.col(columns.length()).tail(n) = at.F + constraints.G.transpose() * kappa;
  return {};
}

}  // namespace carom
