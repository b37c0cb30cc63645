// Every impact law on the flows it is made for, and runs that record each impact: shared by the suites of
// impacts.
#pragma once

#include <gtest/gtest.h>

#include "support/flow_cases.hpp"

namespace carom::test {

constexpr double impact_h = 0.02;

template <System Sys>
Sys example() {
  Sys system;
  if constexpr (std::is_same_v<Sys, Star>) system.kappa = 0.1;
  return system;
}
struct SpringBilliard : Billiard {
  SpringBilliard() { k = 2; }
  Start<2> start() const { return {{0.3, 0.2}, Vector<double, 2>(3, 1), std::nullopt}; }
};

template <System Sys>
struct LawCase {
  std::string label;
  SteadyFlow flow;
  ImpactLaw<Sys> law;
  bool keeps_quadratic = true;  // the partial steps keep invariants that are quadratic in (q, p)
};

template <System Sys>
void add_closed_forms(std::vector<LawCase<Sys>>& cases, const Sys& system, double h) {
  const auto add = [&](const Flow& base, const ModifiedHamiltonian& modified) {
    const SteadyFlow flow(base, h);
    cases.push_back({"modified-energy, gauss, " + base.name, flow, modified_energy(system, flow, modified)});
    cases.push_back(
        {"modified-energy, plain, " + base.name, flow, modified_energy(system, flow, modified, true)});
    cases.push_back({"stable-energy, " + base.name, flow, stable_energy(system, flow, 8, modified)});
  };
  add(sva(), modified_sva(system, h));
  add(svb(), modified_svb(system, h));
  add(midpoint(), modified_midpoint(system, h));
}

template <System Sys>
void add_laws_of_any_flow(std::vector<LawCase<Sys>>& cases, const Sys& system, const SteadyFlow& flow) {
  const std::string on = ", " + flow.forward.name;
  cases.push_back({"continuous-energy" + on, flow, continuous_energy(system, flow)});
  cases.push_back({"shadow, composition" + on, flow, shadow_law(system, flow, 4, Fraction::composition)});
  cases.push_back(
      {"shadow, polynomial" + on, flow, shadow_law(system, flow, 4, Fraction::polynomial), false});
  if (flow.forward.substeps.size() == 1)
    cases.push_back({"discrete-energy" + on, flow, discrete_energy(system, flow)});
}

template <System Sys>
std::vector<LawCase<Sys>> all_laws(const Sys& system, double h = impact_h) {
  std::vector<LawCase<Sys>> cases;
  for (const Flow& base : {svc(), sva(), midpoint()})
    add_laws_of_any_flow(cases, system, SteadyFlow(base, h));
  add_closed_forms(cases, system, h);
  return cases;
}

// One impact, and the grid points around it.
template <int N>
struct Struck {
  Impact<N> impact;
  double t_node;
  State<double, N> node, end;
  double energy_of_last_leg;
  std::size_t in_its_step;
};

// Hands every impact on, also those of a step that fails after them (which observers are not shown).
template <System Sys>
struct Watched {
  EventDrivenStepper<Sys>& stepper;
  std::vector<Struck<Sys::dim>>& seen;

  SteppedState<Sys> step(double t, const State<double, Sys::dim>& z) {
    auto r = stepper.step(t, z);
    for (const auto& impact : r.impacts)
      seen.push_back({impact, t, z, r.step.z, r.step.energy, r.impacts.size()});
    return r;
  }
};

template <System Sys>
struct Run {
  Ended<Sys::dim> ended;
  std::vector<Struck<Sys::dim>> seen;
  std::int64_t fallbacks = 0;
  std::vector<Constancy> momenta;
};

template <System Sys>
Run<Sys> run_from(const State<double, Sys::dim>& start, const Sys& system, const LawCase<Sys>& c,
                  EventOptions options, int steps, std::size_t impacts = 1'000'000) {
  EventDrivenStepper<Sys> stepper(system, c.flow, c.law, options);
  Run<Sys> r;
  Watched<Sys> watched{stepper, r.seen};
  Ledger<Sys> ledger(system);
  std::size_t observed = 0;
  r.ended = simulate(
      watched, start, Grid{0, c.flow.h, steps}, [&](const auto&) { return observed >= impacts; }, ledger,
      [&](const GridPoint<Sys::dim>& point) { observed += point.impacts.size(); });
  r.fallbacks = stepper.fallbacks, r.momenta = ledger.momenta;
  return r;
}

// From the system's own start until it has so many impacts.
template <System Sys>
Run<Sys> run(const Sys& system, const LawCase<Sys>& c, double restitution, std::size_t impacts,
             int steps = 1000) {
  return run_from(validated_state(system, system.start()), system, c, {.restitution = restitution}, steps,
                  impacts);
}

// What is left of the jump of p outside the span of the closing contacts' gradients.
template <System Sys>
double tangential_part(const Sys& system, const Impact<Sys::dim>& impact) {
  const auto all = jacobian([&system](const auto& x) { return system.gaps(x); }, impact.q);
  Eigen::VectorXd jump = impact.p_after - impact.p_before;
  std::vector<Eigen::VectorXd> basis;
  for (const int i : impact.contacts) {
    Eigen::VectorXd g = all.row(i).transpose();
    for (const auto& b : basis) g -= b * b.dot(g);
    if (g.norm() < 1e-12) continue;
    basis.push_back(g.normalized());
    jump -= basis.back() * basis.back().dot(jump);
  }
  return jump.norm();
}

// The rate of the first closing gap that a momentum means.
template <System Sys>
double rate_of(const Sys& system, const Impact<Sys::dim>& impact, const Vector<double, Sys::dim>& p) {
  return gap_rates(system, impact.q, velocity(system, impact.q, p).x).rate[impact.contacts[0]];
}

// The energies that the law makes equal: before and after.
template <System Sys>
std::pair<double, double> own_energies(const Sys& system, const LawCase<Sys>& c, const Struck<Sys::dim>& s,
                                       double anchor) {
  const auto& at = s.impact;
  switch (c.law.where) {
    case MeasuredAt::impact:
      return {c.law.before(at.t, {at.q, at.p_before}), c.law.after(at.t, {at.q, at.p_after})};
    case MeasuredAt::leg:
      return {flow_step(system, c.flow.forward, s.t_node, at.t - s.t_node, s.node).energy,
              s.energy_of_last_leg};
    case MeasuredAt::node:
      break;
  }
  return {c.law.anchored ? anchor : c.law.before(s.t_node, s.node), c.law.after(s.t_node + c.flow.h, s.end)};
}

template <System Sys>
void expect_geometry(const Sys& system, const Struck<Sys::dim>& s, double restitution,
                     const std::string& label) {
  const auto gaps = system.gaps(s.impact.q);
  EXPECT_NEAR(gaps[s.impact.contacts[0]], 0, 1e-13) << label;
  EXPECT_LT(tangential_part(system, s.impact), 1e-12 * (1 + s.impact.p_before.norm())) << label;
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
