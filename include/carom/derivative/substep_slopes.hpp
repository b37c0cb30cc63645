// The derivative of one substep of a flow, z1 = Φ(t, h, z0), by z0, t, h and the parameters. Of a variational
// step of a rule with nodes c, weights b, a = h (1-c), e = h c, everything at (t + c h, q0 + c h v, v), F =
// Lq + f:
//
//   0  = R = p0 + Σ b [a F - Lv]                           p1 = P = Σ b [e F + Lv]
//   dR = dp0 + Σ b [a dF + F da - dLv],                    dP = Σ b [e dF + F de + dLv]
//   dv = -R_v^-1 (dR at v),        dq1 = dq0 + h dv + v dh
//
// R_v is Newton's matrix, with the slopes of forces in it. Of a Gauss step the equations of its stages are
// differentiated (gauss_slopes.cpp). Beside it -D3 L_d, and by the parameters what L_d changes by explicitly
// (its other slopes are momenta). Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include "carom/derivative/point_slopes.hpp"
#include "carom/flow/free_flow.hpp"
#include "carom/numerics/gauss_table.hpp"

namespace carom {

class SubstepSlopes {
 public:
  SubstepSlopes(const DenseSystem& m, const DerivativeColumns& c);

  // The substep itself is taken, z in place, and differentiated.
  Outcome take(const Substep& substep, double t, double h, Phase& z);

  Slopes B;         // z1
  SlopeRow energy;  // -D3 L_d
  SlopeRow action;  // ∂L_d/∂θ at fixed ends
  double spent_energy = 0;

 private:
  void differentiate(const Rule& rule, double t, double h, const Values& q0);
  Outcome differentiate(const Gauss& gauss, double t, double h, const Phase& start, const Phase& end);
  void look_at_stages(const GaussTable& table, double t, double h, const Phase& start);
  void finish_gauss(const GaussTable& table, double h);
  Eigen::MatrixXd residual_of_stages(const GaussTable& table, double h, const Phase& start) const;

  const DenseSystem& system;
  DerivativeColumns columns;
  std::unique_ptr<FreeFlow> free;
  Flow one;
  Phase start;
  PointSlopes at;
  std::vector<PointSlopes> stages;
  Values v, x;
  Values V, K;  // of all stages: v_i below each other, and F_i
  Slopes R, dv, dV, DQ;
  Eigen::MatrixXd Rv, Pv, M;
};

}  // namespace carom
