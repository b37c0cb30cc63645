// All stages of a Gauss step, iterated together in structure-of-arrays form: coordinates are rows, stages run
// along the lanes of packs, two at a time on every machine and four where it has AVX2. The same bits either
// way: lanes never mix, and sums over stages are taken one stage after the other.
//
//   Q_i = q0 + h Σ a_ij V_j,  P_i = p0 + h Σ a_ij F_j,  V_i = v(Q_i, P_i),  F_i = ∂L/∂q(Q_i, V_i) + force
//
// Sweeps end when the change that the next one would make is below the tolerance; the length h may be an
// unknown, corrected after every sweep (a step that ends on a wall). Tested in
// tests/laws/collocation_test.cpp.
#pragma once

#include "carom/collocation/stage_slopes.hpp"
#include "carom/collocation/stage_table.hpp"

namespace carom {

template <int N>
struct StageValues {
  alignas(32) std::array<StageTable::Row, N> V{}, F{};

  // Σ w_j K_j
  static Vector<double, N> sum(const std::array<StageTable::Row, N>& K, const StageTable::Row& w,
                               int stages) {
    Vector<double, N> r;
    for (int k = 0; k < N; ++k) {
      r[k] = w[0] * K[k][0];
      for (int j = 1; j < stages; ++j) r[k] += w[j] * K[k][j];
    }
    return r;
  }
};

// A step to be solved for.
template <int N>
struct StageProblem {
  double t, h;
  State<double, N> z;
  double tolerance;  // of the slopes, relative to the largest
};

// Makes the length of a step an unknown: corrects it after every sweep, and answers by how much of itself.
template <int N>
struct LengthRule {
  virtual double correct(StageProblem<N>& p) const = 0;

 protected:
  ~LengthRule() = default;
};

namespace detail {

template <class X>
inline constexpr int lanes_of = 1;
template <int W>
inline constexpr int lanes_of<Pack<W>> = W;

template <class X>
[[gnu::always_inline]] inline X load(const double* from) {
  if constexpr (lanes_of<X> == 1)
    return *from;
  else
    return X(*reinterpret_cast<const typename LaneTypes<lanes_of<X>>::InMemory*>(from));
}
template <class X>
[[gnu::always_inline]] inline void store(const X& x, double* to) {
  if constexpr (lanes_of<X> == 1)
    *to = x;
  else
    *reinterpret_cast<typename LaneTypes<lanes_of<X>>::InMemory*>(to) = x.lanes;
}
// The largest lane; what is not a number counts for nothing.
template <class X>
[[gnu::always_inline]] inline double largest_lane(const X& x) {
  if constexpr (lanes_of<X> == 1) {
    return x;
  } else {
    double r = x[0];
    for (int i = 1; i < lanes_of<X>; ++i) r = x[i] > r ? x[i] : r;
    return r;
  }
}
template <class X>
[[gnu::always_inline]] inline double sum_of_lanes(const X& x) {
  if constexpr (lanes_of<X> == 1) {
    return x;
  } else {
    double r = x[0];
    for (int i = 1; i < lanes_of<X>; ++i) r += x[i];
    return r;
  }
}

// Changes and sizes of the slopes over one sweep. What is not a number is not kept by max().
template <class X>
struct SweepSize {
  X change_v = X(0.0), change_f = X(0.0), size_v = X(0.0), size_f = X(0.0), pivot = X(1.0);

