// Steps of several runs side by side, one in each lane of a pack, as long as nothing happens to any of them:
// explicit flows of one system of constant mass, from many starts. Each lane gets, bit for bit, what
// flow_step(), Accounts and OpenGaps would give it alone; a step that they would look at twice is not taken.
// What one step shares with the next (the potential at its end) and with the ledger is evaluated once.
// Tested in tests/laws/packed_runs_test.cpp.
#pragma once

#include <vector>

#include "carom/ledger.hpp"
#include "carom/shadow.hpp"
#include "exact_pack.hpp"

namespace carom {

// Nodes at the ends only, in all substeps: what explicit_step() takes.
inline bool is_explicit(const Flow& flow) {
  for (const Substep& substep : flow.substeps) {
    const Rule* rule = std::get_if<Rule>(&substep.block);
    if (!rule || !rule->ends_only()) return false;
  }
  return true;
}

// Whether the steps of a run can be taken in lanes. Formulas that lanes cannot follow say so themselves.
template <System Sys>
bool fits_packs(const Sys& system, const Flow& flow) {
  if constexpr (!ConstantMass<Sys> && !OwnDerivatives<Sys>) return false;
  if constexpr (requires { system.fits_packs(); })
    if (!system.fits_packs()) return false;
  return is_explicit(flow) && has_constant_mass(system) && !is_forced(system) && joint_count(system) == 0;
}

namespace detail {

// Constancy and Slope of the ledger, over packs.
template <class X>
struct PackedConstancy {
  X initial, final, max_abs_error;
  void add(const X& value) {
    final = value;
    max_abs_error = max(max_abs_error, abs(value - initial));
  }
  void each(auto&& f) { f(initial), f(final), f(max_abs_error); }
  void swap_lane(Constancy& with, auto&& swap) {
    swap(initial, with.initial), swap(final, with.final), swap(max_abs_error, with.max_abs_error);
  }
};
template <class X>
struct PackedSlope {
  X count, mean_t, mean_y, sum_tt, sum_ty;
  void add(const X& t, const X& y) {
    count += 1.0;
    const X dt = t - mean_t;
    mean_t += dt / count;
    mean_y += (y - mean_y) / count;
    sum_tt += dt * (t - mean_t);
    sum_ty += dt * (y - mean_y);
  }
  void each(auto&& f) { f(count), f(mean_t), f(mean_y), f(sum_tt), f(sum_ty); }
  void swap_lane(Slope& with, auto&& swap) {
    X* own[] = {&count, &mean_t, &mean_y, &sum_tt, &sum_ty};
    int k = 0;
    with.numbers([&](double& number) { swap(*own[k++], number); });
  }
};

}  // namespace detail

// The lanes: states, where on the grid they are, and their ledgers. X is an ExactPack.
template <System Sys, class X>
class PackedSteps {
  static constexpr int N = Sys::dim;
  using Mask = typename X::Mask;

 public:
  static constexpr int width = X::width;

  // `walls`: gaps are held against stays_open(); otherwise they need only be open at grid points. `moving`:
  // a step that changes nothing is not taken.
  PackedSteps(const Sys& sys, const SteadyFlow& f, const Grid& g, bool walls, bool moving)
      : system(sys), flow(f), grid(g), has_walls(walls), must_move(moving), mass(detail::constant_mass(sys)) {
    factors = mass;
    regular = detail::factor_ldlt(factors);
  }

  bool ok() const { return regular; }

  // Puts a run into a lane, or takes it out.
  void put(int i, std::int64_t n, const State<double, Eigen::Dynamic>& z, Accounts& ledger) {
    const auto in = [i](X& own, double& with) { own.lanes[i] = with; };
    steps.lanes[i] = static_cast<double>(n);
    for (int k = 0; k < N; ++k) {  // what only the type has stays at zero
      now.q[k].lanes[i] = k < z.q.size() ? z.q[k] : 0;
      now.p[k].lanes[i] = k < z.p.size() ? z.p[k] : 0;
    }
    momenta.resize(ledger.momenta.size());
    swap_lane(ledger, in);
  }
  void take(int i, std::int64_t& n, State<double, Eigen::Dynamic>& z, Accounts& ledger) {
    const auto out = [i](X& own, double& with) { with = own[i]; };
    n = at(i);
    for (int k = 0; k < z.q.size(); ++k) z.q[k] = now.q[k][i], z.p[k] = now.p[k][i];
    swap_lane(ledger, out);
    ledger.H = ledger.energy.final;
  }

