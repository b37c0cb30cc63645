// An impact law is data: how the system moves over a part of a step, and which energy an impact keeps,
// measured where. The event-driven stepper does the rest; a law of your own is a struct with other functions
// in it (examples/03_your_own_impact_law.cpp).
//
//   measured at   energy before = energy after                                laws
//   impact        before(q_i, p-) = after(q_i, p+)                            continuous-energy,
//   modified-energy leg           -D3 L_d of the part before = -D3 L_d of the part after      discrete-energy
//   (002, (56)) node          before(z_j) = after(z_(j+1)), from grid node to grid node   stable-energy,
//   shadow
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "carom/shadow.hpp"

namespace carom {

// Where a part of a step begins. `nodes` is what a law wants to prepare once and use for every length tau.
template <int N>
struct Leg {
  double t = 0;
  State<double, N> z;
  Iterates<N> nodes = {};
};

// The end of a part of length tau, and its derivative in tau: that of the curve that is searched for
// contacts.
template <int N>
struct Passage {
  State<double, N> z, rate;
  double energy = 0;  // -D3 L_d of this part
  double work = 0;    // of the forces
  Outcome outcome = {};
};

enum class MeasuredAt { impact, leg, node };

template <System Sys>
struct ImpactLaw {
  static constexpr int N = Sys::dim;
  std::string name;
  MeasuredAt where = MeasuredAt::impact;
  std::function<void(Leg<N>&)> prepare = [](Leg<N>&) {};
  std::function<Passage<N>(const Leg<N>&, double tau)> advance;
  std::function<double(double t, const State<double, N>&)> before = {}, after = {};
  double noise = 4e-16;  // how well `after` is known, relative to the energies involved
  // The energy is taken once, at the start of the run, and kept through all conservative impacts: taken
  // afresh at each it would walk.
  bool anchored = false;
};

namespace detail {

// A list of substeps with fractions of tau, each by the same flow; fractions may depend on tau.
template <System Sys, class S>
StepResult<S, Sys::dim> fractions_of_flow(const Sys& system, const Flow& flow, double t, double h,
                                          const State<double, Sys::dim>& z,
                                          std::initializer_list<S> fractions) {
  StepResult<S, Sys::dim> total;
  for (int i = 0; i < z.q.size(); ++i) total.z.q[i] = S(z.q[i]), total.z.p[i] = S(z.p[i]);
  S now(t);
  for (const S& fraction : fractions) {
    const S tau = fraction * h;
    auto part = flow_step(system, flow, now, tau, total.z);
    part.action = total.action + part.action, part.work = total.work + part.work;
    total = part;  // its energy is that of the last substep: only single ones are asked for it
    if (!part.outcome.ok()) return total;
    now = now + tau;
  }
  return total;
}

// Splits a step that was taken with duals in tau; `per_tau` turns the derivative into one by time.
template <int N>
Passage<N> split(const StepResult<Dual<double, 1>, N>& step, double per_tau) {
  Passage<N> r;
  for (int i = 0; i < step.z.q.size(); ++i) {
    r.z.q[i] = step.z.q[i].a, r.rate.q[i] = step.z.q[i].d[0] * per_tau;
    r.z.p[i] = step.z.p[i].a, r.rate.p[i] = step.z.p[i].d[0] * per_tau;
  }
  r.energy = step.energy.a, r.work = step.work.a, r.outcome = step.outcome;
  return r;
}

}  // namespace detail

// Φ_tau itself.
template <System Sys>
Passage<Sys::dim> advance_by_flow(const Sys& system, const Flow& flow, const Leg<Sys::dim>& leg, double tau) {
  using D = Dual<double, 1>;
  return detail::split(
      detail::fractions_of_flow<Sys, D>(system, flow, leg.t, 1.0, leg.z, {D::variable(tau, 0)}), 1.0);
}

// Three substeps of the flow that together go along the modified flow of step h.
template <System Sys>
Passage<Sys::dim> advance_by_composition(const Sys& system, const SteadyFlow& flow, const Leg<Sys::dim>& leg,
                                         double tau) {
  using D = Dual<double, 1>;
  const double alpha = tau / flow.h;
  if (alpha <= 0) return advance_by_flow(system, flow.forward, leg, 0);
  const D a = D::variable(alpha, 0), b = outer_fraction(a, flow.forward.order);
  const auto step =
      detail::fractions_of_flow<Sys, D>(system, flow.forward, leg.t, flow.h, leg.z, {-b, a + 2.0 * b, -b});
  return detail::split(step, 1 / flow.h);
}

// The polynomial through the iterates -(m-1) .. m of the leg's start.
template <System Sys>
Passage<Sys::dim> advance_by_polynomial(const SteadyFlow& flow, const Leg<Sys::dim>& leg, double tau) {
  Passage<Sys::dim> r{leg.z, leg.z};
  if (!leg.nodes.ok) return r.outcome.status = Status::not_finite, r;
  const auto w = interpolation_weights(leg.nodes.first, leg.nodes.count, tau / flow.h);
  r.z.q.setZero(), r.z.p.setZero(), r.rate.q.setZero(), r.rate.p.setZero();
  for (int j = 0; j < leg.nodes.count; ++j) {
    r.z.q += w.value[j] * leg.nodes.z[j].q, r.rate.q += w.slope[j] / flow.h * leg.nodes.z[j].q;
    r.z.p += w.value[j] * leg.nodes.z[j].p, r.rate.p += w.slope[j] / flow.h * leg.nodes.z[j].p;
  }
  return r;
}

// CVA of 000, 4.1, on any flow; CTEC of 001.
template <System Sys>
ImpactLaw<Sys> continuous_energy(const Sys& system, const SteadyFlow& flow) {
  const auto H = [system](double, const State<double, Sys::dim>& z) { return hamiltonian(system, z); };
  return {.name = "continuous-energy",
          .advance = [system, flow](const auto& leg,
                                    double tau) { return advance_by_flow(system, flow.forward, leg, tau); },
          .before = H,
          .after = H};
}

// VCI of 002 and 000, 4.2; DTEC of 001.
template <System Sys>
ImpactLaw<Sys> discrete_energy(const Sys& system, const SteadyFlow& flow) {
  return {.name = "discrete-energy",
          .where = MeasuredAt::leg,
          .advance = [system, flow](const auto& leg, double tau) {
            return advance_by_flow(system, flow.forward, leg, tau);
          }};
}

enum class Fraction { composition, polynomial };

// Ours: the shadow energy to order 2m from node to node, and fractional steps of the modified flow.
template <System Sys>
ImpactLaw<Sys> shadow_law(const Sys& system, const SteadyFlow& flow, int m, Fraction fraction) {
  constexpr int N = Sys::dim;
  const auto energy = [system, flow, m](double t, const State<double, N>& z) {
    return shadow_energy(system, flow, t, z, m);
  };
  ImpactLaw<Sys> law{.name = "shadow",
                     .where = MeasuredAt::node,
                     .advance = {},
                     .before = energy,
                     .after = energy,
                     .noise = 1e-14,
                     .anchored = true};
  if (fraction == Fraction::composition) {
    law.advance = [system, flow](const Leg<N>& leg, double tau) {
      return advance_by_composition(system, flow, leg, tau);
    };
  } else {
    law.prepare = [system, flow, m](Leg<N>& leg) {
      for (const int first :
           {1 - m, 0, 1 - 2 * m}) {  // one-sided where the system is not defined on the other
        leg.nodes = iterate(system, flow, leg.t, leg.z, first, first + 2 * m - 1);
        if (leg.nodes.ok) return;
      }
    };
    law.advance = [flow](const Leg<N>& leg, double tau) {
      return advance_by_polynomial<Sys>(flow, leg, tau);
    };
  }
  return law;
}

// MHC of 001, III-E: the stable value of a modified energy, its median over `window` nodes before and after.
// The windows follow the flow as if there were no walls, so that they are smooth and need no history.
template <System Sys>
ImpactLaw<Sys> stable_energy(const Sys& system, const SteadyFlow& flow, int window,
                             std::function<double(const State<double, Sys::dim>&)> modified) {
  constexpr int N = Sys::dim;
  const auto median = [=](const Flow& direction, double t, State<double, N> z) {
    std::array<double, most_shadow_nodes> values{};
    for (int k = 0; k < window; ++k) {
      values[k] = modified(z);
      const auto step = flow_step(system, direction, t, flow.h, z);
      if (!step.outcome.ok()) return std::nan("");
      z = step.z;
    }
    std::sort(values.begin(), values.begin() + window);
    return window % 2 ? values[window / 2] : 0.5 * (values[window / 2 - 1] + values[window / 2]);
  };
  return {.name = "stable-energy",
          .where = MeasuredAt::node,
          .advance = [system, flow](const auto& leg,
                                    double tau) { return advance_by_flow(system, flow.forward, leg, tau); },
          .before = [=](double t, const State<double, N>& z) { return median(flow.backward, t, z); },
          .after = [=](double t, const State<double, N>& z) { return median(flow.forward, t, z); }};
}

}  // namespace carom
