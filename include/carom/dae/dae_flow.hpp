// Compositions of a symplectic Euler method for DAEs and its adjoint, by the core's lists: se1 is the method
// itself, sva the method and then its adjoint over half steps (order 2), svb the adjoint first, yoshida4 and
// the others compositions of these. Where nothing is held there is no DAE, and se1 gives way to sva: its
// error in y, half an acceleration times h², would press what has just taken off back into the surface.
// Orders are measured in tests/laws/dae_orders_test.cpp.
#pragma once

#include "carom/dae/euler_step.hpp"
#include "carom/flow/flow.hpp"

namespace carom {

class DaeFlow {
 public:
  DaeFlow(const Dae& dae, const DaeScheme& scheme, const Flow& flow);

  // Takes (y, z) from t to t + h with the constraints `held`; leaves them alone where a part fails.
  Outcome operator()(double t, double h, std::span<const int> held, Values& y, Values& z);

  DaeEuler euler;
  double work = 0, friction = 0;  // of the last call

 private:
  struct Part {
    double fraction;
    bool adjoint;
  };
  std::vector<Part> parts, flight;
  Values y_now, z_now, Psi0, Psi1;
};

}  // namespace carom
