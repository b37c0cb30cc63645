// Hamilton's equations at packs of stages: V = v(Q, P) and F = ∂L/∂q(Q, V) + force, each lane a stage of
// its own. The cheapest way for each form in which a system states L; for one that is not quadratic in v, one
// Newton step from the V of the sweep before. Tested in tests/laws/collocation_test.cpp.
#pragma once

#include "carom/system/mechanics.hpp"
#include "carom/system/system.hpp"

namespace carom {

// Whether a system can be evaluated over packs; others take their stages one by one.
template <class Sys>
concept PackedSystem = !OwnDerivatives<Sys> && Sys::dim != Eigen::Dynamic && requires {
  Sys::in_lanes;
};

namespace detail {

template <class X, int N>
struct PackSlopes {
  Vector<X, N> V, F;
  X pivot;  // the smallest of ∂²L/∂v², or what is not a number
};

// M x = b by M = L D L' without looking at the pivots; the smallest is kept for whoever wants to know.
template <class X, int N>
[[gnu::always_inline]] inline Vector<X, N> solve_unchecked(Matrix<X, N>& m, Vector<X, N> b, X& pivot) {
  Vector<X, N> inverse;
  Matrix<X, N> u;  // L D, below the diagonal
  pivot = m(0, 0);
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < j; ++k) m(j, j) = m(j, j) - u(j, k) * m(j, k);
    inverse[j] = 1.0 / m(j, j), pivot = min(pivot, m(j, j));
    for (int i = j + 1; i < N; ++i) {
      u(i, j) = m(i, j);
      for (int k = 0; k < j; ++k) u(i, j) = u(i, j) - u(i, k) * m(j, k);
      m(i, j) = u(i, j) * inverse[j];
    }
  }
  for (int i = 1; i < N; ++i)
    for (int j = 0; j < i; ++j) b[i] = b[i] - b[j] * m(i, j);
  for (int i = 0; i < N; ++i) b[i] = b[i] * inverse[i];
  for (int i = N - 2; i >= 0; --i)
    for (int j = i + 1; j < N; ++j) b[i] = b[i] - b[j] * m(j, i);
  return b;
}

template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline PackSlopes<X, Sys::dim> slopes_by_mass(const Sys& system, const X& t,
                                                                     const Vector<X, Sys::dim>& Q,
                                                                     const Vector<X, Sys::dim>& P) {
  constexpr int N = Sys::dim;
  PackSlopes<X, N> r;
  using D = Dual<X, N>;
  const Vector<D, N> x = seeded<D>(Q);
  const D potential = potential_of(system, D(t), x);
  if constexpr (ConstantMass<Sys>) {
    Matrix<X, N> M = system.mass().template cast<X>();
    r.V = solve_unchecked<X, N>(M, P, r.pivot);
    for (int k = 0; k < N; ++k) r.F[k] = -potential.d[k];
  } else {
    const Matrix<D, N> mass = system.mass(x);
    Matrix<X, N> M;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) M(i, j) = mass(i, j).a;
    r.V = solve_unchecked<X, N>(M, P, r.pivot);
    for (int k = 0; k < N; ++k) {
      X twice = X(0.0);  // V' ∂M/∂q_k V
      for (int i = 0; i < N; ++i) {
        twice = twice + r.V[i] * r.V[i] * mass(i, i).d[k];
        for (int j = 0; j < i; ++j) twice = twice + 2.0 * (r.V[i] * r.V[j] * mass(i, j).d[k]);
      }
      r.F[k] = 0.5 * twice - potential.d[k];
    }
  }
  return r;
}

template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline PackSlopes<X, Sys::dim> pack_slopes(const Sys& system, const X& t,
                                                                  const Vector<X, Sys::dim>& Q,
                                                                  const Vector<X, Sys::dim>& P,
                                                                  const Vector<X, Sys::dim>& V) {
  constexpr int N = Sys::dim;
  PackSlopes<X, N> r;
  if constexpr (!OwnDerivatives<Sys> && QuadraticKinetic<Sys>) {
    r = slopes_by_mass<Sys, X>(system, t, Q, P);
  } else {
    const auto improved = improve_velocity(system, t, Q, V, P);
    r.V = improved.x, r.pivot = X(improved.ok ? 1.0 : -1.0);
    r.F = LagrangianAt<Sys, X, Need::slopes>(system, t, Q).jet(r.V).Lq;
  }
  if constexpr (HasForce<Sys>)
    if (is_forced(system)) r.F = r.F + system.force(t, Q, r.V);
  return r;
}

// `n` coordinates are the system's; what only its type has stays at zero.
template <SystemStruct Sys, class X>
[[gnu::always_inline]] inline void stage_slopes(const Sys& system, int n, const StageRows& rows) {
  constexpr int N = Sys::dim, row = StageRows::row;
  if constexpr (!requires { system.coordinate_count(); }) n = N;
  for (int i = 0; i < rows.length; i += X::width) {
    Vector<X, N> Q, P, V;
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) {
      const int at = k * row + i;
      Q[k] = k < n ? X::load(rows.Q + at) : X(0.0), P[k] = k < n ? X::load(rows.P + at) : X(0.0);
      V[k] = k < n ? X::load(rows.guess + at) : X(0.0);
    }
    const auto slopes = pack_slopes<Sys, X>(system, X::load(rows.t + i), Q, P, V);
#pragma GCC unroll 8
    for (int k = 0; k < n; ++k)
      slopes.V[k].store(rows.V + k * row + i), slopes.F[k].store(rows.F + k * row + i);
    slopes.pivot.store(rows.pivot + i);
  }
}

// Everything below inlined, so that it is compiled for the wider registers too; neither cloned nor inlined
// itself, or g++ 12 forgets about that.
template <SystemStruct Sys>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] void slopes_of_four(
    const Sys& system, int n, const StageRows& rows) {
  stage_slopes<Sys, Pack<4>>(system, n, rows);
}
template <SystemStruct Sys>
[[gnu::flatten, gnu::noclone, gnu::noinline]] void slopes_of_two(const Sys& system, int n,
                                                                 const StageRows& rows) {
  stage_slopes<Sys, Pack<2>>(system, n, rows);
}

}  // namespace detail

}  // namespace carom
