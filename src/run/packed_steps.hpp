// Steps of several runs side by side, one in each lane of a pack, as long as nothing happens to any of them:
// explicit flows of one system of constant mass, from many starts. Each lane gets, bit for bit, what the
// steppers, the ledger and OpenContacts would give it alone; a step that they would look at twice is not
// taken. What one step shares with the next (the potential at its end) and with the ledger is evaluated once.
// Tested in tests/laws/packed_runs_test.cpp.
#pragma once

#include <array>
#include <vector>

#include "carom/flow/flow.hpp"
#include "carom/numerics/exact_pack.hpp"
#include "carom/numerics/linear.hpp"
#include "carom/run/ledger.hpp"

namespace carom {

// Nodes at the ends only, in all substeps: what explicit steps are made of.
inline bool is_explicit(const Flow& flow) {
  for (const Substep& substep : flow.substeps) {
    const Rule* rule = std::get_if<Rule>(&substep.block);
    if (!rule || !rule->ends_only()) return false;
  }
  return true;
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

inline constexpr int most_packed_coordinates = 16, most_packed_gaps = 64;

// The lanes: states, where on the grid they are, and their ledgers. X is an ExactPack.
template <class X>
class PackedSteps {
  using Mask = typename X::Mask;
  using Rows = std::array<X, most_packed_coordinates>;

 public:
  static constexpr int width = X::width;

  // `walls`: gaps are held against stays_open(); otherwise they need only be open at grid points. `moving`:
  // a step that changes nothing is not taken.
  PackedSteps(const System& m, const SteadyFlow& f, const Grid& g, bool walls, bool moving)
      : system(m),
        n(m.size()),
        gap_count(m.contact_count()),
        flow(f),
        grid(g),
        has_walls(walls && gap_count > 0),
        must_move(moving),
        factors(n, n),
        u(n),
        Lu(n) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> mass(n, n);
    system.mass(mass.data());
    factors = mass;
    regular = detail::factor_ldlt(factors);
    for (int i = 0; i < n; ++i) inverse[i] = 1.0 / factors(i, i);
  }

  bool ok() const { return regular; }

  // Puts a run into a lane, or takes it out.
  void put(int i, std::int64_t at, const Phase& z, Accounts& ledger) {
    const auto in = [i](X& own, double& with) { own.lanes[i] = with; };
    steps.lanes[i] = static_cast<double>(at);
    for (int k = 0; k < n; ++k) now->q[k].lanes[i] = z.q[k], now->p[k].lanes[i] = z.p[k];
    momenta.resize(ledger.momenta.size()), momenta_now.resize(ledger.momenta.size());
    swap_lane(ledger, in);
  }
  void take(int i, std::int64_t& at, Phase& z, Accounts& ledger) {
    const auto out = [i](X& own, double& with) { with = own[i]; };
    at = this->at(i);
    for (int k = 0; k < n; ++k) z.q[k] = now->q[k][i], z.p[k] = now->p[k][i];
    swap_lane(ledger, out);
    ledger.H = ledger.energy.final;
  }

  void copy(int from, int to) {
    const auto across = [=](X& x) { x.lanes[to] = x.lanes[from]; };
    across(steps), across(smallest_gap), energies.each(across), drift.each(across);
    for (int k = 0; k < n; ++k) across(now->q[k]), across(now->p[k]);
    for (auto& momentum : momenta) momentum.each(across);
  }
  std::int64_t at(int i) const { return static_cast<std::int64_t>(steps[i]); }

  // Takes up to `most` steps, all lanes together, and stops where some lane has to be stepped alone: answers
  // which, lane i by bit i, or 0.
  [[gnu::always_inline]] inline unsigned advance(std::int64_t most) {
    now->has_V = false;
    for (int i = 0; i < n; ++i) now->v[i] = now->p[i];
    solve_mass(now->v);
    if (has_walls) look(*now);
    for (std::int64_t k = 0; k < most; ++k) {
      step();
      look(*next);
      const X H = energy(*next);
      const Mask fine = accepted(*now, *next, H);
      if (!all(fine)) [[unlikely]]
        return others(fine);
      steps += 1.0;
      add_to_ledgers(*next, H);
      std::swap(now, next);
    }
    return 0;
  }

 private:
  // What is known of a point.
  struct At {
    Rows q, p, v, Lv;
    std::array<X, 1 + most_packed_coordinates> V_Vq;  // where has_V
    bool has_V = false;
    X L;
    std::array<X, most_packed_gaps> gap, moving_gap, rate;
  };

  static double* numbers(X* x) { return reinterpret_cast<double*>(x); }
  static const double* numbers(const X* x) { return reinterpret_cast<const double*>(x); }

  // M^-1 p in place of p, as solve_ldlt() does it.
  [[gnu::always_inline]] inline void solve_mass(Rows& b) const {
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < i; ++j) b[i] = b[i] - b[j] * X(factors(i, j));
    for (int i = 0; i < n; ++i) b[i] = b[i] * X(inverse[i]);
    for (int i = n - 2; i >= 0; --i)
      for (int j = i + 1; j < n; ++j) b[i] = b[i] - b[j] * X(factors(j, i));
  }
  [[gnu::always_inline]] inline void find_potential(At& at) const {
    if (!at.has_V) system.lane_potential(width, numbers(at.q.data()), numbers(at.V_Vq.data()));
    at.has_V = true;
  }
  [[gnu::always_inline]] inline void kick(At& at, double h) const {
    find_potential(at);
    for (int i = 0; i < n; ++i) at.p[i] = at.p[i] - at.V_Vq[1 + i] * X(h);
  }
  [[gnu::always_inline]] inline void drift_by(At& at, double h) const {
    for (int i = 0; i < n; ++i) at.v[i] = at.p[i];
    solve_mass(at.v);
    for (int i = 0; i < n; ++i) at.q[i] = at.q[i] + at.v[i] * X(h);
    at.has_V = false;
  }

