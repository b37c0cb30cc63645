// A struct written in C++ as a system: its derivatives by dual numbers (system_struct.hpp says what may
// be written). This adapter is all that is compiled for a system of one's own. Tested in
// tests/laws/interface_laws_test.cpp.
#pragma once

#include <new>

#include "carom/system/dense_system.hpp"
#include "carom/system/lane_values.hpp"
#include "carom/system/mechanics.hpp"
#include "carom/system/nilpotent_lagrangian.hpp"
#include "carom/system/stage_slopes.hpp"
#include "carom/system/validated_start.hpp"

namespace carom {

template <SystemStruct Sys>
class AutodiffSystem : public DenseSystem {
  static constexpr int N = Sys::dim;
  using Local = Vector<double, N>;

 public:
  explicit AutodiffSystem(Sys sys) : system(std::move(sys)), count(coordinate_count(system)) {}

  int size() const override { return own_size(); }
  int contact_count() const override { return gap_count(system); }
  int joint_count() const override { return carom::joint_count(system); }
  std::string coordinate_name(int i) const override { return carom::coordinate_name(system, i); }
  std::string contact_name(int i) const override { return gap_name(system, i); }
  std::string joint_name(int i) const override { return carom::joint_name(system, i); }
  bool constant_mass() const override { return has_constant_mass(system); }
  bool quadratic() const override { return is_quadratic(system); }
  bool forced() const override { return is_forced(system); }
  bool timed() const override { return is_timed(system); }

  void look(double t, const double* q, Need need, PointMemory& memory) const override {
    with_need(need, [&]<Need as>() {
      if constexpr (fits<as>) new (memory.numbers.data()) At<as>(system, t, local(q));
    });
  }
  void jet(double t, const double* q, const double* v, Need need, const PointMemory& memory,
           double* out) const override {
    with_need(need, [&]<Need as>() {
      if constexpr (fits<as>)
        write<as>(std::launder(reinterpret_cast<const At<as>*>(memory.numbers.data()))->jet(local(v)), out);
      else
        write<as>(At<as>(system, t, local(q)).jet(local(v)), out);
    });
  }
  bool looks_ahead() const override { return fits<Need::mixed> && form_of<Sys>() == Form::variable_mass; }
  void fibre(double t, const double* q, const double* v, double* out) const override {
    const auto here = detail::fibre(system, t, local(q), local(v));
    write_matrix(here.Lvv, write(here.Lv, out));
  }
  using DenseSystem::drift;
  void drift(double t, const double* q, const double* v, double* out) const override {
    std::fill_n(out, 1 + own_size(), 0.0);
    if constexpr (QuadraticKinetic<Sys> ? TimedPotential<Sys> : TimedLagrangian<Sys>) {
      using D = Dual<double, 1>;
      const D now = D::variable(t, 0);
      const Vector<D, N> x = local(q).template cast<D>(), u = local(v).template cast<D>();
      out[0] = lagrangian(system, now, x, u).d[0];
      if constexpr (!QuadraticKinetic<Sys>) {
        const Vector<D, N> p = momentum(system, now, x, u);
        for (int i = 0; i < own_size(); ++i) out[1 + i] = p[i].d[0];
      }
    }
  }
  void potential(double t, const double* q, double* out) const override {
    if constexpr (ConstantMass<Sys> || OwnDerivatives<Sys>) {
      const auto V = detail::potential_slope(system, t, local(q));
      *out = V.value;
      write(V.gradient, out + 1);
    }
  }
  void mass(double* out) const override {
    if constexpr (ConstantMass<Sys> || OwnDerivatives<Sys>) write_matrix(detail::constant_mass(system), out);
  }

