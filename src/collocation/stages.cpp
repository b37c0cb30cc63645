#include "stages.hpp"

#include "carom/numerics/pack.hpp"

namespace carom {
namespace {

// The largest lane; what is not a number counts for nothing.
template <int W>
[[gnu::always_inline]] inline double largest_lane(const Pack<W>& x) {
  double r = x[0];
  for (int i = 1; i < W; ++i) r = x[i] > r ? x[i] : r;
  return r;
}
template <int W>
[[gnu::always_inline]] inline double sum_of_lanes(const Pack<W>& x) {
  double r = x[0];
  for (int i = 1; i < W; ++i) r += x[i];
  return r;
}

// Changes and sizes of the slopes over one sweep, coordinate by coordinate. What is not a number is not kept
// by max().
struct SlopeChange {
  double change = 0, size = 0;
};
using SlopeChanges = std::array<SlopeChange, most_staged_coordinates>;

// The largest change relative to what changes; or, where a coordinate is too small to be known so well beside
// the others, to `floor` of the largest.
inline double relative_change(const SlopeChanges& slopes, const StageUnits& units,
                              const StageUnits::Factors& by, const StageUnits::Factors& back, int n,
                              double floor) {
  StageUnits::Factors largest;
  units.find_largest(
      n, by, back, [&slopes](int k) { return slopes[k].size; }, largest);
  double r = 0;
  for (int k = 0; k < n; ++k) {
    const double size = slopes[k].size > floor * largest[k] ? slopes[k].size : floor * largest[k];
    const double change = size > 0 ? slopes[k].change / size : slopes[k].change > 0;
    r = change > r ? change : r;
  }
  return r;
}

template <class X>
struct SweepSize {
  SlopeChanges v, f;
  X pivot = X(1.0);

