// What the gaps do along a step of collocation: before it is solved, by the last step's polynomial carried
// on; after it, by its own. Gaps and their rates are looked at where slopes are known, at the stages and at
// the end, and are cubics in between (cubic.hpp). What cubics do not tell clearly is called unclear, and left
// to a search that asks the motion itself.
#pragma once

#include "carom/numerics/cubic.hpp"
#include "collocation.hpp"

namespace carom {

enum class Sight { clear, contact, unclear };

struct Seen {
  Sight what = Sight::clear;
  int contact = -1;
  double fraction = 1;  // of the step, where the contact closes
};

template <int N>
class GapWatch {
  using Sys = SizedSystem<N>;
  using Gaps = typename Sys::GapRates;

 public:
  // A step begins at z; where it carries on, the end of the last one has been looked at.
  void begin(const Sys& system, double t, const State<double, N>& z, bool carries_on) {
    if (system.contact_count() == 0) return;
    if (!carries_on) system.gap_rates(t, z.q, velocity(system, t, z.q, z.p).x, before());
  }

  // The first contact that closes if the prepared slopes are right.
  Seen expected(const Sys& system, const Collocation<N>& stages, double t, double h,
                const State<double, N>& z) {
    system.gap_rates(t + h, stages.reached(h, z).q, stages.end_velocity(), after());
    return earliest(before(), after(), h, 0, 1);
  }

  // What happens in the solved step.
  Seen along(const Sys& system, const Collocation<N>& stages, double t, double h,
             const State<double, N>& end) {
    system.gap_rates(t + h, end.q, stages.end_velocity(), after());
    if (stay_open(before(), after(), h, left)) return {};
    Gaps from = before(), to;
    double at = 0;
    for (int i = 0; i <= stages.stages(); ++i) {
      const bool last = i == stages.stages();
      const double next = last ? 1 : stages.node(i), stretch = h * (next - at);
      if (last)
        to = after();
      else
        system.gap_rates(t + h * next, stages.stage_q(i), stages.stage_v(i), to);
      const int leaving = i == 0 ? left : -1;
      if (unclear(from, to, stretch, leaving)) return {Sight::unclear};
      const Seen seen = earliest(from, to, stretch, at, next - at);
      if (seen.what == Sight::contact) return seen;
      from = to, at = next;
    }
    return {};
  }

  // Whether a step that was solved up to the wall of one contact met nothing else on its way, and that one at
  // its end only.
  bool alone(const Sys& system, const Collocation<N>& stages, double t, int contact,
             const State<double, N>& end) {
    const double h = stages.length();
    system.gap_rates(t + h, end.q, stages.end_velocity(), after());
    const double r0 = before().rate[contact] * h, r1 = after().rate[contact] * h;
    const bool only = contact == left ? r0 > 0 && r1 < 0 : closes_at_end_only(before().gap[contact], r0, r1);
    return only && stay_open(before(), after(), h, left, contact);
  }

  // The step is over. The next one begins on the wall that this contact was thrown off, or (-1) on none.
  void leave(int contact) { left = contact, first = 1 - first; }

  void numbers(auto&& f) {
    std::int64_t wall = left, count = before().count;
    f(wall), f(count);
    left = static_cast<int>(wall), before().count = static_cast<int>(count);
    for (int i = 0; i < count; ++i) f(before().gap[i]), f(before().rate[i]);
  }

 private:
  // At the ends of the step.
  Gaps& before() { return ends[first]; }
  Gaps& after() { return ends[1 - first]; }

  static bool stay_open(const Gaps& a, const Gaps& b, double h, int leaving, int closing = -1) {
    for (int i = 0; i < a.count; ++i) {
      if (i == closing) continue;
      const double r0 = a.rate[i] * h, r1 = b.rate[i] * h;
      if (!(i == leaving ? opens_clearly(r0, b.gap[i], r1) : stays_open(a.gap[i], r0, b.gap[i], r1)))
        return false;
    }
    return true;
  }

  // Whether a gap does something in a stretch that its ends do not tell.
  static bool unclear(const Gaps& a, const Gaps& b, double h, int leaving) {
    for (int i = 0; i < a.count; ++i) {
      const double r0 = a.rate[i] * h, r1 = b.rate[i] * h;
      if (i == leaving ? !opens_clearly(r0, b.gap[i], r1)
                       : !(a.gap[i] > 0) || (b.gap[i] >= 0 && may_dip(a.gap[i], r0, b.gap[i], r1)))
        return true;
    }
    return false;
  }

  // Of the contacts that are open at one end of a stretch and closed at the other, the first.
  static Seen earliest(const Gaps& a, const Gaps& b, double h, double start, double length) {
    Seen r;
    for (int i = 0; i < a.count; ++i) {
      if (!(a.gap[i] > 0 && b.gap[i] < 0)) continue;
      const double at =
          start + length * closing_place_of_cubic(a.gap[i], a.rate[i] * h, b.gap[i], b.rate[i] * h);
      if (r.what == Sight::clear || at < r.fraction) r = {Sight::contact, i, at};
    }
    return r;
  }

  Gaps ends[2];
  int first = 0;
  int left = -1;
};

}  // namespace carom
