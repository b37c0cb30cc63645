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
    for (const int shift : {0, m, -m}) {
      const auto w = interpolation_weights(shift - m, 2 * m + 1, 0);
      const double weight = w.slope[m - shift] * z.p.dot(z.q);
      const double ahead = side(flow.forward, flow.h, t, z, 1, shift + m, contacts, w, m - shift);
      const double back = side(flow.backward, flow.h, t, z, -1, m - shift, contacts, w, m - shift);
      const double energy = (weight + ahead + back) / flow.h;
      if (std::isfinite(energy)) return energy;
    }
    return std::nan("");
  }

  SmoothStep step;

 private:
  // Σ w_k (p·q_k - A_k) over the nodes on one side of z; `centre` is the place of node 0 among the weights.
  double side(const Flow& flow, double h, double t, const State<double, Eigen::Dynamic>& z, int sign,
              int nodes, std::span<const int> contacts, const Weights& w, int centre) {
    node = z;
    double sum = 0, action = 0;
    for (int k = 1; k <= nodes; ++k) {
      const Spent spent = (*this)(flow, t + sign * (k - 1) * h, h, node, contacts, Hold::bilateral);
      if (!spent.outcome.ok()) return std::nan("");
      action += spent.action;
      sum += w.slope[centre + sign * k] * (z.p.dot(node.q) - action);
    }
    return sum;
  }

  State<double, Eigen::Dynamic> node;
};

}  // namespace carom
