#include "carom/flow/collocation.hpp"

#include "collocation_stepper.hpp"

namespace carom {

bool collocation_fits(const System& m) {
  const bool small = m.size() <= most_staged_coordinates && m.contact_count() <= SizedSystem<1>::most_gaps;
  return m.dense() && small && m.joint_count() == 0 && (m.quadratic() || m.contact_count() == 0);
}

std::unique_ptr<Stepper> make_collocation_stepper(const System& m, double grid_step,
                                                  const CollocationOptions& options) {
  const int n = m.size();
  if (n == 1) return std::make_unique<CollocationStepper<1>>(m, grid_step, options);
  if (n == 2) return std::make_unique<CollocationStepper<2>>(m, grid_step, options);
  if (n == 3) return std::make_unique<CollocationStepper<3>>(m, grid_step, options);
  if (n == 4) return std::make_unique<CollocationStepper<4>>(m, grid_step, options);
  if (n <= 8) return std::make_unique<CollocationStepper<8>>(m, grid_step, options);
  return std::make_unique<CollocationStepper<16>>(m, grid_step, options);
}

}  // namespace carom
