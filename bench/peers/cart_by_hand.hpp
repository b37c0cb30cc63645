// The cart-pendulum as a user of an ODE library writes it: closed form, (y, θ, y', θ'), with the parameters
// of carom::CartPendulum. With a = y'' + g:
//
//   a = -m2 L cos θ θ'² / (m1 + m2 cos² θ),   θ'' = -sin θ a / L;   at the floor y' turns around and p_θ
//   stays
#pragma once

#include <cmath>
#include <vector>

#include "carom/systems/cart_pendulum.hpp"

namespace carom::bench {

struct CartByHand {
  CartPendulum cart;

  void rates(const double* x, double* dxdt) const {
    const double s = std::sin(x[1]), c = std::cos(x[1]);
    const double a = -cart.m2 * cart.L * c * x[3] * x[3] / (cart.m1 + cart.m2 * c * c);
    dxdt[0] = x[2], dxdt[1] = x[3];
    dxdt[2] = a - cart.g, dxdt[3] = -s * a / cart.L;
  }
  void bounce(double* x) const {
    x[3] += 2 * std::sin(x[1]) * x[2] / cart.L;
    x[2] = -x[2];
    x[0] = 0;
  }
  void start(double beta, double* x) const { x[0] = beta, x[1] = 0, x[2] = 0, x[3] = 3.5 - 0.18 * beta; }

  double energy(const double* x) const {
    const double mass = cart.m1 + cart.m2, arm = cart.m2 * cart.L;
    return 0.5 * mass * x[2] * x[2] + arm * std::sin(x[1]) * x[2] * x[3] + 0.5 * arm * cart.L * x[3] * x[3] +
           mass * cart.g * x[0] - arm * cart.g * std::cos(x[1]);
  }
  // (q, p), as carom has it.
  std::vector<double> phase(const double* x) const {
    const double arm = cart.m2 * cart.L, s = std::sin(x[1]);
    return {x[0], x[1], (cart.m1 + cart.m2) * x[2] + arm * s * x[3], arm * s * x[2] + arm * cart.L * x[3]};
  }
};

}  // namespace carom::bench
