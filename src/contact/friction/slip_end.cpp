#include "carom/contact/friction/slip_end.hpp"

#include <cmath>

namespace carom {

SlipEnd::SlipEnd(const System& m, double step)
    : system(m),
      h(step),
      space(m),
      q(m.size()),
      v(m.size()),
      p(m.size()),
      Lq(m.size()),
      f(m.size()),
      a(m.size()),
      rows(columns) {
  to = {Values::Zero(m.size()), Values::Zero(m.size())};
}

bool SlipEnd::is_standing(int k) const {
  return space.speed(k) <= space.unit[3 * k + 1] * modes->standing[which[static_cast<std::size_t>(k)]];
}

void SlipEnd::set_slips() {
  for (int k = 0; k < space.equations.count; ++k) {
    space.set_slip(k, present[static_cast<std::size_t>(k)] == Mode::forward ? 1 : 0);
    if (present[static_cast<std::size_t>(k)] != Mode::forward || !is_standing(k)) continue;
    for (const int j : {0, 1})
      space.equations.direction[2 * k + j] = modes->direction[2 * which[static_cast<std::size_t>(k)] + j];
  }
}

double SlipEnd::time_left(double t, const Phase& z, const std::vector<int>& lasting, FrictionModes& of) {
  modes = &of, which = lasting, first = -1;
  present.clear(), among.clear();
  bool any = false;
  for (const int i : lasting) {
    present.push_back(of.mode[i]), among.push_back(static_cast<int>(among.size()));
    any = any || (of.mode[i] == Mode::forward && system.mu(i) > 0);
  }
  if (!any || !space.look(t, z.q, z.p, lasting)) return HUGE_VAL;
  set_slips();
  for (const int k : among)
    for (const int j : {0, 1})
      if (present[static_cast<std::size_t>(k)] == Mode::forward)
        of.direction[2 * which[static_cast<std::size_t>(k)] + j] = space.equations.direction[2 * k + j];
  (void)solver.excess(space.equations, among, present);
  double least = HUGE_VAL;
  for (const int k : among) {
    if (present[static_cast<std::size_t>(k)] != Mode::forward || space.equations.mu[k] == 0 || is_standing(k))
      continue;
    const double* const u = &space.rate[3 * k + 1];
    const double* const rise = &solver.a[3 * k + 1];
    const double* const force = &solver.f[3 * k + 1];
    if (u[0] * rise[0] + u[1] * rise[1] >= 0) continue;
    const double fast = std::hypot(rise[0], rise[1]) + std::hypot(force[0], force[1]),
                 time = 0.25 * space.speed(k) / fast;
    if (time < least) least = time, first = k, length = 0.5 / fast;
  }
  return least;
}

bool SlipEnd::slope(const Values& y, Values& by) {
  const auto n = system.size();
  q = y.head(n), v = y.segment(n, n);
  const double t = y[2 * n];
  system.slopes(t, q, v, Lq, p);
  if (!space.look(t, q, p, which)) return false;
  set_slips();
  if (!std::isfinite(solver.excess(space.equations, among, present))) return false;
  space.acceleration(solver.f, a);
  double rubs = 0, moves = 0;
  for (int row = 0; row < space.equations.rows; ++row) {
    const double force = space.unit[row] * solver.f[row];
    if (row % 3 != 0 && space.unit[row] > 0) rubs += force * space.rate[row] / space.unit[row];
    moves -= force * space.rows[row].drift;
  }
  if (system.forced()) system.force(t, q, v, f), moves += f.dot(v);
  if (system.timed()) moves -= system.drift(t, q, v, f);
  by.resize(2 * n + 3);
  by << v, a, 1, rubs, moves;
  by *= space.speed(first);
  return by.allFinite();
}

bool SlipEnd::midpoint(double over, int count, Values& y) {
  const double s = over / count;
  before = start;
  if (!slope(before, change)) return false;
  now = before + s * change;
  for (int k = 1; k < count; ++k) {
    if (!slope(now, change)) return false;
    next = before + 2 * s * change;
    before = now, now = next;
  }
  if (!slope(now, change)) return false;
  y = 0.5 * (now + before + s * change);
  return true;
}

// Over s; its error goes by even powers of the parts.
bool SlipEnd::integrate(double over, Values& y) {
  for (int j = 0; j < columns; ++j) {
    if (!midpoint(over, 2 * (j + 1), rows[static_cast<std::size_t>(j)])) return false;
    for (int k = j - 1; k >= 0; --k) {
      const double ratio = static_cast<double>(j + 1) / (k + 1);
      rows[static_cast<std::size_t>(k)] =
          rows[static_cast<std::size_t>(k) + 1] +
          (rows[static_cast<std::size_t>(k) + 1] - rows[static_cast<std::size_t>(k)]) / (ratio * ratio - 1);
    }
  }
  y = rows[0];
  return y.allFinite();
}

bool SlipEnd::advance(double t, const Phase& z, double rest) {
  const auto n = system.size();
  if (!system.velocity(t, z.q, z.p, v)) return false;
  start.resize(2 * n + 3);
  start << z.q, v, t, 0, 0;
  double low = 0, high = length;
  for (int pass = 0; pass < 60; ++pass) {
    const double at = pass == 0 ? high : 0.5 * (low + high);
    if (!integrate(at, result)) return false;
    tau = result[2 * n] - t;
    if (pass == 0 && tau <= rest) break;
    if (std::abs(tau - rest) <= 1e-15 * (std::abs(t) + h)) break;
    // By the slope of time, between bounds.
    const double rate = slope(result, change) ? change[2 * n] : 0;
    (tau > rest ? high : low) = at;
    const double newton = rate > 0 ? at - (tau - rest) / rate : -1;
    if (newton > low && newton < high) {
      if (!integrate(newton, result)) return false;
      tau = result[2 * n] - t;
      if (std::abs(tau - rest) <= 1e-15 * (std::abs(t) + h)) break;
      (tau > rest ? high : low) = newton;
    }
  }
  if (tau > rest) tau = rest;
  to.q = result.head(n), v = result.segment(n, n);
  system.slopes(t + tau, to.q, v, Lq, to.p);
  friction = result[2 * n + 1], work = result[2 * n + 2];
  if (!space.look(t + tau, to.q, to.p, which)) return false;
  ended = space.speed(first) <= 1e-13 * space.speed_size(first, h);
  return true;
}

}  // namespace carom
