// The discrete Lagrangian of a rule and its derivatives, as functions of (q0, v) with q1 = q0 + h v: v is the
// unknown that Newton's method solves for, because (q1 - q0)/h would lose digits.
//
//   D1 L_d = Σ b_i [h (1-c_i) Lq - Lv],   D2 L_d = Σ b_i [h c_i Lq + Lv],   -D3 L_d = Σ b_i E   at (x_i, v)
//
// Forces enter by the discrete Lagrange-d'Alembert principle (000, (16)) with the same nodes:
//   f- = h Σ b_i (1-c_i) f(t_i, x_i, v),   f+ = h Σ b_i c_i f(t_i, x_i, v).
#pragma once

#include "carom/flow/rule.hpp"
#include "carom/system/lagrangian.hpp"

namespace carom {

template <class S, int N>
struct DiscreteJet {
  explicit DiscreteJet(int n)
      : minus(Vector<S, N>::Constant(n, S(0.0))),
        plus(minus),
        d_minus(Matrix<double, N>::Zero(n, n)),
        d_kick(d_minus),
        d_energy(Vector<double, N>::Zero(n)) {}

  S action = S(0.0);   // L_d
  S energy = S(0.0);   // -D3 L_d
  S work = S(0.0);     // h Σ b_i f_i·v
  Vector<S, N> minus;  // D1 L_d + f-: p0 + minus = 0 defines the step
  Vector<S, N> plus;   // D2 L_d + f+: p1
  // Base values, when asked for:
  Matrix<double, N> d_minus;   // ∂minus/∂v
  Matrix<double, N> d_kick;    // ∂(minus + plus)/∂v, but for h² Lqq at the ends
  Vector<double, N> d_energy;  // ∂energy/∂v
};

template <SystemStruct Sys, class S>
struct DiscreteLagrangian {
  static constexpr int N = Sys::dim;

  const Sys& system;
  const Rule& rule;
  S t, h;
  Vector<S, N> q0;
  LagrangianAt<Sys, S, Need::mixed> at_q0;  // serves every v

  DiscreteLagrangian(const Sys& sys, const Rule& r, const S& time, const S& step, const Vector<S, N>& start)
      : system(sys), rule(r), t(time), h(step), q0(start), at_q0(sys, time, start) {}

  Vector<S, N> end(const Vector<S, N>& v) const { return moved(q0, v, h); }

  // jet().minus alone: a node at the end of the step contributes its momentum only, which is cheap.
  Vector<S, N> minus(const Vector<S, N>& v) const {
    Vector<S, N> sum = Vector<S, N>::Constant(v.size(), S(0.0));
    for (const Node& node : rule) {
      if (node.c == 1) {
        sum = sum - momentum(system, time(node), point(node, v), v) * S(node.b);
        continue;
      }
      const auto L = slopes(node, v);
      sum = sum + L.Lq * (h * (node.b * (1 - node.c))) - L.Lv * S(node.b);
      if constexpr (HasForce<Sys>)
        if (is_forced(system))
          sum = sum + system.force(time(node), point(node, v), v) * (h * (node.b * (1 - node.c)));
    }
    return sum;
  }

  template <bool with_matrix>
  DiscreteJet<S, N> jet(const Vector<S, N>& v) const {
    DiscreteJet<S, N> sum(static_cast<int>(v.size()));
    evaluate<with_matrix>(v, sum);
    return sum;
  }

  // jet(v) in place; without the matrices, those of before stay.
  template <bool with_matrix>
  void evaluate(const Vector<S, N>& v, DiscreteJet<S, N>& sum) const {
    sum.action = sum.energy = sum.work = S(0.0);
    sum.minus.setConstant(S(0.0)), sum.plus.setConstant(S(0.0));
    if constexpr (with_matrix) sum.d_minus.setZero(), sum.d_kick.setZero(), sum.d_energy.setZero();
    for (const Node& node : rule) {
      if (!with_matrix)
        add<false>(sum, node, slopes(node, v), v);
      else if (node.c == 0)
        add<with_matrix>(sum, node, at_q0.jet(v), v);
      else if (node.c == 1)
        add<with_matrix>(sum, node,
                         LagrangianAt<Sys, S, Need::mixed>(system, time(node), point(node, v)).jet(v), v);
      else
        add<with_matrix>(sum, node,
                         LagrangianAt<Sys, S, Need::all>(system, time(node), point(node, v)).jet(v), v);
    }
  }

