// A flow over a mechanism: its list of quadrature rules, each applied as a discrete-smooth step along the
// joints and the contacts that are held. Its shadow energy (shadow.hpp) with the same contacts held
// throughout.
#pragma once

#include "carom/contact/smooth_step.hpp"
#include "carom/shadow.hpp"

namespace carom {

// What a step spent and how it ended.
struct Spent {
  double action = 0, energy = 0, work = 0;
  Outcome outcome = {};
};

class HeldFlow {
 public:
  using Hold = SmoothStep::Hold;
  using Options = SmoothStep::Options;

  explicit HeldFlow(const Mechanism& mechanism)
      : step(mechanism), node{Values(mechanism.size()), Values(mechanism.size())} {}

  // z over one step h of the flow, in place.
  Spent operator()(const Flow& flow, double t, double h, State<double, Eigen::Dynamic>& z,
                   std::span<const int> contacts, Hold hold, const Options& options = {}) {
    Spent total;
    for (const Substep& substep : flow.substeps) {
      const double tau = h * substep.fraction;
      const Outcome part = step(std::get<Rule>(substep.block), t, tau, z.q, z.p, contacts, hold, options);
      const int iterations = total.outcome.iterations + part.iterations;
      total.outcome = part, total.outcome.iterations = iterations;
      if (!part.ok()) return total;
      total.action += step.Ld.action, total.work += step.Ld.work;
      total.energy += substep.fraction * step.Ld.energy;
      t += tau;
    }
    return total;
  }

  // H~(z) = p·q' - A' through the nodes -m .. m, or shifted to one side where the flow fails on the other;
  // NaN where it fails on both.
  double shadow_energy(const SteadyFlow& flow, double t, const State<double, Eigen::Dynamic>& z, int m,
                       std::span<const int> contacts) {
    const auto inner = interpolation_weights(1 - m, 2 * m - 1, 0);  // of the order before
    for (const int shift : {0, m, -m}) {
      const auto w = interpolation_weights(shift - m, 2 * m + 1, 0);
      double energy = w.slope[m - shift] * z.p.dot(z.q), lower = inner.slope[m - 1] * z.p.dot(z.q);
      const bool ok = walk(flow.forward, flow.h, t, z, 1, shift + m, contacts,
                           [&](int k, double value) {
                             energy += w.slope[m - shift + k] * value;
                             if (k < m) lower += inner.slope[m - 1 + k] * value;
                           }) &&
                      walk(flow.backward, flow.h, t, z, -1, m - shift, contacts, [&](int k, double value) {
                        energy += w.slope[m - shift - k] * value;
                        if (k < m) lower += inner.slope[m - 1 - k] * value;
                      });
      if (!ok || !std::isfinite(energy)) continue;
      unknown = shift == 0 && m > 1 ? std::abs(energy - lower) / flow.h : 0;
      return energy / flow.h;
    }
    return std::nan("");
  }

  double unknown = 0;  // how far the energy asked for last is from that of two orders less
  SmoothStep step;

 private:
  // Tells p·q_k - A_k of the nodes k = 1, 2, ... on one side of z.
  bool walk(const Flow& flow, double h, double t, const State<double, Eigen::Dynamic>& z, int sign, int nodes,
            std::span<const int> contacts, const auto& tell) {
    node = z;
    double action = 0;
    for (int k = 1; k <= nodes; ++k) {
      const Spent spent = (*this)(flow, t + sign * (k - 1) * h, h, node, contacts, Hold::bilateral);
      if (!spent.outcome.ok()) return false;
      action += spent.action;
      tell(k, z.p.dot(node.q) - action);
    }
    return true;
  }

  State<double, Eigen::Dynamic> node;
};

}  // namespace carom
