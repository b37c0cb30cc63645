// A flow over a system: its list of building blocks, each applied along the joints and the contacts that
// are held, as a discrete-smooth step; where nothing is held, by the kernel for the system's size
// (free_flow.hpp). Its shadow energy (shadow.hpp) with the same contacts held throughout.
#pragma once

#include "carom/contact/friction/friction_step.hpp"
#include "carom/flow/free_flow.hpp"
#include "carom/flow/shadow.hpp"
#include "carom/flow/smooth_step.hpp"

namespace carom {

class HeldFlow {
 public:
  using Hold = SmoothStep::Hold;
  using Options = SmoothStep::Options;
  using Z = Phase;

  explicit HeldFlow(const System& system);
  HeldFlow(const HeldFlow& other) : HeldFlow(other.step.Ld.system) {}  // nothing is kept from step to step
  HeldFlow& operator=(const HeldFlow&) = delete;

  // z over one step h of the flow, in place.
  Spent operator()(const Flow& flow, double t, double h, Z& z, std::span<const int> contacts, Hold hold,
                   const Options& options = {});

  // From here on contacts stick and slide by these modes; none: without friction.
  void rub(const FrictionModes* by) {
    modes = by;
    if (by) rubbing = std::make_unique<FrictionStep>(step.Ld.system);
  }

  // H~(z) = p·q' - A' through the nodes -m .. m, or shifted to one side where the flow fails on the other;
  // NaN where it fails on both.
  double shadow_energy(const SteadyFlow& flow, double t, const Z& z, int m, std::span<const int> contacts);

  // The kernel for the size of the system, where it has one.
  FreeFlow* kernel() const { return free.get(); }

  // The way of the step taken last, added to `to`.
  void add_way(Values& to) const;

  double unknown = 0;  // how far the energy asked for last is from that of two orders less
  double rounding =
      0;  // and what rounding may be of it: a little more than the terms that add up to it allow

 private:
  struct Sums {
    double energy = 0, lower = 0;  // of the order asked for, and of two less
    double size = 0;               // of the terms of the first
  };
  // Adds the nodes k = 1, 2, ... on one side of z: p·(q_k - q) - A_k by the weights of their derivative.
  bool walk(const Flow& flow, double h, double t, const Z& z, int sign, int nodes,
            std::span<const int> contacts, const double* weights, const double* lower_weights,
            int lower_nodes, Sums& sums);
  double lagrangian_at_rest(double t, const Values& q);

  SmoothStep step;
  const FrictionModes* modes = nullptr;
  std::unique_ptr<FrictionStep> rubbing;
  std::unique_ptr<FreeFlow> free;
  Z node;
  Values way, distance;  // of a step along what is held; from z to the node
  Values Lq, Lv;
  double at_rest =
      0;  // L where the energy is asked for, without motion: a constant of V is no part of what rounds
  bool freely = false;  // whether the step taken last was the free kernel's
};

}  // namespace carom