  bool positive() const { return largest_lane(-pivot) < 0; }
};

// Σ w_ij K_j for all stages i, of one coordinate.
template <class X, int packs>
[[gnu::always_inline]] inline void weigh_slopes(const StageTable& table, const StageTable::Weights& w,
                                                const StageTable::Row& K, X (&sum)[packs]) {
  constexpr int W = X::width;
  X odd[packs];  // two sums, so that additions need not wait for each other
  for (int i = 0; i < packs; ++i)
    sum[i] = X::load(&w[0][i * W]) * X(K[0]), odd[i] = X::load(&w[1][i * W]) * X(K[1]);
  for (int j = 2; j < table.stages; j += 2) {
    const X here(K[j]), next(K[j + 1]);
    for (int i = 0; i < packs; ++i) {
      sum[i] = sum[i] + X::load(&w[j][i * W]) * here;
      odd[i] = odd[i] + X::load(&w[j + 1][i * W]) * next;
    }
  }
  for (int i = 0; i < packs; ++i) sum[i] = sum[i] + odd[i];
}

// z0 + h Σ a_ij K_j
template <class X, int packs>
[[gnu::always_inline]] inline void sum_slopes(const StageTable& table, double z0, double h,
                                              const StageTable::Row& K, StageTable::Row& Z) {
  X sum[packs];
  weigh_slopes<X, packs>(table, table.a, K, sum);
  for (int i = 0; i < packs; ++i) (X(z0) + X(h) * sum[i]).store(&Z[i * X::width]);
}

// Loops over coordinates are written out where there are few: N of them, or any number where N is 0.
template <int N>
[[gnu::always_inline]] inline int coordinates(int n) {
  return N > 0 ? N : n;
}

template <class X, int packs, int N>
[[gnu::always_inline]] inline void carry_rows(const StageTable& table, const StageSlopes& last,
                                              const StageSlopes& next) {
  X V[packs], F[packs];
  for (int k = 0; k < coordinates<N>(last.n); ++k) {
    weigh_slopes<X, packs>(table, table.onward, last.V[k], V);
    weigh_slopes<X, packs>(table, table.onward, last.F[k], F);
    for (int i = 0; i < packs; ++i)
      V[i].store(&next.V[k][i * X::width]), F[i].store(&next.F[k][i * X::width]);
  }
}

// Where one sweep has its stages.
struct SweepMemory {
  using Rows = std::array<StageTable::Row, most_staged_coordinates>;
  alignas(32) Rows Q, P, V, F;
  alignas(32) StageTable::Row t, pivot;
};

template <class X, int packs>
[[gnu::always_inline]] inline StageRows rows_of(const StageTable& table, const StageSlopes& values,
                                                SweepMemory& m) {
  return {table.stages,  packs * X::width,   X::width,      m.t.data(),    m.Q[0].data(),
          m.P[0].data(), values.V[0].data(), m.V[0].data(), m.F[0].data(), m.pivot.data()};
}

template <class X, int packs>
[[gnu::always_inline]] inline SlopeChange replace_slopes(const StageTable::Row& by, StageTable::Row& old) {
  X change = X(0.0), size = X(0.0);
  for (int i = 0; i < packs; ++i) {
    const X K = X::load(&by[i * X::width]);
    change = max(change, abs(K - X::load(&old[i * X::width]))), size = max(size, abs(K));
    K.store(&old[i * X::width]);
  }
  return {largest_lane(change), largest_lane(size)};
}

template <class X, int packs, int N>
[[gnu::always_inline]] inline SweepSize<X> sweep_stages(const System& system, const StageTable& table,
                                                        const StageProblem& p, const StageSlopes& values,
                                                        SweepMemory& m, const StageRows& rows) {
  constexpr int W = X::width;
  const int n = coordinates<N>(values.n);
  for (int k = 0; k < n; ++k) {
    sum_slopes<X, packs>(table, p.q[k], p.h, values.V[k], m.Q[k]);
    sum_slopes<X, packs>(table, p.p[k], p.h, values.F[k], m.P[k]);
  }
  for (int i = 0; i < packs; ++i) (X(p.t) + X(p.h) * X::load(&table.c[i * W])).store(&m.t[i * W]);
  system.stage_slopes(rows);
  SweepSize<X> size;
  for (int i = 0; i < packs; ++i) size.pivot = min(size.pivot, X::load(&m.pivot[i * W]));
  for (int k = 0; k < n; ++k) {
    size.v[k] = replace_slopes<X, packs>(m.V[k], values.V[k]);
    size.f[k] = replace_slopes<X, packs>(m.F[k], values.F[k]);
  }
  return size;
}

template <class X, int packs>
[[gnu::always_inline]] inline bool all_finite(const StageSlopes& values) {
  X sum = X(0.0);
  for (int k = 0; k < values.n; ++k)
    for (int i = 0; i < packs; ++i)
      sum = sum + (X::load(&values.V[k][i * X::width]) + X::load(&values.F[k][i * X::width]));
  return 0 * sum_of_lanes(sum) == 0;
}

// Sweeps until they stand still.
template <class X, int packs, int N>
[[gnu::always_inline]] inline Outcome iterate(const System& system, const StageTable& table, StageProblem& p,
                                              const StageSlopes& values, const LengthRule* rule) {
  constexpr int most_sweeps = 60;
  constexpr double good_enough = 1e-11;
  SweepMemory memory;
  const StageUnits& units = *p.units;
  const StageRows rows = rows_of<X, packs>(table, values, memory);
  const double floor = rounding_of_slopes / p.tolerance;
  const int n = coordinates<N>(values.n);
  double change = HUGE_VAL, previous = HUGE_VAL, earlier = HUGE_VAL;
  int rises = 0;
  for (int i = 1; i <= most_sweeps; ++i) {
    const auto size = sweep_stages<X, packs, N>(system, table, p, values, memory, rows);
    const double of_v = relative_change(size.v, units, units.v, units.f, n, floor),
                 of_f = relative_change(size.f, units, units.f, units.v, n, floor);
    change = of_v > of_f ? of_v : of_f;
    if (rule) {
      const double of_length = rule->correct(p.h);
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
      if (!all_finite<X, packs>(values)) return {Status::not_finite, change, i};
      return {size.positive() ? Status::ok : Status::singular, change, i};
    }
    if (change > earlier && ++rises == 3) break;
    earlier = previous, previous = change;
  }
  return {Status::no_convergence, change, most_sweeps};
}

// As in stage_slopes.hpp: all inlined, so that it is compiled for the wider registers.
template <int packs, int N>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] Outcome iterate_four_lanes(
    const System& system, const StageTable& table, StageProblem& p, const StageSlopes& values,
    const LengthRule* rule) {
  return iterate<Pack<4>, packs, N>(system, table, p, values, rule);
}
template <int packs>
[[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] void carry_four_lanes(
    const StageTable& table, const StageSlopes& last, const StageSlopes& next) {
  carry_rows<Pack<4>, packs, 0>(table, last, next);
}
template <int packs>
Outcome iterate_by_size(const System& system, const StageTable& table, StageProblem& p,
                        const StageSlopes& values, const LengthRule* rule) {
  if (values.n == 1) return iterate_four_lanes<packs, 1>(system, table, p, values, rule);
  if (values.n == 2) return iterate_four_lanes<packs, 2>(system, table, p, values, rule);
  return iterate_four_lanes<packs, 0>(system, table, p, values, rule);
}

}  // namespace

void carry_stages(const StageTable& table, const StageSlopes& last, const StageSlopes& next, int lanes) {
  const bool few = table.stages <= 4;
  if (lanes == 4)
    return few ? carry_four_lanes<1>(table, last, next) : carry_four_lanes<2>(table, last, next);
  return few ? carry_rows<Pack<2>, 2, 0>(table, last, next) : carry_rows<Pack<2>, 4, 0>(table, last, next);
}

Outcome iterate_stages(const System& system, const StageTable& table, StageProblem& p,
                       const StageSlopes& values, int lanes, const LengthRule* rule) {
  const bool few = table.stages <= 4;
  if (lanes == 4)
    return few ? iterate_by_size<1>(system, table, p, values, rule)
               : iterate_by_size<2>(system, table, p, values, rule);
  return few ? iterate<Pack<2>, 2, 0>(system, table, p, values, rule)
             : iterate<Pack<2>, 4, 0>(system, table, p, values, rule);
}

}  // namespace carom