  void copy(int from, int to) {
    const auto across = [=](X& x) { x.lanes[to] = x.lanes[from]; };
    across(steps), across(smallest_gap), energies.each(across), drift.each(across);
    for (int k = 0; k < N; ++k) across(now.q[k]), across(now.p[k]);
    for (auto& momentum : momenta) momentum.each(across);
  }
  std::int64_t at(int i) const { return static_cast<std::int64_t>(steps[i]); }

  // Takes up to `most` steps, all lanes together, and stops where some lane has to be stepped alone: answers
  // which, lane i by bit i, or 0.
  [[gnu::always_inline]] inline unsigned advance(std::int64_t most) {
    At here = look(now);
    for (std::int64_t k = 0; k < most; ++k) {
      At next = stepped(here);
      const X H = energy(next);
      const auto gaps = plain_gaps(next.z.q);
      const Mask fine = accepted(here, next, H, gaps);
      if (!all(fine)) [[unlikely]]
        return others(fine);
      steps += 1.0;
      add_to_ledgers(next, H, gaps);
      here = next;
      now = next.z;
    }
    return 0;
  }

 private:
  template <class S>
  using Gaps = decltype(std::declval<const Sys&>().gaps(std::declval<const Vector<S, N>&>()));
  struct NoGaps {
    int size() const { return 0; }
  };
  template <class S>
  static auto gaps_type() {
    if constexpr (HasGaps<Sys>)
      return std::type_identity<Gaps<S>>{};
    else
      return std::type_identity<NoGaps>{};
  }
  using PlainGaps = typename decltype(gaps_type<X>())::type;
  using MovingGaps = typename decltype(gaps_type<Dual<X, 1>>())::type;

  // What is known of a point.
  struct At {
    State<X, N> z;
    Vector<X, N> v;
    WithGradient<X, N> V;  // as far as the flow, or the energy, looks at it here
    bool has_V = false;
    MovingGaps gaps;
  };

  [[gnu::always_inline]] inline Vector<X, N> velocity_of(const Vector<X, N>& p) const {
    return detail::solve_ldlt(factors, p);
  }
  [[gnu::always_inline]] inline WithGradient<X, N> potential_at(const Vector<X, N>& q) const {
    return detail::potential_slope(system, q);
  }
  [[gnu::always_inline]] inline void look_at_gaps(At& at) const {
    at.v = velocity_of(at.z.p);
    if constexpr (OwnDerivatives<Sys>) at.v = at.v + Vector<X, N>::Constant(X(0.0));  // as velocity() does
    if constexpr (HasGaps<Sys>)
      if (has_walls) {
        Vector<Dual<X, 1>, N> x;
        for (int i = 0; i < N; ++i) x[i].a = at.z.q[i], x[i].d[0] = at.v[i];
        at.gaps = system.gaps(x);
      }
  }
  [[gnu::always_inline]] inline At look(const State<X, N>& z) const {
    At at;
    at.z = z;
    look_at_gaps(at);
    return at;
  }

  // flow_step() of explicit steps.
  [[gnu::always_inline]] inline At stepped(const At& from) const {
    At at;
    at.z = from.z, at.V = from.V, at.has_V = from.has_V;
    for (const Substep& substep : flow.forward.substeps) {
      const double h = flow.h * substep.fraction;
      double b0 = 0, b1 = 0;
      for (const Node& node : *std::get_if<Rule>(&substep.block)) (node.c == 0 ? b0 : b1) += node.b;
      if (b0 != 0) {
        if (!at.has_V) at.V = potential_at(at.z.q);
        at.z.p = at.z.p - at.V.gradient * X(h * b0);
      }
      at.z.q = at.z.q + velocity_of(at.z.p) * X(h);
      at.has_V = b1 != 0;
      if (b1 != 0) {
        at.V = potential_at(at.z.q);
        at.z.p = at.z.p - at.V.gradient * X(h * b1);
      }
    }
    look_at_gaps(at);
    return at;
  }

