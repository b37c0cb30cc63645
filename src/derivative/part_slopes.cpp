#include "carom/derivative/part_slopes.hpp"

namespace carom {

PartSlopes::PartSlopes(const DenseSystem& m, const DerivativeColumns& c, const SteadyFlow& f)
    : B(2 * c.n, c.count()),
      energy(c.count()),
      action(c.count()),
      columns(c),
      flow(f),
      substep(m, c),
      next(2 * c.n, c.count()),
      of_energy(c.count()) {}

void PartSlopes::begin(double t) {
  now = t, slope_of_now = 0, spent_energy = 0, is_first = true;
  B.setZero(), energy.setZero(), action.setZero();
  B.leftCols(2 * columns.n).setIdentity();
}

Outcome PartSlopes::take(Kind kind, double t, double tau, Phase& z) {
  begin(t);
  if (kind == Kind::flow || tau == 0) return add(flow.forward, tau, 1, z);
  const auto alpha = Dual<double, 1>::variable(tau / flow.h, 0),
             b = outer_fraction(alpha, flow.forward.order);
  for (const auto& fraction : {-b, alpha + 2 * b, -b})
    if (const Outcome part = add(flow.forward, fraction.a * flow.h, fraction.d[0], z); !part.ok())
      return part;
  return {};
}

Outcome PartSlopes::take_step(double t, bool backwards, Phase& z) {
  begin(t);
  return add(backwards ? flow.backward : flow.forward, flow.h, 1, z);
}

// The flow over h, which changes by `slope` where the length of the part does by 1.
Outcome PartSlopes::add(const Flow& by, double h, double slope, Phase& z) {
  const int z_columns = columns.z(), time = columns.time(), length = columns.length();
  energy.setZero(), spent_energy = 0;
  double at = now, slope_of_at = slope_of_now;
  for (const Substep& block : by.substeps) {
    const double tau = h * block.fraction, slope_of_tau = slope * block.fraction;
    if (const Outcome taken = substep.take(block, at, tau, z); !taken.ok()) return taken;
    const auto chain = [&](const auto& own, auto& sum) {
      sum.noalias() += own.leftCols(z_columns) * B;
      sum.col(time) += own.col(time);
      sum.col(length) += slope_of_at * own.col(time) + slope_of_tau * own.col(length);
      sum.rightCols(columns.parameters) += own.rightCols(columns.parameters);
    };
    of_energy.setZero();
    chain(substep.energy, of_energy);
    energy += block.fraction * of_energy, spent_energy += block.fraction * substep.spent_energy;
    action += substep.action;
    if (std::exchange(is_first, false)) {
      B = substep.B, B.col(length) *= slope_of_tau;
    } else {
      next.setZero();
      chain(substep.B, next);
      B.swap(next);
    }
    at += tau, slope_of_at += slope_of_tau;
  }
  now += h, slope_of_now += slope;
  return {};
}

}  // namespace carom