  // The step of the flow from *now to *next, in explicit steps.
  [[gnu::always_inline]] inline void step() {
    At& at = *next;
    for (int i = 0; i < n; ++i) at.q[i] = now->q[i], at.p[i] = now->p[i];
    at.has_V = now->has_V;
    if (at.has_V)
      for (int i = 0; i <= n; ++i) at.V_Vq[i] = now->V_Vq[i];
    for (const Substep& substep : flow.forward.substeps) {
      const double h = flow.h * substep.fraction;
      double b0 = 0, b1 = 0;
      for (const Node& node : *std::get_if<Rule>(&substep.block)) (node.c == 0 ? b0 : b1) += node.b;
      if (b0 != 0) kick(at, h * b0);
      drift_by(at, h);
      if (b1 != 0) kick(at, h * b1);
    }
    for (int i = 0; i < n; ++i) at.v[i] = at.p[i];
    solve_mass(at.v);
  }
  [[gnu::always_inline]] inline void look(At& at) {
    find_potential(at);
    system.lane_look({width, numbers(at.q.data()), numbers(at.p.data()), numbers(at.v.data()),
                      numbers(at.V_Vq.data()), numbers(&at.L), numbers(at.Lv.data()), numbers(at.gap.data()),
                      has_walls ? numbers(at.moving_gap.data()) : nullptr, numbers(at.rate.data()),
                      numbers(momenta_now.data())});
  }

  // System::hamiltonian(); of more than two terms lane by lane, since Eigen has an order of its own.
  [[gnu::always_inline]] inline X energy(const At& at) {
    if (n == 1) return at.v[0] * at.Lv[0] - at.L;
    if (n == 2) return at.v[0] * at.Lv[0] + at.v[1] * at.Lv[1] - at.L;
    X r;
    for (int i = 0; i < width; ++i) {
      for (int k = 0; k < n; ++k) u[k] = at.v[k][i], Lu[k] = at.Lv[k][i];
      r.lanes[i] = u.dot(Lu);
    }
    return r - at.L;
  }

  // Everything finite, every gap open.
  [[gnu::always_inline]] inline Mask accepted(const At& from, const At& to, const X& H) const {
    Mask fine = abs(H) < X(largest_number);
    for (int i = 0; i < n; ++i) fine = fine & (abs(to.q[i]) + abs(to.p[i]) < X(largest_number));
    for (int i = 0; i < gap_count; ++i) fine = fine & (to.gap[i] > X(0.0)) & (to.gap[i] < X(HUGE_VAL));
    if (has_walls)
      for (int i = 0; i < gap_count; ++i)
        fine = fine & clearly_open(from.moving_gap[i], from.rate[i] * X(flow.h), to.moving_gap[i],
                                   to.rate[i] * X(flow.h));
    if (must_move) {
      Mask moved = to.q[0] != from.q[0];
      for (int i = 0; i < n; ++i) moved = moved | (to.q[i] != from.q[i]) | (to.p[i] != from.p[i]);
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

  [[gnu::always_inline]] inline void add_to_ledgers(const At& at, const X& H) {
    energies.add(H);
    drift.add(X(grid.start) + steps * X(grid.step), H - energies.initial);
    for (int i = 0; i < gap_count; ++i) smallest_gap = min(smallest_gap, at.gap[i]);
    for (std::size_t k = 0; k < momenta.size(); ++k) momenta[k].add(momenta_now[k]);
  }
  void swap_lane(Accounts& ledger, auto&& swap) {
    energies.swap_lane(ledger.energy, swap), drift.swap_lane(ledger.drift, swap);
    swap(smallest_gap, ledger.smallest_gap);
    for (std::size_t k = 0; k < momenta.size(); ++k) momenta[k].swap_lane(ledger.momenta[k], swap);
  }

  const System& system;
  int n, gap_count;
  const SteadyFlow& flow;
  Grid grid;
  bool has_walls, must_move, regular;
  Eigen::MatrixXd factors;
  std::array<double, most_packed_coordinates> inverse;
  Values u, Lu;  // of one lane
  At points[2];
  At *now = &points[0], *next = &points[1];
  X steps;
  detail::PackedConstancy<X> energies;
  detail::PackedSlope<X> drift;
  X smallest_gap;
  std::vector<detail::PackedConstancy<X>> momenta;
  std::vector<X> momenta_now;
};

}  // namespace carom
