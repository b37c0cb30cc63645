// Steps of a flow where nothing is held, by kernels that are compiled for the size of the system
// (sized_system.hpp): variational steps and Gauss collocation of any system of up to 16 coordinates that has
// its derivatives in one array. Compiled once, in src/flow/. Tested in tests/laws/flow_laws_test.cpp.
#pragma once

#include <memory>

#include "carom/flow/flow.hpp"
#include "carom/system/system.hpp"

namespace carom {

// What a step spent and how it ended.
struct Spent {
  double action = 0, energy = 0, work = 0;
  Outcome outcome = {};
  double friction = 0;  // its work
};

class FreeFlow {
 public:
  virtual ~FreeFlow() = default;
  // z over a step h, in place; where it fails, z stays.
  virtual Spent operator()(const Flow& flow, double t, double h, Phase& z) = 0;
  // How far each coordinate went in the step taken last, without cancellation.
  virtual const double* moved() const = 0;
  // All gaps and the rates at which they change, as System::moving_gaps has them, at the velocity of z.
  virtual void moving_gaps(double t, const Phase& z, Values& gap, Values& rate) = 0;
};

// None for a system with joints, one that is not dense, or one that is larger.
std::unique_ptr<FreeFlow> make_free_flow(const System& system);

}  // namespace carom
