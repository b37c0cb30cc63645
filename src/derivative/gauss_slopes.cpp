// The derivative of a Gauss step. Its stages are those of the step taken, found again by Newton's method,
// whose matrix is that of the derivative: with dQ_i = dq0 + h Σ a_ij dv_j + ..., dF_i = F_q dQ_i + F_v dv_i +
// ...,
//
//   Lvq dQ_i + Lvv dv_i + ... = dp0 + h Σ a_ij dF_j + (Σ a_ij F_j) dh
#include <Eigen/LU>

#include "carom/derivative/substep_slopes.hpp"

namespace carom {

void SubstepSlopes::look_at_stages(const GaussTable& table, double t, double h, const Phase& from) {
  const int n = columns.n, s = table.stages;
  for (int i = 0; i < s; ++i) {
    x = from.q;
    for (int j = 0; j < s; ++j) x += h * table.a[i][j] * V.segment(j * n, n);
    const Values u = V.segment(i * n, n);
    stages[i].look(t + table.c[i] * h, x, u);
  }
  M.setZero(2 * s * n, 2 * s * n);  // unknowns: dv_i, then dF_i; rows: momenta, then forces
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) {
      const double ha = h * table.a[i][j];
      M.block(i * n, j * n, n, n) += ha * stages[i].Lvq;
      M.block((s + i) * n, j * n, n, n) -= ha * stages[i].Fq;
      M.block(i * n, (s + j) * n, n, n).diagonal().array() -= ha;
      if (i != j) continue;
      M.block(i * n, i * n, n, n) += stages[i].Lvv;
      M.block((s + i) * n, i * n, n, n) -= stages[i].Fv;
      M.block((s + i) * n, (s + i) * n, n, n).diagonal().array() += 1;
    }
}

Eigen::MatrixXd SubstepSlopes::residual_of_stages(const GaussTable& table, double h,
                                                  const Phase& from) const {
  const int n = columns.n, s = table.stages;
  Eigen::MatrixXd r(2 * s * n, 1);
  for (int i = 0; i < s; ++i) {
    Values momentum = from.p;
    for (int j = 0; j < s; ++j) momentum += h * table.a[i][j] * K.segment(j * n, n);
    r.block(i * n, 0, n, 1) = momentum - stages[i].Lv;
    r.block((s + i) * n, 0, n, 1) = stages[i].F - K.segment(i * n, n);
  }
  return r;
}

Outcome SubstepSlopes::differentiate(const Gauss& gauss, double t, double h, const Phase& from,
                                     const Phase& to) {
  const GaussTable& table = gauss_table(gauss.stages);
  const int n = columns.n, s = table.stages;
  while (static_cast<int>(stages.size()) < s) stages.emplace_back(system);
  V = v.replicate(s, 1), K.resize(s * n);
  for (int i = 0; i < s; ++i)
    K.segment(i * n, n) = h == 0 ? Values(Values::Zero(n)) : Values((to.p - from.p) / h);
  double before = HUGE_VAL;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  for (int i = 0;; ++i) {
    if (i == 50) return {Status::no_convergence, before, i};
    look_at_stages(table, t, h, from);
    lu.compute(M);
    const Values change = lu.solve(residual_of_stages(table, h, from));
    const double size = change.lpNorm<Eigen::Infinity>() /
                        (1e-300 + V.lpNorm<Eigen::Infinity>() + K.lpNorm<Eigen::Infinity>());
    if (!std::isfinite(size)) return {Status::not_finite, size, i};
    if (size <= 1e-15 || (size >= 0.5 * before && size <= 1e-11)) break;
    V += change.head(s * n), K += change.tail(s * n), before = size;
  }
  const int own = system.parameter_count(), count = columns.count();
  Slopes right = Slopes::Zero(2 * s * n, count);
  DQ.setZero(s * n, count);  // of the stages, at fixed v_i
  for (int i = 0; i < s; ++i) {
    auto Q = DQ.middleRows(i * n, n);
    Q.leftCols(n).setIdentity();
    Values kick = Values::Zero(n);
    for (int j = 0; j < s; ++j)
      Q.col(columns.length()) += table.a[i][j] * V.segment(j * n, n),
          kick += table.a[i][j] * K.segment(j * n, n);
    auto momentum = right.middleRows(i * n, n), force = right.middleRows((s + i) * n, n);
    momentum = -stages[i].Lvq * Q, force = stages[i].Fq * Q;
    momentum.middleCols(n, n).diagonal().array() += 1;
    momentum.col(columns.length()) += kick - table.c[i] * stages[i].Lvx.col(0);
    force.col(columns.length()) += table.c[i] * stages[i].Fx.col(0);
    momentum.col(columns.time()) -= stages[i].Lvx.col(0), force.col(columns.time()) += stages[i].Fx.col(0);
    momentum.middleCols(columns.parameter(0), own) -= stages[i].Lvx.rightCols(own);
    force.middleCols(columns.parameter(0), own) += stages[i].Fx.rightCols(own);
  }
  dV = lu.solve(right);
  finish_gauss(table, h);
  return {};
}

void SubstepSlopes::finish_gauss(const GaussTable& table, double h) {
  const int n = columns.n, s = table.stages, own = system.parameter_count();
  B.setZero(), energy.setZero(), action.setZero();
  B.leftCols(2 * n).setIdentity();
  for (int i = 0; i < s; ++i) {
    const double b = table.b[i];
    const Values u = V.segment(i * n, n);
    B.topRows(n) += h * b * dV.middleRows(i * n, n), B.bottomRows(n) += h * b * dV.middleRows((s + i) * n, n);
    B.col(columns.length()).head(n) += b * u, B.col(columns.length()).tail(n) += b * K.segment(i * n, n);
    Slopes dQ = DQ.middleRows(i * n, n);
    for (int j = 0; j < s; ++j) dQ += h * table.a[i][j] * dV.middleRows(j * n, n);
    const PointSlopes& there = stages[i];
    const Eigen::RowVectorXd Eq = u.transpose() * there.Lvq - there.Lq.transpose(),
                             Ex = u.transpose() * there.Lvx - there.Lx;
    energy += b * (Eq * dQ + (there.Lvv * u).transpose() * dV.middleRows(i * n, n));
    energy[columns.time()] += b * Ex[0], energy[columns.length()] += b * table.c[i] * Ex[0];
    energy.middleCols(columns.parameter(0), own) += b * Ex.rightCols(own);
    action.middleCols(columns.parameter(0), own) += b * h * there.Lx.rightCols(own);
  }
}

}  // namespace carom
