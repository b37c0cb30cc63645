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
// (its other slopes are momenta).
//
// Along joints and contacts that last, c = 0 with gradients G (smooth_step.hpp), multipliers join in:
//
//   0 = R + G(q0)'λ,  c(q1) = 0        p1 = P + G(q1)'μ,  G(q1) v(q1, p1) + ∂c/∂t = 0
//
// Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include "carom/derivative/constraint_slopes.hpp"
#include "carom/derivative/point_slopes.hpp"
#include "carom/flow/free_flow.hpp"
#include "carom/flow/smooth_step.hpp"
#include "carom/numerics/gauss_table.hpp"

namespace carom {

class SubstepSlopes {
 public:
  SubstepSlopes(const DenseSystem& m, const DerivativeColumns& c);

  // Along the joints, and these contacts from here on.
  void hold(std::span<const int> contacts);

  // The substep itself is taken, z in place, and differentiated.
  Outcome take(const Substep& substep, double t, double h, Phase& z);

  Slopes B;         // z1
  SlopeRow energy;  // -D3 L_d
  SlopeRow action;  // ∂L_d/∂θ at fixed ends
  double spent_energy = 0;

 private:
  void differentiate(const Rule& rule, double t, double h, const Values& q0);
  void assemble(const Rule& rule, double t, double h, const Values& q0);
  void finish(double h);
  // Along constraints (held_slopes.cpp).
  Outcome take_along(const Substep& substep, double t, double h, Phase& z);
  Outcome stand(double t);
  void press_at_start(double t);
  void add_to_action(const Values& lambda);
  void turn_at_end(double t1, const Phase& end);
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
  Values balance, leaving, energy_v;  // R and P themselves; what the energy is by v
  ConstraintSlopes constraints;
  Eigen::MatrixXd start_gradients;
  std::vector<int> held;
  std::unique_ptr<SmoothStep> along;
};

}  // namespace carom