  // hamiltonian().
  [[gnu::always_inline]] inline X energy(At& at) const {
    if constexpr (OwnDerivatives<Sys>) {
      const auto jet = system.template jet<Need::slopes>(at.z.q, at.v);
      return dot(at.v, jet.Lv) - jet.L;
    } else {
      if (!at.has_V) at.V = potential_at(at.z.q), at.has_V = true;
      const X twice = twice_kinetic(at.v);
      return twice - (0.5 * twice - at.V.value);
    }
  }
  // Sums of more than two terms Eigen adds in an order of its own, which depends on the scalar: one by one.
  [[gnu::always_inline]] static inline X dot(const Vector<X, N>& a, const Vector<X, N>& b) {
    if constexpr (N <= 2) return a.dot(b);
    X r;
    for (int i = 0; i < width; ++i) r.lanes[i] = lane(a, i).dot(lane(b, i));
    return r;
  }
  [[gnu::always_inline]] inline X twice_kinetic(const Vector<X, N>& v) const {
    if constexpr (N <= 2) return dot(v, mass.template cast<X>() * v);
    X r;
    for (int i = 0; i < width; ++i) {
      const Vector<double, N> u = lane(v, i), p = mass * u;
      r.lanes[i] = u.dot(p);
    }
    return r;
  }
  [[gnu::always_inline]] static inline Vector<double, N> lane(const Vector<X, N>& x, int i) {
    Vector<double, N> r;
    for (int k = 0; k < N; ++k) r[k] = x[k][i];
    return r;
  }
  [[gnu::always_inline]] inline PlainGaps plain_gaps(const Vector<X, N>& q) const {
    if constexpr (HasGaps<Sys>)
      return system.gaps(q);
    else
      return {};
  }

  // Everything finite, every gap open.
  [[gnu::always_inline]] inline Mask accepted(const At& from, const At& to, const X& H,
                                              const PlainGaps& gaps) const {
    Mask fine = abs(H) < X(HUGE_VAL);
    for (int i = 0; i < N; ++i)  // far from where sums overflow
      fine = fine & (abs(to.z.q[i]) + abs(to.z.p[i]) < X(1e100));
    if constexpr (HasGaps<Sys>) {
      for (int i = 0; i < gaps.size(); ++i) fine = fine & (gaps[i] > X(0.0)) & (gaps[i] < X(HUGE_VAL));
      if (has_walls)
        for (int i = 0; i < to.gaps.size(); ++i)
          fine = fine & clearly_open(from.gaps[i].a, from.gaps[i].d[0] * flow.h, to.gaps[i].a,
                                     to.gaps[i].d[0] * flow.h);
    }
    if (must_move) {
      Mask moved = to.z.q[0] != from.z.q[0];
      for (int i = 0; i < N; ++i) moved = moved | (to.z.q[i] != from.z.q[i]) | (to.z.p[i] != from.z.p[i]);
      fine = fine & moved;
    }
    return fine;
  }
  // Where this holds, stays_open() does: the cubic lies above its control points g0 + r0/3 and g1 - r1/3, the
  // tangents meet above g0 + r0 or g1, and a tenth is more than the eleventh that is asked for. Rates are
  // bounded so that rounding cannot make up the difference.
  [[gnu::always_inline]] static inline Mask clearly_open(const X& g0, const X& r0, const X& g1, const X& r1) {
    const X high = max(g0, g1), low = min(min(g0, g1), min(g0 + r0, g1 - r1));
    return (low > 0.1 * high) & (r0 < 1e6 * high) & (r1 > -1e6 * high);
  }
  static unsigned others(const Mask& fine) {
    unsigned r = 0;
    for (int i = 0; i < width; ++i) r |= fine.lanes[i] ? 0u : 1u << i;
    return r;
  }

  [[gnu::always_inline]] inline void add_to_ledgers(const At& at, const X& H, const PlainGaps& gaps) {
    energies.add(H);
    drift.add(X(grid.start) + steps * X(grid.step), H - energies.initial);
    if constexpr (HasGaps<Sys>)
      for (int i = 0; i < gaps.size(); ++i) smallest_gap = min(smallest_gap, gaps[i]);
    std::size_t k = 0;
    const auto add = [&](const char*, const X& value) { momenta[k++].add(value); };
    if constexpr (requires { system.momenta_at(at.z.q, at.v, add); })
      system.momenta_at(at.z.q, at.v, add);
    else if constexpr (HasMomenta<Sys>)
      system.momenta(at.z.q, at.z.p, add);
  }
  void swap_lane(Accounts& ledger, auto&& swap) {
    energies.swap_lane(ledger.energy, swap), drift.swap_lane(ledger.drift, swap);
    swap(smallest_gap, ledger.smallest_gap);
    for (std::size_t k = 0; k < momenta.size(); ++k) momenta[k].swap_lane(ledger.momenta[k], swap);
  }

  const Sys& system;
  const SteadyFlow& flow;
  Grid grid;
  bool has_walls, must_move, regular;
  Matrix<double, N> mass, factors;
  State<X, N> now;
  X steps;
  detail::PackedConstancy<X> energies;
  detail::PackedSlope<X> drift;
  X smallest_gap;
  std::vector<detail::PackedConstancy<X>> momenta;
};

}  // namespace carom
