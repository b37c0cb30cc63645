// One Gauss step after the other along a smooth motion, each from a good start: the polynomial of the step
// before, carried on. Also a step whose length is the time to a contact, as one more unknown of the same
// iteration. Tested in tests/laws/collocation_test.cpp.
#pragma once

#include "carom/numerics/unit_of_mass.hpp"
#include "carom/system/sized_system.hpp"
#include "stages.hpp"

namespace carom {

template <int N>
class Collocation {
 public:
  using Slopes = std::array<StageTable::Row, N>;

  Collocation(const SizedSystem<N>& sys, int stages, int lanes_at_once)
      : system(sys), table(&stage_table(stages)), lanes(lanes_at_once), kinked(sys.any->has_kinks()) {
    const std::vector<int> units = sys.any->units_in_motion();
    for (int k = 0; k < N; ++k) in_units.unit[k] = k < sys.size() ? units[static_cast<std::size_t>(k)] : 0;
    for (int k = 0; k < N; ++k) in_units.one = in_units.one && in_units.unit[k] == 0;
    in_units.v.fill(1), in_units.f.fill(1);
  }

  const SizedSystem<N>& mechanics() const { return system; }
  int stages() const { return table->stages; }
  bool has_kinks() const { return kinked; }
  void forget() { known = false; }

  // Slopes to begin a step from: the last step's polynomial, where z is its end and the step not much longer
  // than that one; or the slope at z alone.
  bool prepare(double t, double h, const State<double, N>& z) {
    const double ratio = h / last_h;
    if (known && ratio < 2 && z.q == end.q && z.p == end.p) return carry_on(ratio), true;
    known = false;
    const auto here = rates(system, t, z);
    if (!measured) measure(t, z.q, here.q);
    for (int k = 0; k < N; ++k) now.V[k].fill(here.q[k]), now.F[k].fill(here.p[k]);
    return false;
  }

  // A step of length h, and one of about length h whose end closes gap i: its length is then length().
  Outcome solve(double t, double h, const State<double, N>& z, double tolerance) {
    return iterate(t, h, z, tolerance, nullptr);
  }
  Outcome solve_to_contact(int i, double t, double h, const State<double, N>& z, double tolerance) {
    const UpToContact rule(*this, i, t, h);
    return iterate(t, h, z, tolerance, &rule);
  }

  // Of the step as it stands, solved or only prepared.
  double length() const { return solved_h; }
  State<double, N> reached(double h, const State<double, N>& z) const {
    return {z.q + h * sum(now.V, table->b), z.p + h * sum(now.F, table->b)};
  }
  Vector<double, N> end_velocity() const { return sum(now.V, table->end); }

  // Stage i of the solved step.
  Vector<double, N> stage_q(int i) const {
    StageTable::Row w{};
    for (int j = 0; j < stages(); ++j) w[j] = table->a[j][i];
    return start.q + solved_h * sum(now.V, w);
  }
  Vector<double, N> stage_v(int i) const {
    Vector<double, N> r;
    for (int k = 0; k < N; ++k) r[k] = now.V[k][i];
    return r;
  }
  double node(int i) const { return table->c[i]; }
  double weight(int i) const { return table->b[i]; }

  // The solved step becomes the one that the next carries on; it ended at z.
  void accept(const State<double, N>& z) { last = now, last_h = solved_h, end = z, known = true; }

  // Slopes for a step of another length from the same start, by the polynomial of the solved one.
  void shorten(double fraction) { interpolate(now, 0, fraction); }

  // Where two steps of half the length lead from (t, z); they begin from the polynomial of the solved one.
  struct Halves {
    State<double, N> end;
    bool solved;
  };
  Halves in_halves(double t, const State<double, N>& z, double tolerance) const {
    Collocation part = *this;
    const double half = 0.5 * solved_h;
    State<double, N> at = z;
    for (const double begin : {0.0, 0.5}) {
      part.interpolate(now, begin, 0.5);
      if (!part.solve(t + begin * solved_h, half, at, tolerance).ok()) return {at, false};
      at = part.reached(half, at);
    }
    return {at, true};
  }

