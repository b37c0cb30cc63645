// MCVA (000, 4.3 and 4.4): the impact keeps a truncated modified Hamiltonian H~, and the parts of a step
// before and after it follow the Hamilton equations of H~ by Gauss collocation of sufficient order. With
// `plain` partial steps Φ_tau instead it is the reset (28) of 001; so it is for systems with forces, of which
// H~ knows nothing.
#pragma once

#include "carom/impact_law.hpp"
#include "carom/modified.hpp"

namespace carom {
namespace detail {

// Gauss collocation of q' = ∂H~/∂p, p' = -∂H~/∂q over tau.
template <int N, class H>
Passage<N> advance_by_hamiltonian(const H& modified, const GaussTable& table, const State<double, N>& z,
                                  double tau) {
  using X = Phase<double, N>;
  const auto field = [&modified](const X& x) {
    const State<double, N> g = as_state<double, N>(gradient(modified, x).gradient);
    return as_phase<double, N>({g.p, -g.q});
  };
  X x = as_phase<double, N>(z);
  std::array<X, most_stages> slope;
  slope.fill(field(x));
  Passage<N> r{z, z};
  double change = HUGE_VAL;
  for (int k = 0; k < 60 && change > 1e-15; ++k) {
    auto next = slope;
    for (int i = 0; i < table.stages; ++i) {
      X at = x;
      for (int j = 0; j < table.stages; ++j) at += tau * table.a[i][j] * slope[j];
      next[i] = field(at);
    }
    const double before = change;
    change = 0;
    for (int i = 0; i < table.stages; ++i)
      change = std::fmax(change, (next[i] - slope[i]).norm() / (next[i].norm() + 1e-300));
    slope = next;
    r.outcome = {change <= 1e-11 ? Status::ok : Status::no_convergence, change, k + 1};
    if (!std::isfinite(change)) return r.outcome.status = Status::not_finite, r;
    if (change <= 1e-13 && change >= 0.5 * before) break;
  }
  for (int i = 0; i < table.stages; ++i) x += tau * table.b[i] * slope[i];
  const X rate = field(x);
  r.z = as_state<double, N>(x), r.rate = as_state<double, N>(rate);
  return r;
}

}  // namespace detail

// `modified` is a function of (q, p) over any scalar (ModifiedSeries, ModifiedClosedForm); `order` that of
// its error.
template <System Sys, class H>
ImpactLaw<Sys> modified_energy(const Sys& system, const SteadyFlow& flow, const H& modified, int order,
                               bool plain = false) {
  constexpr int N = Sys::dim;
  const auto measure = [modified](double, const State<double, N>& z) {
    return modified(detail::as_phase<double, N>(z));
  };
  ImpactLaw<Sys> law{
      .name = "modified-energy", .advance = {}, .before = measure, .after = measure, .noise = 4e-15};
  if (plain || is_forced(system))
    law.advance = [system, flow](const Leg<N>& leg, double tau) {
      return advance_by_flow(system, flow.forward, leg, tau);
    };
  else
    law.advance = [modified, &table = gauss_table((order + 1) / 2)](const Leg<N>& leg, double tau) {
      return detail::advance_by_hamiltonian<N>(modified, table, leg.z, tau);
    };
  return law;
}

}  // namespace carom
