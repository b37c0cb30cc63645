// What runs side by side, one in each lane of a pack, ask of a system of constant mass. Every lane gets the
// bits that doubles alone would get. Tested in tests/laws/packed_runs_test.cpp.
#pragma once

#include "carom/numerics/exact_pack.hpp"
#include "carom/system/mechanics.hpp"
#include "carom/system/system.hpp"

namespace carom {

// Whether the type of a system allows it: one that has `in_lanes` takes packs in all its functions, momenta
// too.
template <class Sys>
concept LaneSystem = ConstantMass<Sys> && !OwnDerivatives<Sys> && Sys::dim != Eigen::Dynamic && requires {
  Sys::in_lanes;
};

namespace detail {

template <class X, int N>
[[gnu::always_inline]] inline Vector<X, N> load_rows(const double* from) {
  Vector<X, N> r;
  for (int k = 0; k < N; ++k) r[k] = X::load(from + k * X::width);
  return r;
}
template <class X>
[[gnu::always_inline]] inline void store_rows(const auto& from, double* to) {
  for (int k = 0; k < from.size(); ++k) from[k].store(to + k * X::width);
}

template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline void potential_in_lanes(const Sys& system, const double* q, double* V_Vq) {
  const auto V = potential_slope(system, X(0.0), load_rows<X, Sys::dim>(q));
  V.value.store(V_Vq);
  store_rows<X>(V.gradient, V_Vq + X::width);
}

// L and ∂L/∂v as LagrangianAt has them. Sums of more than two terms Eigen adds in an order of its own, which
// depends on the scalar: those lane by lane.
template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline void lagrangian_in_lanes(const Sys& system, const LanePoint& at) {
  constexpr int N = Sys::dim;
  const Vector<X, N> v = load_rows<X, N>(at.v);
  const X V = X::load(at.V);
  if constexpr (N <= 2) {
    const Vector<X, N> Lv = system.mass().template cast<X>() * v;
    store_rows<X>(Lv, at.Lv);
    (0.5 * v.dot(Lv) - V).store(at.L);
  } else {
    const Matrix<double, N> M = system.mass();
    for (int i = 0; i < X::width; ++i) {
      Vector<double, N> u;
      for (int k = 0; k < N; ++k) u[k] = v[k][i];
      const Vector<double, N> Lv = M * u;
      for (int k = 0; k < N; ++k) at.Lv[k * X::width + i] = Lv[k];
      at.L[i] = 0.5 * u.dot(Lv) - V[i];
    }
  }
}

template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline void gaps_in_lanes(const Sys& system, const LanePoint& at) {
  constexpr int N = Sys::dim;
  const Vector<X, N> q = load_rows<X, N>(at.q);
  store_rows<X>(gaps_of(system, X(0.0), q), at.gap);
  if (!at.moving_gap) return;
  Vector<Dual<X, 1>, N> x;
  for (int k = 0; k < N; ++k) x[k].a = q[k], x[k].d[0] = X::load(at.v + k * X::width);
  const auto g = gaps_of(system, Dual<X, 1>(0.0), x);
  for (int i = 0; i < g.size(); ++i)
    g[i].a.store(at.moving_gap + i * X::width), g[i].d[0].store(at.rate + i * X::width);
}

template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline void look_in_lanes(const Sys& system, const LanePoint& at) {
  constexpr int N = Sys::dim;
  lagrangian_in_lanes<Sys, X>(system, at);
  if constexpr (HasGaps<Sys>) gaps_in_lanes<Sys, X>(system, at);
  double* next = at.momenta;
  const auto tell = [&next](const char*, const X& value) { value.store(next), next += X::width; };
  if constexpr (requires(const Vector<X, N>& x) { system.momenta(x, x, tell); })
    system.momenta(load_rows<X, N>(at.q), load_rows<X, N>(at.p), tell);
}

// As in stage_slopes.hpp: all inlined, so that it is compiled for the wider registers.
template <SystemStruct Sys>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] void potential_in_four_lanes(
    const Sys& system, const double* q, double* V_Vq) {
  potential_in_lanes<Sys, ExactPack<4>>(system, q, V_Vq);
}
template <SystemStruct Sys>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] void look_in_four_lanes(
    const Sys& system, const LanePoint& at) {
  look_in_lanes<Sys, ExactPack<4>>(system, at);
}

}  // namespace detail

}  // namespace carom
