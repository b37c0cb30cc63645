// The energy that an impact keeps (impact_law.hpp), as an equation for the size s of its impulse, p+ = P(p- +
// s J):
//
//   impact   after(q, p+) = before(q, p-) - loss
//   leg      -D3 L_d of what follows = -D3 L_d of what came before - loss
//   node     E(end of the step) = E(its start) + work - loss; or the energy of the run, taken once
//
// E of the shadow law has the contacts held that last then; without an energy of the run they must be the
// same ones at both nodes, or else s = 1. Tested in tests/laws/impact_laws_test.cpp.
#pragma once

#include "carom/contact/event_search.hpp"

namespace carom {

// The smallest restitution of a system's contacts, where `usual` is that of contacts that say nothing.
double least_restitution(const System& system, double usual);

class ImpactEnergy {
 public:
  using Z = Phase;
  using Leave = std::function<void(double s, Values& p)>;  // the momentum after an impulse of size s

  ImpactEnergy(const System& m, HeldFlow& h, const SteadyFlow& f, const ImpactLaw& l, double restitution);

  // The start of a run.
  void begin(double t, const Z& z, const std::vector<int>& lasting);
  void forget() { E.reset(); }
  // A new step: where it starts, with what held.
  void start(double t, const Z& z, const std::vector<int>& lasting);

  // An impact at t, with `rest` of the step to come: p- and J as they are, the state that the whole of J
  // leaves, what is held from there on, the part of the step before it, and the energy that it takes by
  // restitution.
  struct Impact {
    double t, rest;
    const Values &p_before, &J;
    const Z& leaving;
    const std::vector<int>& lasting;
    const Spent& leg;
    double loss;
  };
  double scale(const Impact& impact, const Leave& leave);

  void numbers(auto&& f) {
    double anchor = E.value_or(std::nan(""));
    f(solves), f(fallbacks), f(drowned), f(impacts), f(uncertainty), f(strongest), f(anchor);
    E = std::isnan(anchor) ? std::nullopt : std::optional(anchor);
  }

  struct Counts {
    std::int64_t solves, impacts, fallbacks, drowned;
    double uncertainty, strongest;
  };
  Counts counts() const { return {solves, impacts, fallbacks, drowned, uncertainty, strongest}; }
  void recount(const Counts& c) {
    solves = c.solves, impacts = c.impacts, fallbacks = c.fallbacks, drowned = c.drowned;
    uncertainty = c.uncertainty, strongest = c.strongest;
  }

  double work = 0;          // since the start of the step
  double blur = 0;          // of energies, by what stands still beside
  std::int64_t solves = 0;  // evaluations of the energy
  std::int64_t impacts = 0, fallbacks = 0;
  std::int64_t drowned =
      0;  // impacts whose energy is lost in the rounding of that of all that moves: they keep H
  std::int64_t found = 0;  // impacts whose energy was met
  double uncertainty = 0;  // of the shadow energy: how far it is from that of two orders less, on average
  double strongest = 0;    // impact so far, by J·v: the last bounces before rest drown beside nothing

 private:
  double target_of(const Impact& impact);
  double energy_after(const Impact& impact);
  double energy_of_leg(const Impact& impact);
  double energy_at_node(const Impact& impact);
  double shadow_energy(double t, const Z& z, const std::vector<int>& lasting);
  double root_near_one(double target, double slope, const Impact& impact, const Leave& leave);

  double least;  // restitution
  const System& system;
  HeldFlow& held;
  const SteadyFlow& flow;
  const ImpactLaw& law;
  bool keeps_anchor, lossy;
  double reach;  // of s from 1
  PartialMotion motion;
  EventSearch search;
  std::vector<int> all_contacts;
  std::optional<double> E, at_node;
  double node_time = 0, loss = 0;  // of the step
  Z node, trial, end;
  std::vector<int> node_lasting;
  Values v, gaps;
};

}  // namespace carom
