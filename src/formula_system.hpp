// A system that a scenario states in formulas: [system] name = "expression".
//
//   scenario -> define_system() -> SystemFormulas (programs) -> FormulaSystem<N> -> the core, as any system
//
// The Lagrangian is differentiated symbolically once; a step evaluates programs only, over whatever scalar
// the core asks for. A type FormulaSystem<N> serves every system of up to N coordinates: the ones beyond are
// free unit masses that rest at zero, so a handful of instantiations (src/systems/formula_*.cpp) covers all.
// Tested in tests/unit/formula_system_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "carom/mechanics.hpp"
#include "carom/nilpotent_lagrangian.hpp"
#include "formula/program.hpp"
#include "system_expressions.hpp"

namespace carom {

// What the core asks of a system, compiled. Inputs of every program: q, v, t; and psi of friction.
struct SystemFormulas {
  int dim = 0;
  std::vector<std::string> coordinates, gap_names, joint_names, momentum_names;
  bool forced = false, quadratic = false, constant_mass = false;
  formula::Program lagrangian;          // L
  formula::Program slopes, mixed, all;  // L, Lq, Lv; and Lqv, Lvv; and Lqq
  formula::Program fibre;               // Lv, Lvv
  formula::Program potential;           // V, Vq where the mass is constant
  formula::Program gaps, joints, force, friction, momenta;
  formula::Program gap_jet, joint_jet;  // values, then slopes row by row
  formula::Program force_slopes;        // ∂f/∂q, ∂f/∂v
  Eigen::MatrixXd mass;  // where it is constant

  std::vector<formula::Program*> programs() {
    return {&lagrangian, &slopes,   &mixed,   &all,     &fibre,     &potential,   &gaps,
            &joints,     &force,    &friction, &momenta, &gap_jet,   &joint_jet,   &force_slopes};
  }
};

// Throws ScenarioError for whatever does not fit, pointing at the formula's column.
std::shared_ptr<const SystemFormulas> define_system(const Scenario& scenario);

std::shared_ptr<const NilpotentLagrangian> lagrangian_of(std::shared_ptr<const SystemFormulas> formulas);

template <int N>
class FormulaSystem {
 public:
  static constexpr int dim = N;
  template <class S>
  using Gaps = Eigen::Matrix<S, Eigen::Dynamic, 1, 0, most_formula_gaps, 1>;

  template <class S>  // fewer than coordinates
  using Joints = Eigen::Matrix<S, Eigen::Dynamic, 1, 0, std::min(N - 1, most_formula_joints), 1>;

  explicit FormulaSystem(std::shared_ptr<const SystemFormulas> formulas)
      : f(std::move(formulas)), n(f->dim) {}

  int coordinate_count() const { return n; }
  bool is_forced() const { return f->forced; }
  bool has_friction() const { return f->friction.outputs() > 0; }
  bool is_quadratic() const { return f->quadratic; }
  bool has_constant_mass() const { return f->constant_mass; }
  int joint_count() const { return f->joints.outputs(); }
  const std::string& gap_name(int i) const { return f->gap_names[i]; }
  const std::string& joint_name(int i) const { return f->joint_names[i]; }
  const std::string& coordinate_name(int i) const { return f->coordinates[i]; }

  template <class S>
  S lagrangian(const Vector<S, N>& q, const Vector<S, N>& v) const {
    S L;
    run<S>(f->lagrangian, S(0.0), q, v, std::span<S>(&L, 1));
    for (int i = n; i < N; ++i) L = L + 0.5 * v[i] * v[i];
    return L;
  }

  template <Need need, class S>
  LagrangianJet<S, N> jet(const Vector<S, N>& q, const Vector<S, N>& v) const {
    std::array<S, 1 + 2 * N + 3 * N * N> out;
    run<S>(need == Need::slopes ? f->slopes : need == Need::mixed ? f->mixed : f->all, S(0.0), q, v, out);
    LagrangianJet<S, N> r;
    const S* next = out.data();
    r.L = *next++;
    next = take(next, r.Lq), next = take(next, r.Lv);
    for (int i = n; i < N; ++i) r.L = r.L + 0.5 * v[i] * v[i], r.Lv[i] = v[i];
    if constexpr (need != Need::slopes) next = take(next, r.Lqv), next = take(next, r.Lvv), pad(r.Lvv);
    if constexpr (need == Need::all) take(next, r.Lqq);
    return r;
  }

  template <class S>
  Fibre<S, N> fibre(const Vector<S, N>& q, const Vector<S, N>& v) const {
    std::array<S, N + N * N> out;
    run<S>(f->fibre, S(0.0), q, v, out);
    Fibre<S, N> r;
    take(take(out.data(), r.Lv), r.Lvv), pad(r.Lvv);
    for (int i = n; i < N; ++i) r.Lv[i] = v[i];
    return r;
  }