 private:
  S time(const Node& node) const { return t + h * node.c; }
  Vector<S, N> point(const Node& node, const Vector<S, N>& v) const { return moved(q0, v, S(h * node.c)); }

  LagrangianJet<S, N> slopes(const Node& node, const Vector<S, N>& v) const {
    if (is_quadratic(system) && node.c == 0) return at_q0.jet(v);
    return LagrangianAt<Sys, S, Need::slopes>(system, time(node), point(node, v)).jet(v);
  }

  template <bool with_matrix>
  void add(DiscreteJet<S, N>& sum, const Node& node, const LagrangianJet<S, N>& L,
           const Vector<S, N>& v) const {
    const S hb = h * node.b;
    sum.action = sum.action + hb * L.L;
    sum.energy = sum.energy + node.b * L.energy(v);
    sum.minus = sum.minus + L.Lq * (hb * (1 - node.c)) - L.Lv * S(node.b);
    sum.plus = sum.plus + L.Lq * (hb * node.c) + L.Lv * S(node.b);
    if constexpr (with_matrix) add_slopes(sum, node, L, v);
    if constexpr (HasForce<Sys>)
      if (is_forced(system)) add_force<with_matrix>(sum, node, v);
    if constexpr (requires { system.drift(t, v, v); })  // dH/dt = -∂L/∂t
      if (is_timed(system)) sum.work = sum.work - hb * system.drift(time(node), point(node, v), v);
  }

  // ∂/∂v of b [h (1-c) Lq - Lv], b h Lq and b (v·Lv - L) at (x, v), x = q0 + c h v.
  void add_slopes(DiscreteJet<S, N>& sum, const Node& node, const LagrangianJet<S, N>& L,
                  const Vector<S, N>& v) const {
    const double step = base_value(h), ahead = step * (1 - node.c), behind = step * node.c;
    const bool inside = node.c != 0 && node.c != 1;
    const int n = static_cast<int>(v.size());
    for (int i = 0; i < n; ++i) {
      double along = -behind * base_value(L.Lq[i]);
      for (int k = 0; k < n; ++k) {
        const double Lvv = base_value(L.Lvv(i, k)), Lqv = base_value(L.Lqv(i, k));
        const double Lqq = inside ? behind * base_value(L.Lqq(i, k)) : 0;
        sum.d_minus(i, k) += node.b * (ahead * (Lqv + Lqq) - behind * base_value(L.Lqv(k, i)) - Lvv);
        sum.d_kick(i, k) += node.b * step * (Lqv + Lqq);
        along += (Lvv + behind * Lqv) * base_value(v[k]);
      }
      sum.d_energy[i] += node.b * along;
    }
  }

  template <bool with_matrix>
  void add_force(DiscreteJet<S, N>& sum, const Node& node, const Vector<S, N>& v) const {
    const S hb = h * node.b;
    const Vector<S, N> x = point(node, v), f = system.force(time(node), x, v);
    sum.minus = sum.minus + f * (hb * (1 - node.c));
    sum.plus = sum.plus + f * (hb * node.c);
    sum.work = sum.work + hb * f.dot(v);
    if constexpr (with_matrix) {
      const Matrix<double, N> slope = node.b * base_value(h) * force_slope(node, base_value(time(node)), v);
      sum.d_minus += (1 - node.c) * slope;
      sum.d_kick += slope;
    }
  }

  // ∂f/∂v of f(at, q0 + c h v, v).
  Matrix<double, N> force_slope(const Node& node, double at, const Vector<S, N>& v) const {
    const double ch = base_value(h) * node.c;
    const Vector<double, N> u = v.unaryExpr([](const S& a) { return base_value(a); });
    if constexpr (requires { system.force_slopes(at, u, u); }) {
      const Vector<double, N> x = point(node, v);
      const auto f = system.force_slopes(at, x, u);
      return ch * f.by_q + f.by_v;
    } else {
      const auto along = [&](const auto& w) {
        using X = typename std::decay_t<decltype(w)>::Scalar;
        Vector<X, N> y(w.size());
        for (int i = 0; i < w.size(); ++i) y[i] = base_value(q0[i]) + w[i] * ch;
        return system.force(X(at), y, w);
      };
      return jacobian(along, u);
    }
  }
};

}  // namespace carom
