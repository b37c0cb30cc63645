// MCVA (000, 4.3 and 4.4): the impact keeps a truncated modified Hamiltonian H~, and the parts of a step
// before and after it follow the Hamilton equations of H~ by Gauss collocation of sufficient order. With
// `plain` partial steps Φ_tau instead it is the reset (28) of 001; so it is for systems with forces, of which
// H~ knows nothing. Tested in tests/laws/impact_series_test.cpp.
#pragma once

#include "carom/impact_law.hpp"
#include "carom/modified.hpp"

namespace carom {

// Moves (q, p) over tau along H~.
[[nodiscard]] Outcome advance_by_hamiltonian(const ModifiedHamiltonian& modified, const GaussTable& table,
                                             double tau, ModifiedHamiltonian::Out q,
                                             ModifiedHamiltonian::Out p);

namespace detail {

// Gauss collocation of q' = ∂H~/∂p, p' = -∂H~/∂q over tau: moves (q, p), and says how fast at the end.
[[nodiscard]] Outcome advance_by_hamiltonian(const ModifiedHamiltonian& modified, const GaussTable& table,
                                             double tau, ModifiedHamiltonian::Out q,
                                             ModifiedHamiltonian::Out p, ModifiedHamiltonian::Out q_rate,
                                             ModifiedHamiltonian::Out p_rate);

// A system in formulas may have fewer coordinates than its type; the others rest at zero.
template <int N>
Passage<N> advance_by_hamiltonian(const ModifiedHamiltonian& modified, const GaussTable& table,
                                  const State<double, N>& z, double tau) {
  Passage<N> r{z, {0 * z.q, 0 * z.p}};
  const int n = modified.size();
  r.outcome = advance_by_hamiltonian(modified, table, tau, r.z.q.head(n), r.z.p.head(n), r.rate.q.head(n),
                                     r.rate.p.head(n));
  return r;
}

template <int N>
double value_at(const ModifiedHamiltonian& modified, const State<double, N>& z) {
  return modified.value(z.q.head(modified.size()), z.p.head(modified.size()));
}

}  // namespace detail

template <System Sys>
ImpactLaw<Sys> modified_energy(const Sys& system, const SteadyFlow& flow, const ModifiedHamiltonian& modified,
                               bool plain = false) {
  constexpr int N = Sys::dim;
  const auto measure = [modified](double, const State<double, N>& z) {
    return detail::value_at(modified, z);
  };
  ImpactLaw<Sys> law{
      .name = "modified-energy", .advance = {}, .before = measure, .after = measure, .noise = 4e-15};
  if (plain || is_forced(system))
    law.advance = [system, flow](const Leg<N>& leg, double tau) {
      return advance_by_flow(system, flow.forward, leg, tau);
    };
  else
    law.advance = [modified, &table = gauss_table((modified.order() + 1) / 2)](const Leg<N>& leg,
                                                                               double tau) {
      return detail::advance_by_hamiltonian<N>(modified, table, leg.z, tau);
    };
  return law;
}

// MHC of 001, III-E, with the median of H~.
template <System Sys>
ImpactLaw<Sys> stable_energy(const Sys& system, const SteadyFlow& flow, int window,
                             const ModifiedHamiltonian& modified) {
  return stable_energy<Sys>(system, flow, window, [modified](const State<double, Sys::dim>& z) {
    return detail::value_at(modified, z);
  });
}

}  // namespace carom