  double relative() const {
    constexpr double tiny = 1e-300;
    const double v = largest_lane(change_v) / (largest_lane(size_v) + tiny);
    const double f = largest_lane(change_f) / (largest_lane(size_f) + tiny);
    return v > f ? v : f;
  }
  bool positive() const { return largest_lane(-pivot) < 0; }
};

// All of them, but of single doubles as many as there are stages.
template <class X, int packs>
[[gnu::always_inline]] inline int packs_in_use(const StageTable& table) {
  return lanes_of<X> == 1 ? table.stages : packs;
}

// Σ w_ij K_j for all stages i, of one coordinate.
template <class X, int packs>
[[gnu::always_inline]] inline void weigh_slopes(const StageTable& table, const StageTable::Weights& w,
                                                const StageTable::Row& K, X (&sum)[packs]) {
  constexpr int W = lanes_of<X>;
  const int count = packs_in_use<X, packs>(table);
  X odd[packs];  // two sums, so that additions need not wait for each other
  for (int i = 0; i < count; ++i)
    sum[i] = load<X>(&w[0][i * W]) * X(K[0]), odd[i] = load<X>(&w[1][i * W]) * X(K[1]);
  for (int j = 2; j < table.stages; j += 2) {
    const X here(K[j]), next(K[j + 1]);
    for (int i = 0; i < count; ++i) {
      sum[i] = sum[i] + load<X>(&w[j][i * W]) * here;
      odd[i] = odd[i] + load<X>(&w[j + 1][i * W]) * next;
    }
  }
  for (int i = 0; i < count; ++i) sum[i] = sum[i] + odd[i];
}

// z0 + h Σ a_ij K_j
template <class X, int packs>
[[gnu::always_inline]] inline void sum_slopes(const StageTable& table, double z0, double h,
                                              const StageTable::Row& K, X (&Z)[packs]) {
  weigh_slopes<X, packs>(table, table.a, K, Z);
  for (int i = 0; i < packs_in_use<X, packs>(table); ++i) Z[i] = X(z0) + X(h) * Z[i];
}

// The slopes of a step, carried on to the next of equal length.
template <int N, class X, int packs>
[[gnu::always_inline]] inline void carry_stages(const StageTable& table, const StageValues<N>& last,
                                                StageValues<N>& next) {
  X V[packs], F[packs];
  for (int k = 0; k < N; ++k) {
    weigh_slopes<X, packs>(table, table.onward, last.V[k], V);
    weigh_slopes<X, packs>(table, table.onward, last.F[k], F);
    for (int i = 0; i < packs_in_use<X, packs>(table); ++i)
      store(V[i], &next.V[k][i * lanes_of<X>]), store(F[i], &next.F[k][i * lanes_of<X>]);
  }
}

template <System Sys, class X, int packs>
[[gnu::always_inline]] inline SweepSize<X> sweep_stages(const Sys& system, const StageTable& table,
                                                        const StageProblem<Sys::dim>& p,
                                                        StageValues<Sys::dim>& values) {
  constexpr int N = Sys::dim;
  SweepSize<X> size;
  X Q[N][packs], P[N][packs];
  for (int k = 0; k < N; ++k) {
    sum_slopes<X, packs>(table, p.z.q[k], p.h, values.V[k], Q[k]);
    sum_slopes<X, packs>(table, p.z.p[k], p.h, values.F[k], P[k]);
  }
  for (int i = 0; i < packs_in_use<X, packs>(table); ++i) {
    const int first = i * lanes_of<X>;
    Vector<X, N> q, p_here, v;
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) q[k] = Q[k][i], p_here[k] = P[k][i], v[k] = load<X>(&values.V[k][first]);
    const auto slopes =
        stage_slopes<Sys, X>(system, X(p.t) + X(p.h) * load<X>(&table.c[first]), q, p_here, v);
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) {
      size.change_v = max(size.change_v, abs(slopes.V[k] - v[k]));
      size.change_f = max(size.change_f, abs(slopes.F[k] - load<X>(&values.F[k][first])));
      size.size_v = max(size.size_v, abs(slopes.V[k])), size.size_f = max(size.size_f, abs(slopes.F[k]));
      store(slopes.V[k], &values.V[k][first]), store(slopes.F[k], &values.F[k][first]);
    }
    size.pivot = min(size.pivot, slopes.pivot);
  }
  return size;
}

template <int N, class X, int packs>
[[gnu::always_inline]] inline bool all_finite(const StageTable& table, const StageValues<N>& values) {
  X sum = X(0.0);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < packs_in_use<X, packs>(table); ++i)
      sum = sum + (load<X>(&values.V[k][i * lanes_of<X>]) + load<X>(&values.F[k][i * lanes_of<X>]));
  return 0 * sum_of_lanes(sum) == 0;
}