  void gap_jet(double t, const double* q, double* out) const override {
    if constexpr (HasGaps<Sys>) write_jet(gap_functions(), t, local(q), out);
  }
  void gap_rates(double t, const double* q, const double* v, double* gap, double* rate) const override {
    if constexpr (HasGaps<Sys>) {
      using D = Dual<double, 1>;
      Vector<D, N> x = local(q).template cast<D>();
      for (int i = 0; i < own_size(); ++i) x[i].d[0] = v[i];
      const auto g = gaps_of(system, D::variable(t, 0), x);
      for (int i = 0; i < g.size(); ++i) gap[i] = g[i].a, rate[i] = g[i].d[0];
    }
  }
  void joint_jet(double t, const double* q, double* out) const override {
    if constexpr (HasJoints<Sys>) write_jet(joint_functions(), t, local(q), out);
  }
  void gaps(double t, const Values& q, Values& g) const override {
    if constexpr (HasGaps<Sys>)
      g = gaps_of(system, t, local(q.data()));
    else
      g.resize(0);
  }
  void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override {
    if constexpr (HasGaps<Sys>) {
      const auto g = gaps_of(system, passing(t), along(local(q.data()), local(u.data())));
      for (std::size_t k = 0; k < which.size(); ++k) bend[k] = g[which[k]].h[0];
    }
  }
  double mu(int contact) const override {
    if constexpr (slippery) return system.mu(contact);
    return 0;
  }
  int slips_each() const override {
    if constexpr (requires { Sys::slips_each; }) return Sys::slips_each;
    return 1;
  }
  bool has_slide(int) const override { return slippery; }
  void slides(double t, const Values& q, Values& s) const override {
    if constexpr (slippery)
      s = slides_of(t, local(q.data()));
    else
      DenseSystem::slides(t, q, s);
  }
  void slip_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const override {
    if constexpr (slippery)
      write_slips(t, local(q.data()), which, rows);
    else
      DenseSystem::slip_slopes(t, q, which, rows);
  }
  void slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                  Eigen::Ref<Values> bend) const override {
    bend.setZero();
    if constexpr (slippery) {
      const auto s = slides_of(passing(t), along(local(q.data()), local(v.data())));
      const int each = slips_each();
      for (int k = 0; k < bend.size(); ++k)
        bend[k] = s[each * which[static_cast<std::size_t>(k / each)] + k % each].h[0];
    }
  }
  void joint_bends(double t, const Values& q, const Values& u, Values& bend) const override {
    bend.resize(joint_count());
    if constexpr (HasJoints<Sys>)
      if (bend.size() > 0) {
        const auto f = joints_of(system, passing(t), along(local(q.data()), local(u.data())));
        for (int k = 0; k < bend.size(); ++k) bend[k] = f[k].h[0];
      }
  }

  void slope_bends(double t, const double* q, const double* u, double* out) const override {
    if constexpr (HasJoints<Sys>) out = write_bends(joint_functions(), t, q, u, out);
    if constexpr (HasGaps<Sys>) write_bends(gap_functions(), t, q, u, out);
  }
  bool rubs() const override { return has_friction(system); }
  void friction(const double* q, const double* v, const double* psi, double* out) const override {
    if constexpr (rough) write_friction(q, v, psi, out);
  }

  void stage_slopes(const StageRows& rows) const override {
    if constexpr (!PackedSystem<Sys>)
      DenseSystem::stage_slopes(rows);
    else if (rows.lanes == 4)
      detail::slopes_of_four(system, own_size(), rows);
    else
      detail::slopes_of_two(system, own_size(), rows);
  }

  bool has_lanes() const override { return LaneSystem<Sys> && fixed_size && !timed(); }
  void lane_potential(int lanes, const double* q, double* out) const override {
    if constexpr (LaneSystem<Sys>)
      lanes == 4 ? detail::potential_in_four_lanes(system, q, out)
                 : detail::potential_in_lanes<Sys, ExactPack<2>>(system, q, out);
  }
  void lane_look(const LanePoint& at) const override {
    if constexpr (LaneSystem<Sys>)
      at.lanes == 4 ? detail::look_in_four_lanes(system, at)
                    : detail::look_in_lanes<Sys, ExactPack<2>>(system, at);
  }

  bool has_kinks() const override {
    return requires { Sys::has_kinks; };
  }

  using DenseSystem::force;
  void force(double t, const double* q, const double* v, double* f) const override {
    if constexpr (HasForce<Sys>)
      if (is_forced(system)) write(Local(system.force(t, local(q), local(v))), f);
  }
  void force_slopes(double t, const double* q, const double* v, double* out) const override {
    if constexpr (HasForce<Sys>) {
      const Local at = local(q), speed = local(v);
      const auto by_q = [&](const auto& x) { return system.force(like(x, t), x, constant(x, speed)); };
      const auto by_v = [&](const auto& u) { return system.force(like(u, t), constant(u, at), u); };
      write_matrix(jacobian(by_v, speed), write_matrix(jacobian(by_q, at), out));
    }
  }
  std::shared_ptr<const NilpotentLagrangian> over_nilpotents() const override {
    return timed() ? nullptr : carom::over_nilpotents(system);
  }
  void momenta(double, const Values& q, const Values& p, const Tell& tell) const override {
    if constexpr (HasMomenta<Sys>) system.momenta(local(q.data()), local(p.data()), tell);
  }

