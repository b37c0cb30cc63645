#include "carom/derivative/shadow_slopes.hpp"

namespace carom {

ShadowSlopes::ShadowSlopes(const DenseSystem& m, const DerivativeColumns& c, const SteadyFlow& f, int order)
    : slope(c.count()),
      columns(c),
      h(f.h),
      half(order / 2),
      step(m, c, f),
      D(2 * c.n, c.count()),
      action(c.count()) {}

Outcome ShadowSlopes::look(double t, const Phase& z) {
  slope.setZero();
  const auto w = interpolation_weights(-half, 2 * half + 1, 0);
  if (const Outcome ahead = walk(t, z, false, w); !ahead.ok()) return ahead;
  if (const Outcome behind = walk(t, z, true, w); !behind.ok()) return behind;
  slope /= h;
  slope[columns.time()] = slope[columns.length()] = slope[columns.anchor()] = 0;
  return {};
}

// The nodes on one side; D is the derivative of the last one by z.
Outcome ShadowSlopes::walk(double t, const Phase& z, bool backwards, const Weights& w) {
  const int n = columns.n;
  D.setZero(), action.setZero();
  D.leftCols(2 * n).setIdentity();
  Phase node = z;
  for (int k = 1; k <= half; ++k) {
    const int sign = backwards ? -1 : 1;
    if (const Outcome taken = step.take_step(t + sign * (k - 1) * h, backwards, node); !taken.ok())
      return taken;
    // The action of the steps so far depends on their ends, too, which the momenta account for.
    action += step.action;
    moved = step.B.leftCols(2 * n) * D;
    moved.rightCols(columns.parameters) += step.B.rightCols(columns.parameters);
    D.swap(moved);
    const double weight = w.slope[static_cast<std::size_t>(half + sign * k)];
    slope.segment(n, n) += weight * (node.q - z.q).transpose();
    slope += weight * ((z.p - node.p).transpose() * D.topRows(n) - action);
  }
  return {};
}

}  // namespace carom
