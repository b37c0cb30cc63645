// Every impact law on the flows it is made for, and runs that record each impact: shared by the suites of
// impacts.
#pragma once

#include <gtest/gtest.h>

#include "carom/run/ledger.hpp"
#include "carom/systems/billiard.hpp"
#include "support/system_cases.hpp"

namespace carom::test {

constexpr double impact_h = 0.02;

inline Billiard spring_billiard() { return {.k = 2}; }
inline Start<2> start_in_spring_billiard() { return {{0.3, 0.2}, Vector<double, 2>(3, 1), std::nullopt}; }

struct LawCase {
  std::string label;
  SteadyFlow flow;
  ImpactLaw law;
  bool keeps_quadratic = true;  // the partial steps keep invariants that are quadratic in (q, p)
};

inline void add_closed_forms(std::vector<LawCase>& cases, const SystemRef& system, double h) {
  for (const Flow& base : {sva(), svb(), midpoint()}) {
    const SteadyFlow flow(base, h);
    const auto modified = ModifiedHamiltonian::of_flow(system->over_nilpotents(), base, h, 3);
    cases.push_back({"modified-energy, gauss, " + base.name, flow, modified_energy(modified)});
    cases.push_back({"modified-energy, plain, " + base.name, flow, modified_energy(modified, true)});
    cases.push_back({"stable-energy, " + base.name, flow, stable_energy(*system, flow, 8, modified)});
  }
}

inline void add_laws_of_any_flow(std::vector<LawCase>& cases, const SteadyFlow& flow) {
  const std::string on = ", " + flow.forward.name;
  cases.push_back({"continuous-energy" + on, flow, continuous_energy()});
  cases.push_back({"shadow, composition" + on, flow, shadow_law(8)});
  cases.push_back({"shadow, polynomial" + on, flow, shadow_law(8, ImpactLaw::Part::polynomial), false});
  if (flow.forward.substeps.size() == 1) cases.push_back({"discrete-energy" + on, flow, discrete_energy()});
}

inline std::vector<LawCase> all_laws(const SystemRef& system, double h = impact_h) {
  std::vector<LawCase> cases;
  for (const Flow& base : {svc(), sva(), midpoint()}) add_laws_of_any_flow(cases, SteadyFlow(base, h));
  add_closed_forms(cases, system, h);
  return cases;
}

// One impact, and the grid points around it.
struct Struck {
  Impact impact;
  double t_node;
  Phase node, end;
  double energy_of_last_leg;
  std::size_t in_its_step;
};

// Hands every impact on, also those of a step that fails after them (which observers are not shown).
struct Watched {
  ContactStepper& stepper;
  std::vector<Struck>& seen;

  const Stepped& step(double t, const Phase& z) {
    const auto& r = stepper.step(t, z);
    for (const auto& impact : r.impacts)
      seen.push_back({impact, t, z, r.step.z, r.step.energy, r.impacts.size()});
    return r;
  }
};

struct Run {
  Ended ended;
  std::vector<Struck> seen;
  std::int64_t fallbacks = 0;
  std::vector<Constancy> momenta;

  std::string failure() const { return ended.failure ? ": " + ended.failure->reason : ""; }
};

inline Run run_from(const Phase& start, const SystemRef& system, const LawCase& c, ContactOptions options,
                    int steps, std::size_t impacts = 1'000'000) {
  options.law = c.law, options.lasting = false;
  ContactStepper stepper(system, c.flow, options);
  Run r;
  Watched watched{stepper, r.seen};
  Ledger ledger(system);
  std::size_t observed = 0;
  r.ended = simulate(
      watched, start, Grid{0, c.flow.h, steps}, [&](const auto&) { return observed >= impacts; }, ledger,
      [&](const GridPoint& point) { observed += point.impacts.size(); });
  r.fallbacks = stepper.fallbacks(), r.momenta = ledger.momenta;
  return r;
}

// From the system's own start until it has so many impacts.
inline Run run(const SystemCase& system, const LawCase& c, double restitution, std::size_t impacts,
               int steps = 1000) {
  return run_from(system.start, system.system, c, {.restitution = restitution}, steps, impacts);
}

// What is left of the jump of p outside the span of the closing contacts' gradients.
inline double tangential_part(const System& system, const Impact& impact) {
  Values jump = impact.p_after - impact.p_before;
  std::vector<Values> basis;
  for (const int i : impact.contacts) {
    SparseRows slopes;
    system.gap_slopes(0, impact.q, {&i, 1}, slopes);
    Values g = Values::Zero(jump.size());
    slopes[0].add_to(g, 1);
    for (const auto& b : basis) g -= b * b.dot(g);
    if (g.norm() < 1e-12) continue;
    basis.push_back(g.normalized());
    jump -= basis.back() * basis.back().dot(jump);
  }
  return jump.norm();
}

inline Values gap_rates(const System& system, const Values& q, const Values& p) {
  Values v(q.size()), gaps, rates;
  EXPECT_TRUE(system.velocity(0, q, p, v));
  system.moving_gaps(0, q, v, gaps, rates);
  return rates;
}
// The rate of the first closing gap that a momentum means.
inline double rate_of(const System& system, const Impact& impact, const Values& p) {
  return gap_rates(system, impact.q, p)[impact.contacts[0]];
}

// The energy of a law at a node: its own, or the shadow energy.
inline double energy_at_node(const SystemRef& system, const LawCase& c, const auto& own, double t,
                             const Phase& z) {
  return own ? own(t, z) : shadow_energy(system, c.flow, t, z, c.law.order / 2);
}

// The energies that the law makes equal: before and after.
inline std::pair<double, double> own_energies(const SystemRef& system, const LawCase& c, const Struck& s,
                                              double anchor) {
  const auto& at = s.impact;
  const Phase arrived{at.q, at.p_before}, left{at.q, at.p_after};
  switch (c.law.at) {
    case ImpactLaw::At::impact:
      if (c.law.keeps_H()) return {hamiltonian(system, arrived), hamiltonian(system, left)};
      return {c.law.before(at.t, arrived), c.law.after(at.t, left)};
    case ImpactLaw::At::leg: {
      Phase z = s.node;
      return {free_step(system, c.flow.forward, s.t_node, at.t - s.t_node, z).energy, s.energy_of_last_leg};
    }
    case ImpactLaw::At::node:
      break;
  }
  return {c.law.anchored ? anchor : energy_at_node(system, c, c.law.before, s.t_node, s.node),
          energy_at_node(system, c, c.law.after, s.t_node + c.flow.h, s.end)};
}

inline void expect_geometry(const SystemRef& system, const Struck& s, double restitution,
                            const std::string& label) {
  EXPECT_NEAR(gaps(system, s.impact.q)[s.impact.contacts[0]], 0, 1e-13) << label;
  EXPECT_LT(tangential_part(*system, s.impact), 1e-12 * (1 + s.impact.p_before.norm())) << label;
  EXPECT_LT(s.impact.rate_before, 0) << label;
  if (restitution > 0) {
    EXPECT_GT(s.impact.rate_after, 0) << label;
  } else {
    // Never closing; zero where the law keeps H, and elsewhere to the order of the flow: that of the law's
    // energy.
    EXPECT_GE(s.impact.rate_after, 1e-10 * s.impact.rate_before) << label;
    EXPECT_LE(s.impact.rate_after, -1e-3 * s.impact.rate_before) << label;
  }
}

}  // namespace carom::test
