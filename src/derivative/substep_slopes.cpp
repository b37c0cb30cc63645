#include "carom/derivative/substep_slopes.hpp"

#include <Eigen/LU>

namespace carom {

SubstepSlopes::SubstepSlopes(const DenseSystem& m, const DerivativeColumns& c)
    : B(2 * c.n, c.count()),
      energy(c.count()),
      action(c.count()),
      system(m),
      columns(c),
      free(make_free_flow(m)),
      one{"substep", 1, false, {Substep{Rule{{0, 1}}, 1}}},
      at(m),
      v(c.n),
      x(c.n),
      R(c.n, c.count()),
      dv(c.n, c.count()),
      Rv(c.n, c.n),
      Pv(c.n, c.n),
      balance(c.n),
      leaving(c.n),
      energy_v(c.n),
      constraints(m, c) {}

Outcome SubstepSlopes::take(const Substep& substep, double t, double h, Phase& z) {
  start = z;
  if (constraints.count() > 0) return take_along(substep, t, h, z);
  one.substeps[0].block = substep.block;
  const Spent spent = (*free)(one, t, h, z);
  spent_energy = spent.energy;
  if (!spent.outcome.ok()) return spent.outcome;
  if (h == 0) {
    if (!system.velocity(t, start.q, start.p, v)) return {Status::singular};
  } else {
    v = Eigen::Map<const Values>(free->moved(), columns.n) / h;
  }
  if (const auto* gauss = std::get_if<Gauss>(&substep.block)) return differentiate(*gauss, t, h, start, z);
  differentiate(std::get<Rule>(substep.block), t, h, start.q);
  return spent.outcome;
}

void SubstepSlopes::differentiate(const Rule& rule, double t, double h, const Values& q0) {
  assemble(rule, t, h, q0);
  dv = -Rv.partialPivLu().solve(R);
  finish(h);
}

// In the columns of R and of the lower half of B stands what changes at fixed v.
void SubstepSlopes::assemble(const Rule& rule, double t, double h, const Values& q0) {
  const int n = columns.n, own = system.parameter_count();
  R.setZero(), B.setZero(), energy.setZero(), action.setZero(), Rv.setZero(), Pv.setZero();
  R.middleCols(n, n).setIdentity();
  auto P = B.bottomRows(n);
  balance = start.p, leaving.setZero(), energy_v.setZero();
  for (const auto& [c, b] : rule) {
    system.move(q0, v, c * h, x);
    at.look(t + c * h, x, v);
    const double a = b * h * (1 - c), e = b * h * c;
    balance += a * at.F - b * at.Lv, leaving += e * at.F + b * at.Lv;
    R.leftCols(n) += a * at.Fq - b * at.Lvq, P.leftCols(n) += e * at.Fq + b * at.Lvq;
    const Values path = c * (at.Fq * v + at.Fx.col(0)), lift = c * (at.Lvq * v + at.Lvx.col(0));
    R.col(columns.length()) += b * (1 - c) * at.F + a * path - b * lift;
    P.col(columns.length()) += b * c * at.F + e * path + b * lift;
    R.col(columns.time()) += a * at.Fx.col(0) - b * at.Lvx.col(0);
    P.col(columns.time()) += e * at.Fx.col(0) + b * at.Lvx.col(0);
    R.middleCols(columns.parameter(0), own) += a * at.Fx.rightCols(own) - b * at.Lvx.rightCols(own);
    P.middleCols(columns.parameter(0), own) += e * at.Fx.rightCols(own) + b * at.Lvx.rightCols(own);
    Rv += a * (c * h * at.Fq + at.Fv) - (b * c * h) * at.Lvq - b * at.Lvv;
    Pv += e * (c * h * at.Fq + at.Fv) + (b * c * h) * at.Lvq + b * at.Lvv;

    const Eigen::RowVectorXd Eq = v.transpose() * at.Lvq - at.Lq.transpose(),
                             Ex = v.transpose() * at.Lvx - at.Lx;
    energy.leftCols(n) += b * Eq;
    energy[columns.length()] += b * c * (Eq.dot(v) + Ex[0]), energy[columns.time()] += b * Ex[0];
    energy.middleCols(columns.parameter(0), own) += b * Ex.rightCols(own);
    energy_v += b * (at.Lvv * v + c * h * Eq.transpose());
    action.middleCols(columns.parameter(0), own) += b * h * at.Lx.rightCols(own);
  }
}

void SubstepSlopes::finish(double h) {
  const int n = columns.n;
  B.bottomRows(n) += Pv * dv, energy += energy_v.transpose() * dv;
  B.topRows(n) = h * dv;
  B.topLeftCorner(n, n).diagonal().array() += 1;
  B.col(columns.length()).head(n) += v;
}

}  // namespace carom