  // Σ w_j K_j over the stages of the solved step: of the velocities, and of the forces.
  Vector<double, N> velocities(const StageTable::Row& w) const { return sum(now.V, w); }
  Vector<double, N> forces(const StageTable::Row& w) const { return sum(now.F, w); }
  // Of each coordinate, over all stages.
  State<double, N> largest_slopes() const {
    State<double, N> r{Vector<double, N>::Zero(), Vector<double, N>::Zero()};
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < stages(); ++j)
        r.q[k] = std::fmax(r.q[k], std::abs(now.V[k][j])), r.p[k] = std::fmax(r.p[k], std::abs(now.F[k][j]));
    return r;
  }
  const StageTable& weights() const { return *table; }
  const StageUnits& units() const { return in_units; }

  // Calls f with each number that the next step depends on.
  void numbers(auto&& f) {
    double is_known = known, was_measured = measured;
    f(is_known), f(was_measured), f(last_h);
    known = is_known != 0, measured = was_measured != 0;
    for (int k = 0; k < N; ++k) {
      f(end.q[k]), f(end.p[k]), f(in_units.v[k]), f(in_units.f[k]);
      for (int i = 0; i < most_stages; ++i) f(last.V[k][i]), f(last.F[k][i]);
    }
  }

 private:
  struct Values {
    alignas(32) Slopes V{}, F{};
  };
  // At the first step, and kept from there on.
  void measure(double t, const Vector<double, N>& q, const Vector<double, N>& v) {
    measured = true;
    const Matrix<double, N> M = detail::fibre(system, t, q, v).Lvv;
    for (int k = 0; k < N; ++k) {
      in_units.f[k] = unit_of_mass(M(0, 0), M(k, k));
      in_units.v[k] = 1 / in_units.f[k];
    }
  }
  StageSlopes rows(Values& values) const { return {system.size(), values.V.data(), values.F.data()}; }

  // Σ w_j K_j
  Vector<double, N> sum(const Slopes& K, const StageTable::Row& w) const {
    Vector<double, N> r;
    for (int k = 0; k < N; ++k) {
      r[k] = w[0] * K[k][0];
      for (int j = 1; j < stages(); ++j) r[k] += w[j] * K[k][j];
    }
    return r;
  }

  Outcome iterate(double t, double h, const State<double, N>& z, double tolerance, const LengthRule* rule) {
    start = z;
    StageProblem problem{t, h, start.q.data(), start.p.data(), tolerance, &in_units};
    const Outcome r = iterate_stages(*system.any, *table, problem, rows(now), lanes, rule);
    solved_h = problem.h;
    return r;
  }

  // Newton's method for the time at which gap i closes.
  struct UpToContact final : LengthRule {
    UpToContact(const Collocation& s, int contact, double start, double guess)
        : stages(s), i(contact), t(start), about(guess) {}
    double correct(double& h) const override {
      typename SizedSystem<N>::GapRates gaps;
      stages.system.gap_rates(t + h, stages.reached(h, stages.start).q, stages.end_velocity(), gaps);
      const double change = -gaps.gap[i] / gaps.rate[i], length = h + change;
      if (!(gaps.rate[i] < 0 && length > 0 && length < 2 * about)) return HUGE_VAL;
      h = length;
      return std::abs(change) / about;
    }
    const Collocation& stages;
    int i;
    double t, about;
  };

  void carry_on(double ratio) {
    if (std::abs(ratio - 1) > 1e-9) return interpolate(last, 1, ratio);
    carry_stages(*table, rows(last), rows(now), lanes);
  }

  // The polynomial of `from` at begin + fraction c_i, in units of its step.
  void interpolate(const Values& from, double begin, double fraction) {
    const Values known_slopes = from;
    for (int i = 0; i < most_stages; ++i) {
      const auto w = table->at(begin + fraction * table->c[i]);
      const auto v = sum(known_slopes.V, w), f = sum(known_slopes.F, w);
      for (int k = 0; k < N; ++k) now.V[k][i] = v[k], now.F[k][i] = f[k];
    }
  }

  SizedSystem<N> system;
  const StageTable* table;
  int lanes;
  bool kinked;
  State<double, N> start;  // of the step that was solved for, and its length
  double solved_h = 0;
  Values now, last;
  double last_h = 0;
  State<double, N> end;
  bool known = false;  // `last` leads to `end`
  bool measured = false;
  StageUnits in_units;
};

}  // namespace carom