 private:
  template <Need need>
  using At = LagrangianAt<Sys, double, need>;
  template <Need need>
  static constexpr bool fits = sizeof(At<need>) <= sizeof(PointMemory) && N != Eigen::Dynamic;
  static constexpr bool rough = requires(const Sys& s, const Local& x) { s.friction(x, x, x); };
  // A struct with friction at its contacts has mu(contact), and slides(q) or slides(t, q), one for each gap;
  // in space, with slips_each = 2, two, one behind the other.
  static constexpr bool timed_slides = requires(const Sys& s, const Local& x) { s.slides(0.0, x); };
  static constexpr bool slippery = requires(const Sys& s) { s.mu(0); };
  // A system made at run time may be smaller than its type; the rest stays at zero.
  static constexpr bool fixed_size = N != Eigen::Dynamic && !requires(const Sys& s) { s.coordinate_count(); };

  int own_size() const {
    if constexpr (fixed_size) return N;
    return count;
  }
  Local local(const double* x) const {
    Local r = Local::Zero(dimension(system));
    for (int i = 0; i < own_size(); ++i) r[i] = x[i];
    return r;
  }
  auto gap_functions() const {
    return [this](const auto& t, const auto& x) { return gaps_of(system, t, x); };
  }
  template <class T, class X>
  auto slides_of(const T& t, const X& x) const {
    if constexpr (timed_slides)
      return system.slides(t, x);
    else
      return system.slides(x);
  }
  // One direction after the other, time the last.
  void write_slips(double t, const Local& q, std::span<const int> which,
                   SparseRows& rows) const requires slippery {
    using D = Dual<double, 1>;
    const int n = own_size(), each = slips_each(), slides = each * contact_count();
    thread_local std::vector<double> slopes;
    slopes.resize(static_cast<std::size_t>((n + 1) * slides));
    for (int k = 0; k <= n; ++k) {
      Vector<D, N> x = q.template cast<D>();
      if (k < n) x[k].d[0] = 1;
      const auto s = slides_of(k == n ? D::variable(t, 0) : D(t), x);
      for (int i = 0; i < slides; ++i) slopes[static_cast<std::size_t>(k * slides + i)] = s[i].d[0];
    }
    for (const int contact : which)
      for (int i = each * contact; i < each * (contact + 1); ++i) {
        for (int k = 0; k < n; ++k) rows.push(k, slopes[static_cast<std::size_t>(k * slides + i)]);
        rows.end_row(slopes[static_cast<std::size_t>(n * slides + i)]);
      }
  }
  auto joint_functions() const {
    return [this](const auto& t, const auto& x) { return joints_of(system, t, x); };
  }
  // t + s, for derivatives by s.
  static Dual2<double, 1> passing(double t) {
    Dual2<double, 1> r(t);
    r.d[0] = 1;
    return r;
  }
  // Numbers as the scalar that x is made of.
  template <class X>
  static typename X::Scalar like(const X&, double number) {
    return typename X::Scalar(number);
  }
  template <class X>
  static Vector<typename X::Scalar, N> constant(const X&, const Local& numbers) {
    return numbers.template cast<typename X::Scalar>();
  }

