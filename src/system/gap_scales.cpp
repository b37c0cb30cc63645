#include "carom/system/gap_scales.hpp"

namespace carom {

GapScales::GapScales(const System& m, double step)
    : system(m),
      h(step),
      size(Values::Zero(m.contact_count())),
      pulled(size),
      v(m.size()),
      a(m.size()),
      force(m.size()),
      Lv(m.size()) {
  const auto count = static_cast<std::size_t>(m.contact_count());
  near.reserve(count),
      slopes.reserve(count, m.dense() ? count * static_cast<std::size_t>(m.size()) : 8 * count);
}

void GapScales::look(double t, const Phase& z) {
  system.gaps(t, z.q, gaps);
  near.clear();
  for (int i = 0; i < gaps.size(); ++i)
    if (std::isfinite(gaps[i])) near.push_back(i);
  look(t, z, near);
}

void GapScales::look(double t, const Phase& z, const std::vector<int>& which) {
  for (const int i : which) size[i] = pulled[i] = 0;
  if (which.empty() || !accelerate(t, z)) return;
  slopes.clear();
  system.gap_slopes(t, z.q, which, slopes);
  for (int i = 0; i < slopes.size(); ++i) {
    const double x = size_of_gap(slopes[i], z.q, v, a, h) + system.gap_constant(which[i]);
    size[which[i]] = std::isfinite(x) ? x : 0, pulled[which[i]] = h * slopes[i].size_along(a);
  }
}

bool GapScales::accelerate(double t, const Phase& z) {
  if (!system.velocity(t, z.q, z.p, v)) return false;
  system.slopes(t, z.q, v, force, Lv);
  if (system.forced()) {
    system.force(t, z.q, v, Lv);
    force += Lv;
  }
  return system.velocity(t, z.q, force, a);
}

}  // namespace carom
