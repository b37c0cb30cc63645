// The energy that an impact keeps under the law `shadow`, from grid point to grid point: p+ = P(p- + s J)
// with
//
//   H~(end of the step) = E                                    E: the shadow energy of the run, taken once
//   H~(end of the step) = H~(its start) + work - loss          with forces or losses, where there is no such
//   E
//
// Both sides have the contacts held that last then; without an E they must be the same ones, or else s = 1.
#pragma once

#include "carom/contact/partial_motion.hpp"

namespace carom {

class KeptEnergy {
 public:
  using Z = State<double, Eigen::Dynamic>;

  KeptEnergy(const Mechanism& m, HeldFlow& h, const SteadyFlow& f, int order, double restitution)
      : mechanism(m),
        held(h),
        flow(f),
        half_order(order / 2),
        keeps_anchor(restitution == 1 && !m.forced()),
        lossy(restitution < 1),
        reach(lossy ? 0.25 * (1 - restitution) : 0.5),
        motion(h, f),
        v(m.size()) {}

  void begin(double t, const Z& z, const std::vector<int>& lasting) {
    if (!keeps_anchor) return;
    E = shadow_energy(t, z, lasting);
    if (!std::isfinite(*E)) E.reset();
  }
  // A new step: where it starts, with what held.
  void start(double t, const Z& z, const std::vector<int>& lasting) {
    node_time = t, node = z, node_lasting = lasting;
    at_node.reset();
    work = loss = 0;
  }

  // s, for the impulse J on p- at (t, q); `leave(s, p)` makes the momentum after it, `lasting` is held from
  // there on for what is `rest` of the step.
  double scale(double t, double rest, const Z& leaving, const Values& J, const std::vector<int>& lasting,
               const auto& leave) {
    if (!E && lasting != node_lasting) return 1;
    if (!E && !at_node) at_node = shadow_energy(node_time, node, node_lasting);
    const double target = E ? *E : *at_node - loss;
    mechanism.velocity(leaving.q, leaving.p, v);
    const double slope = J.dot(v);
    if (!(std::abs(slope) > 1e-9 * (std::abs(leaving.p.dot(v)) + std::abs(target))))
      return 1;  // too small to see
    trial.q = leaving.q;
    const double s = root_near_one(target, slope, [&](double factor) {
      leave(factor, trial.p);
      return energy_at_end(t, rest, lasting);
    });
    uncertainty += (held.unknown - uncertainty) / static_cast<double>(++impacts);
    return s;
  }

  void numbers(auto&& f) {
    double anchor = E.value_or(std::nan(""));
    f(solves), f(fallbacks), f(impacts), f(uncertainty), f(anchor);
    E = std::isnan(anchor) ? std::nullopt : std::optional(anchor);
  }

  double work = 0, loss = 0;  // since the start of the step
  std::int64_t solves = 0;    // evaluations of the shadow energy
  std::int64_t impacts = 0, fallbacks = 0;
  double uncertainty = 0;  // of the shadow energy: how far it is from that of two orders less, on average

 private:
  double shadow_energy(double t, const Z& z, const std::vector<int>& lasting) {
    ++solves;
    return held.shadow_energy(flow, t, z, half_order, lasting);
  }

  double energy_at_end(double t, double rest, const std::vector<int>& lasting) {
    for (const auto kind : {PartialMotion::Kind::composition, PartialMotion::Kind::flow}) {
      motion.begin(t, trial, lasting, kind);
      const Spent spent = motion(rest, end);
      if (spent.outcome.ok()) return shadow_energy(t + rest, end, lasting) - (E ? 0 : work + spent.work);
    }
    return std::nan("");
  }

  // The secant method from 1; without a root near it, 1, counted. With losses, near means that it does not
  // give back more than it takes, and the last bounces before rest are too slow for a comparison of energies.
  double root_near_one(double target, double slope, const auto& energy) {
    const double size = std::abs(target) + std::abs(slope);
    double s = 1, f = energy(1) - target;
    for (int i = 0; i < 30; ++i) {
      if (std::abs(f) <= 1e-14 * size) return s;
      const double change = -f / slope;
      if (!std::isfinite(change) || std::abs(s + change - 1) > reach) break;
      if (std::abs(change) <= 1e-16) return s;
      const double f_before = f;
      s += change, f = energy(s) - target;
      if (std::abs(f) >= std::abs(f_before) && std::abs(f) <= 1e-12 * size) return s;
      slope = (f - f_before) / change;
    }
    fallbacks += !lossy;
    return 1;
  }

  const Mechanism& mechanism;
  HeldFlow& held;
  const SteadyFlow& flow;
  int half_order;
  bool keeps_anchor, lossy;
  double reach;  // of s from 1
  PartialMotion motion;
  std::optional<double> E, at_node;
  double node_time = 0;
  Z node, trial, end;
  std::vector<int> node_lasting;
  Values v;
};

}  // namespace carom