  static void with_need(Need need, const auto& f) {
    if (need == Need::slopes) f.template operator()<Need::slopes>();
    if (need == Need::mixed) f.template operator()<Need::mixed>();
    if (need == Need::all) f.template operator()<Need::all>();
  }
  double* write(const Local& x, double* out) const {
    for (int i = 0; i < own_size(); ++i) out[i] = x[i];
    return out + own_size();
  }
  double* write_matrix(const auto& m, double* out) const {
    for (int i = 0; i < own_size(); ++i)
      for (int k = 0; k < own_size(); ++k) *out++ = m(i, k);
    return out;
  }
  template <Need need>
  void write(const LagrangianJet<double, N>& jet, double* out) const {
    *out++ = jet.L;
    out = write(jet.Lv, write(jet.Lq, out));
    if constexpr (need != Need::slopes) out = write_matrix(jet.Lvv, write_matrix(jet.Lqv, out));
    if constexpr (need == Need::all) write_matrix(jet.Lqq, out);
  }
  // How the slopes of a vector function change along u.
  double* write_bends(const auto& f, double t, const double* q, const double* u, double* out) const {
    using Along = Dual<double, 1>;
    static constexpr int width = N == Eigen::Dynamic ? detail::chunk : N;
    using D = Dual<Along, width>;
    Vector<D, N> x(dimension(system));
    int rows = 0;
    for (int begin = 0; begin < own_size(); begin += width) {
      for (int i = 0; i < x.size(); ++i) {
        Along along(i < own_size() ? q[i] : 0.0);
        if (i < own_size()) along.d[0] = u[i];
        x[i] = i >= begin && i < begin + width ? D::variable(along, i - begin) : D(along);
      }
      const auto y = f(D(t), x);
      rows = static_cast<int>(y.size());
      for (int i = 0; i < rows; ++i)
        for (int k = begin; k < std::min(own_size(), begin + width); ++k)
          out[i * own_size() + k] = y[i].d[k - begin].d[0];
    }
    return out + rows * own_size();
  }
  // Laws such as |psi|^0.85 have no slope at 0: there they are asked at a number too small to matter.
  void write_friction(const double* q, const double* v, const double* psi, double* out) const requires rough {
    static constexpr int width = 4;
    using D = Dual<double, width>;
    const int n = own_size(), m = constraint_count(), all = 2 * n + m;
    Vector<D, N> x = Vector<D, N>::Constant(dimension(system), D(0.0)), u = x;
    Eigen::Matrix<D, Eigen::Dynamic, 1> force(m);
    for (int begin = 0; begin < all; begin += width) {
      const auto seed = [begin](double value, int direction) {
        const int k = direction - begin;
        return k >= 0 && k < width ? D::variable(value, k) : D(value);
      };
      for (int i = 0; i < n; ++i) x[i] = seed(q[i], i), u[i] = seed(v[i], n + i);
      for (int i = 0; i < m; ++i) force[i] = seed(psi[i] == 0 ? 1e-200 : psi[i], 2 * n + i);
      const Vector<D, N> f = system.friction(x, u, force);
      for (int i = 0; i < n; ++i) {
        out[i] = f[i].a;
        for (int k = begin; k < std::min(all, begin + width); ++k) {
          const int block = k < n ? 0 : k < 2 * n ? 1 : 2, column = k - block * n;
          out[n + block * n * n + i * (block == 2 ? m : n) + column] = f[i].d[k - begin];
        }
      }
    }
  }
  // Values of a vector function, its slopes row by row, and how it changes with time where something does.
  void write_jet(const auto& f, double t, const Local& q, double* out) const {
    if constexpr (N == Eigen::Dynamic) {
      const auto values = f(t, q);
      const auto rows = jacobian([&](const auto& x) { return f(like(x, t), x); }, q);
      for (int i = 0; i < values.size(); ++i) *out++ = values[i];
      for (int i = 0; i < values.size(); ++i)
        for (int k = 0; k < own_size(); ++k) *out++ = rows(i, k);
    } else {
      using D = Dual<double, N>;
      const auto y = f(D(t), detail::seeded<D>(q));
      for (int i = 0; i < y.size(); ++i) *out++ = y[i].a;
      for (int i = 0; i < y.size(); ++i)
        for (int k = 0; k < own_size(); ++k) *out++ = y[i].d[k];
    }
    if (!timed()) return;
    using Along = Dual<double, 1>;
    const auto y = f(Along::variable(t, 0), Vector<Along, N>(q.template cast<Along>()));
    for (int i = 0; i < y.size(); ++i) *out++ = y[i].d[0];
  }

  Sys system;
  int count;
};

// A struct as steppers, laws and ledgers take it:  auto system = make_system(Pendulum{});
template <SystemStruct Sys>
std::shared_ptr<const DenseSystem> make_system(Sys system) {
  return std::make_shared<const AutodiffSystem<Sys>>(std::move(system));
}

// The checked start of a struct, with the size that it is known to have.
template <SystemStruct Sys>
State<double, Sys::dim> validated_state(const Sys& system, const Start<Sys::dim>& start, bool project = false,
                                        double t = 0) {
  validate_parameters(system);
  Start<Eigen::Dynamic> any{start.q, {}, {}};
  if (start.v) any.v = *start.v;
  if (start.p) any.p = *start.p;
  const auto z = validated_state(AutodiffSystem<Sys>(system), any, project, t);
  return {z.q, z.p};
}

}  // namespace carom
