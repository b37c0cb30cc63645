#include "carom/flow/shadow_window.hpp"

#include <algorithm>

namespace carom {

ShadowWindow::ShadowWindow(const System& system, const SteadyFlow& f, int half)
    : held(system),
      flow(f),
      m(half),
      count(2 * half + 1),
      weights{interpolation_weights(-m, count, 0), interpolation_weights(1 - m, count - 2, 0)} {
  for (Z& node : z) node = {Values::Zero(system.size()), Values::Zero(system.size())};
  way.fill(Values::Zero(system.size()));
}

ShadowValue ShadowWindow::at(std::int64_t n, double t, const Z& point) {
  if (n != followed && !follow(n, t, point)) centre = n, valid = rebuild(t, point);
  followed = -1;
  if (!valid) return {held.shadow_energy(flow, t, point, m, {}), 0};
  const double energy = of_order(m);
  return {energy, m > 1 ? std::abs(energy - of_order(m - 1)) : 0};
}

bool ShadowWindow::follow(std::int64_t n, double t, const Z& point) {
  if (!valid || n != centre + 1 || z[m + 1].q != point.q || z[m + 1].p != point.p) return false;
  centre = followed = n, valid = shift(t);
  return true;
}

std::optional<ShadowWindow::Taken> ShadowWindow::step_from(const Z& point) const {
  if (!valid || m < first_known || z[m].q != point.q || z[m].p != point.p) return std::nullopt;
  return Taken{z[m + 1], steps[m]};
}

bool ShadowWindow::rebuild(double t, const Z& point) {
  z[m] = point;
  for (int j = m; j > 0; --j) {
    z[j - 1] = z[j];
    const Spent back =
        held(flow.backward, t - (m - j) * flow.h, flow.h, z[j - 1], {}, HeldFlow::Hold::bilateral);
    if (!back.outcome.ok()) return false;
    action[j - 1] = -back.action;
    way[j - 1].setZero(), held.add_way(way[j - 1]);
    way[j - 1] = -way[j - 1];
  }
  first_known = m;
  for (int k = 0; k < m; ++k)
    if (!take_step(m + k, t + k * flow.h)) return false;
  return true;
}

bool ShadowWindow::shift(double t) {
  for (int j = 0; j + 1 < count; ++j) std::swap(z[j], z[j + 1]), std::swap(way[j], way[j + 1]);
  std::copy(action.begin() + 1, action.begin() + count - 1, action.begin());
  for (int j = std::max(first_known, m + 1); j < count - 1; ++j) steps[j - 1] = steps[j];
  first_known = std::min(first_known, count - 1) - 1;
  return take_step(count - 2, t + (m - 1) * flow.h);
}

bool ShadowWindow::take_step(int j, double t) {
  z[j + 1] = z[j];
  steps[j] = held(flow.forward, t, flow.h, z[j + 1], {}, HeldFlow::Hold::bilateral);
  action[j] = steps[j].action;
  way[j].setZero(), held.add_way(way[j]);
  return steps[j].outcome.ok();
}

double ShadowWindow::of_order(int k) {
  const Weights& w = weights[m - k];
  double spent_ahead = 0, spent_behind = 0, sum = 0;
  ahead.setZero(z[m].q.size()), behind.setZero(z[m].q.size());
  for (int j = 1; j <= k; ++j) {
    spent_ahead += action[m + j - 1], spent_behind -= action[m - j];
    ahead += way[m + j - 1], behind -= way[m - j];
    sum += w.slope[k + j] * (z[m].p.dot(ahead) - spent_ahead);
    sum += w.slope[k - j] * (z[m].p.dot(behind) - spent_behind);
  }
  return sum / flow.h;
}

}  // namespace carom