  template <class S>
  WithGradient<S, N> potential_slope(const Vector<S, N>& q) const {
    std::array<S, 1 + N> out;
    run<S>(f->potential, S(0.0), q, q, out);  // does not look at v
    WithGradient<S, N> r;
    r.value = out[0];
    take(out.data() + 1, r.gradient);
    return r;
  }
  Matrix<double, N> constant_mass() const {
    Matrix<double, N> M = Matrix<double, N>::Identity();
    M.topLeftCorner(n, n) = f->mass;
    return M;
  }

  template <class S>
  Gaps<S> gaps(const Vector<S, N>& q) const {
    Gaps<S> r(f->gaps.outputs());
    if (r.size() > 0) run<S>(f->gaps, S(0.0), q, q, std::span<S>(r.data(), r.size()));
    return r;
  }

  template <class S>
  Joints<S> joints(const Vector<S, N>& q) const {
    Joints<S> r(joint_count());
    if (r.size() > 0) run<S>(f->joints, S(0.0), q, q, std::span<S>(r.data(), r.size()));
    return r;
  }

  template <class S>
  Vector<S, N> force(const S& t, const Vector<S, N>& q, const Vector<S, N>& v) const {
    std::array<S, N> out;
    run<S>(f->force, t, q, v, out);
    Vector<S, N> r;
    take(out.data(), r);
    return r;
  }

  // With the multipliers of joints and gaps, in this order; only where has_friction().
  template <class S>
  Vector<S, N> friction(const Vector<S, N>& q, const Vector<S, N>& v, const auto& psi) const {
    std::array<S, 2 * N + 1 + most_formula_joints + most_formula_gaps> in;
    put(in, S(0.0), q, v);
    const int count = static_cast<int>(psi.size());
    for (int k = 0; k < count; ++k) in[2 * n + 1 + k] = psi[k];
    std::array<S, N> out;
    f->friction(std::span<const S>(in.data(), 2 * n + 1 + count), std::span<S>(out.data(), n));
    Vector<S, N> r;
    take(out.data(), r);
    return r;
  }

  // The user's conserved quantities are formulas of coordinates and velocities.
  void momenta(const Vector<double, N>& q, const Vector<double, N>& p, auto&& tell) const {
    if (!f->momentum_names.empty()) momenta_at(q, velocity(*this, q, p).x, tell);
  }
  template <class S>
  void momenta_at(const Vector<S, N>& q, const Vector<S, N>& v, auto&& tell) const {
    if (f->momentum_names.empty()) return;
    thread_local std::vector<S> values;
    values.resize(f->momentum_names.size());
    run<S>(f->momenta, S(0.0), q, v, values);
    for (std::size_t k = 0; k < values.size(); ++k) tell(f->momentum_names[k].c_str(), values[k]);
  }

  // Of its own coordinates only.
  std::shared_ptr<const NilpotentLagrangian> over_nilpotents() const { return lagrangian_of(f); }

  // Whether packs take the same branches as doubles: a power of two formulas asks whether its exponent moves.
  bool fits_packs() const {
    for (const formula::Instruction& i : f->gaps.instructions())
      if (i.code == formula::Code::power) return false;
    return true;
  }

 private:
  template <class S>
  void run(const formula::Program& program, const S& t, const Vector<S, N>& q, const Vector<S, N>& v,
           std::span<S> out) const {
    std::array<S, 2 * N + 1> in;
    put(in, t, q, v);
    program(std::span<const S>(in.data(), 2 * n + 1), out.first(program.outputs()));
  }
  template <class S>
  void put(auto& in, const S& t, const Vector<S, N>& q, const Vector<S, N>& v) const {
    for (int i = 0; i < n; ++i) in[i] = q[i], in[n + i] = v[i];
    in[2 * n] = t;
  }

  template <class S>
  const S* take(const S* from, Vector<S, N>& to) const {
    for (int i = 0; i < N; ++i) to[i] = i < n ? from[i] : S(0.0);
    return from + n;
  }
  template <class S>
  const S* take(const S* from, Matrix<S, N>& to) const {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k) to(i, k) = i < n && k < n ? from[i * n + k] : S(0.0);
    return from + n * n;
  }
  template <class S>
  void pad(Matrix<S, N>& Lvv) const {
    for (int i = n; i < N; ++i) Lvv(i, i) = S(1.0);
  }

  std::shared_ptr<const SystemFormulas> f;
  int n;
};

}  // namespace carom