// Sweeps until they stand still. adjust(p) corrects the length of the step and answers by how much of itself.
template <System Sys, class X, int packs>
[[gnu::always_inline]] inline Outcome iterate_stages(const Sys& system, const StageTable& table,
                                                     StageProblem<Sys::dim>& p, StageValues<Sys::dim>& values,
                                                     const LengthRule<Sys::dim>* adjust) {
  constexpr int most_sweeps = 60;
  constexpr double good_enough = 1e-11;
  double change = HUGE_VAL, previous = HUGE_VAL, earlier = HUGE_VAL;
  int rises = 0;
  for (int i = 1; i <= most_sweeps; ++i) {
    const auto size = sweep_stages<Sys, X, packs>(system, table, p, values);
    change = size.relative();
    if (adjust) {
      const double of_length = adjust->correct(p);
      change = of_length > change ? of_length : change;
    }
    if (!std::isfinite(change)) return {Status::not_finite, change, i};
    // What the next sweep would change, by the last two changes and by the last three: from rest V and F
    // settle in turns, so that every other change is small.
    const double by_two = change * (change / previous), by_three = previous * (change / earlier);
    const double next = by_two > by_three ? by_two : by_three;
    const bool settles = i > 1 && next < change && next <= p.tolerance;
    const bool stalls = change >= 0.9 * earlier && change <= good_enough;
    if (change <= p.tolerance || settles || stalls) {
      if (!all_finite<Sys::dim, X, packs>(table, values)) return {Status::not_finite, change, i};
      return {size.positive() ? Status::ok : Status::singular, change, i};
    }
    if (change > earlier && ++rises == 3) break;
    earlier = previous, previous = change;
  }
  return {Status::no_convergence, change, most_sweeps};
}

// Everything below inlined, so that it is compiled for the wider registers too; neither cloned nor inlined
// itself, or g++ 12 forgets about that.
template <System Sys, int packs>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] Outcome iterate_four_lanes(
    const Sys& system, const StageTable& table, StageProblem<Sys::dim>& p, StageValues<Sys::dim>& values,
    const LengthRule<Sys::dim>* adjust) {
  return iterate_stages<Sys, Pack<4>, packs>(system, table, p, values, adjust);
}
template <System Sys, int packs>
[[gnu::flatten, gnu::noclone, gnu::noinline]] Outcome iterate_two_lanes(const Sys& system,
                                                                        const StageTable& table,
                                                                        StageProblem<Sys::dim>& p,
                                                                        StageValues<Sys::dim>& values,
                                                                        const LengthRule<Sys::dim>* adjust) {
  return iterate_stages<Sys, Pack<2>, packs>(system, table, p, values, adjust);
}

template <int N, int packs>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] void carry_four_lanes(
    const StageTable& table, const StageValues<N>& last, StageValues<N>& next) {
  carry_stages<N, Pack<4>, packs>(table, last, next);
}

}  // namespace detail

// How many stages this machine iterates side by side.
inline int widest_lanes() {
  static const int lanes = __builtin_cpu_supports("avx2") ? 4 : 2;
  return lanes;
}

// The slopes of a step, carried on to the next of equal length.
template <int N>
void carry_stages(const StageTable& table, const StageValues<N>& last, StageValues<N>& next, int lanes) {
  using namespace detail;
  if (lanes == 4 && table.stages <= 4) return carry_four_lanes<N, 1>(table, last, next);
  if (lanes == 4) return carry_four_lanes<N, 2>(table, last, next);
  if (table.stages <= 4) return detail::carry_stages<N, Pack<2>, 2>(table, last, next);
  return detail::carry_stages<N, Pack<2>, 4>(table, last, next);
}

// Solves p for its slopes, from those in `values`; with a rule, for its length too.
template <System Sys>
Outcome iterate_stages(const Sys& system, const StageTable& table, StageProblem<Sys::dim>& p,
                       StageValues<Sys::dim>& values, int lanes, const LengthRule<Sys::dim>* rule = nullptr) {
  using namespace detail;
  if constexpr (!PackedSystem<Sys>) {
    return detail::iterate_stages<Sys, double, most_stages>(system, table, p, values, rule);
  } else if (lanes == 4) {
    if (table.stages <= 4) return iterate_four_lanes<Sys, 1>(system, table, p, values, rule);
    return iterate_four_lanes<Sys, 2>(system, table, p, values, rule);
  } else {
    if (table.stages <= 4) return iterate_two_lanes<Sys, 2>(system, table, p, values, rule);
    return iterate_two_lanes<Sys, 4>(system, table, p, values, rule);
  }
}

}  // namespace carom
