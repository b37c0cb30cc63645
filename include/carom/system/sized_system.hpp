// A dense system seen with a size that the compiler knows: what the kernels for small systems are made
// over, one for each size and none for a system. A system of fewer coordinates than N has free unit masses
// at rest in the places behind its own.
#pragma once

#include "carom/system/system.hpp"

namespace carom {

template <int N>
class SizedSystem {
 public:
  static constexpr int dim = N;
  using Local = Vector<double, N>;

  // Small sizes have kernels of their own; from there on one serves several.
  static constexpr bool exact = N <= 4;

  // Gaps and the rates at which they change, in memory of their own.
  static constexpr int most_gaps = 64;
  struct GapRates {
    int count = 0;
    std::array<double, most_gaps> gap, rate;
  };

  explicit SizedSystem(const System& m)
      : any(&m),
        count(m.size()),
        contacts(m.contact_count()),
        forced(m.forced()),
        timed(m.timed()),
        quadratic(m.quadratic()),
        ahead(m.looks_ahead()),
        mass_is_constant(m.constant_mass()) {
    if (mass_is_constant) take_mass();
  }
  constexpr int size() const { return exact ? N : count; }
  int contact_count() const { return contacts; }

  int coordinate_count() const { return size(); }
  bool is_forced() const { return forced; }
  bool is_timed() const { return timed; }
  bool is_quadratic() const { return quadratic; }
  bool looks_ahead() const { return ahead; }
  bool has_constant_mass() const { return mass_is_constant; }

  double lagrangian(double t, const Local& q, const Local& v) const { return jet<Need::slopes>(t, q, v).L; }
  template <Need need>
  LagrangianJet<double, N> jet(double t, const Local& q, const Local& v) const {
    return LagrangianAt<SizedSystem, double, need>(*this, t, q).jet(v);
  }
  Fibre<double, N> fibre(double t, const Local& q, const Local& v) const {
    std::array<double, N + N * N> out;
    any->fibre(t, q.data(), v.data(), out.data());
    Fibre<double, N> r;
    take_matrix(take(out.data(), r.Lv), r.Lvv);
    for (int i = size(); i < N; ++i) r.Lv[i] = v[i], r.Lvv(i, i) = 1;
    return r;
  }
  WithGradient<double, N> potential_slope(double t, const Local& q) const {
    std::array<double, 1 + N> out;
    any->potential(t, q.data(), out.data());
    WithGradient<double, N> r;
    r.value = out[0];
    take(out.data() + 1, r.gradient);
    return r;
  }
  const Matrix<double, N>& constant_mass() const { return M; }

  void gap_rates(double t, const Local& q, const Local& v, GapRates& into) const {
    into.count = contacts;
    if (contacts > 0) any->gap_rates(t, q.data(), v.data(), into.gap.data(), into.rate.data());
  }
  struct GapSlope {
    Local slope;
    double drift;
  };
  GapSlope gap_slope(double t, const Local& q, int contact) const {
    std::array<double, most_gaps*(2 + N)> out;
    any->gap_jet(t, q.data(), out.data());
    GapSlope r;
    take(out.data() + contacts + contact * size(), r.slope);
    r.drift = timed ? out[contacts * (1 + size()) + contact] : 0;
    return r;
  }

  // ∂L/∂t
  double drift(double t, const Local& q, const Local& v) const {
    std::array<double, 1 + N> out;
    any->drift(t, q.data(), v.data(), out.data());
    return out[0];
  }

  Local force(double t, const Local& q, const Local& v) const {
    Local r = Local::Zero();
    any->force(t, q.data(), v.data(), r.data());
    return r;
  }
  struct ForceSlopes {
    Matrix<double, N> by_q, by_v;
  };
  ForceSlopes force_slopes(double t, const Local& q, const Local& v) const {
    std::array<double, 2 * N * N> out;
    any->force_slopes(t, q.data(), v.data(), out.data());
    ForceSlopes r;
    take_matrix(take_matrix(out.data(), r.by_q), r.by_v);
    return r;
  }

  const double* take(const double* from, Local& to) const {
    for (int i = 0; i < N; ++i) to[i] = i < size() ? from[i] : 0;
    return from + size();
  }
  const double* take_matrix(const double* from, Matrix<double, N>& to) const {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k) to(i, k) = i < size() && k < size() ? from[i * size() + k] : 0;
    return from + size() * size();
  }

  const System* any;

 private:
  void take_mass() {
    std::array<double, N * N> out;
    any->mass(out.data());
    take_matrix(out.data(), M);
    for (int i = size(); i < N; ++i) M(i, i) = 1;
  }

  // Steps ask for these often, and a system only answers through virtual functions.
  int count, contacts;
  bool forced, timed, quadratic, ahead, mass_is_constant;
  Matrix<double, N> M;  // where it is constant
};

template <int N, Need need>
class LagrangianAt<SizedSystem<N>, double, need, Form::own> {
 public:
  LagrangianAt(const SizedSystem<N>& sys, double time, const Vector<double, N>& at)
      : system(sys), t(time), q(at) {
    system.any->look(t, q.data(), need, memory);
  }
  LagrangianJet<double, N> jet(const Vector<double, N>& v) const {
    std::array<double, 1 + 2 * N + 3 * N * N> out;
    system.any->jet(t, q.data(), v.data(), need, memory, out.data());
    LagrangianJet<double, N> r;
    r.L = out[0];
    const double* next = system.take(system.take(out.data() + 1, r.Lq), r.Lv);
    for (int i = system.size(); i < N; ++i) r.L += 0.5 * v[i] * v[i], r.Lv[i] = v[i];
    if constexpr (need != Need::slopes) {
      next = system.take_matrix(system.take_matrix(next, r.Lqv), r.Lvv);
      for (int i = system.size(); i < N; ++i) r.Lvv(i, i) = 1;
    }
    if constexpr (need == Need::all) system.take_matrix(next, r.Lqq);
    return r;
  }

 private:
  const SizedSystem<N>& system;
  double t;
  Vector<double, N> q;
  PointMemory memory;
};

}  // namespace carom
