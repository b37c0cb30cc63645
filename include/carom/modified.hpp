// Modified Hamiltonians: what a variational flow conserves, as a series in h.
//
// From the discrete Lagrangian of a rule (000, Theorem 2): with p = D2 L_d(q, q1, h) and
//   η(q, p) = p·(q1 - q)/h - L_d(q, q1, h)/h                                                     (000, (24))
// the modified Hamiltonian is η + h H2 + h² H3 + h³ H4 + ..., and the Hamilton-Jacobi recursion gives the
// terms. (000's Appendix A prints them with misprints; here they are derivatives along directions, taken
// exactly.)
//
// In closed form to order h² for compositions and the midpoint rule, with A = H_qq(H_p, H_p),
// B = H_qp(H_p, H_q), C = H_pp(H_q, H_q):
//   sva: H + h²(2A + 2B - C)/24     svb: H + h²(-A + 2B + 2C)/24     midpoint: H + h²(-A + 2B - C)/24
// Tested in tests/laws/modified_test.cpp.
#pragma once

#include "carom/flow_step.hpp"

namespace carom {
namespace detail {

template <class S, int N>
using Phase = Vector<S, N == Eigen::Dynamic ? N : 2 * N>;  // (q, p) in one

template <class S, int N>
State<S, N> as_state(const Phase<S, N>& x) {
  State<S, N> z{Vector<S, N>(x.size() / 2), Vector<S, N>(x.size() / 2)};
  for (int i = 0; i < z.q.size(); ++i) z.q[i] = x[i], z.p[i] = x[z.q.size() + i];
  return z;
}
template <class S, int N>
Phase<S, N> as_phase(const State<S, N>& z) {
  Phase<S, N> x(2 * z.q.size());
  for (int i = 0; i < z.q.size(); ++i) x[i] = z.q[i], x[z.q.size() + i] = z.p[i];
  return x;
}

// d/dε f(x + ε d); the direction itself is held.
template <class F, class S, int M>
S along(const F& f, const Vector<S, M>& x, const Vector<S, M>& d) {
  using D = Dual<S, 1>;
  Vector<D, M> moved(x.size());
  for (int i = 0; i < x.size(); ++i) moved[i].a = x[i], moved[i].d[0] = d[i];
  return f(moved).d[0];
}
// d²/dεdδ f(x + ε d + δ e).
template <class F, class S, int M>
S along2(const F& f, const Vector<S, M>& x, const Vector<S, M>& d, const Vector<S, M>& e) {
  const auto inner = [&](const auto& y) {
    using X = typename std::decay_t<decltype(y)>::Scalar;
    return along(f, y, Vector<X, M>(d.template cast<X>()));
  };
  return along(inner, x, e);
}
template <class F, class S, int M>
S along3(const F& f, const Vector<S, M>& x, const Vector<S, M>& d) {
  const auto inner = [&](const auto& y) {
    using X = typename std::decay_t<decltype(y)>::Scalar;
    const Vector<X, M> e = d.template cast<X>();
    return along2(f, y, e, e);
  };
  return along(inner, x, d);
}

// The directions (f_p, 0) and (0, f_q) of a function's gradient.
template <class S, int M>
struct Directions {
  Vector<S, M> in_q, in_p;
};
template <class F, class S, int M>
Directions<S, M> directions(const F& f, const Vector<S, M>& x) {
  const int n = static_cast<int>(x.size() / 2);
  const Vector<S, M> g = gradient(f, x).gradient;
  Directions<S, M> r{Vector<S, M>::Constant(2 * n, S(0.0)), Vector<S, M>::Constant(2 * n, S(0.0))};
  for (int i = 0; i < n; ++i) r.in_q[i] = g[n + i], r.in_p[n + i] = g[i];
  return r;
}

}  // namespace detail

// η of 000, (24), for one quadrature rule, over any scalar: v is found in base values, and each further sweep
// with the same matrix makes one more order of derivatives exact.
template <System Sys, class S>
S eta(const Sys& system, const Rule& rule, double h, const State<S, Sys::dim>& z) {
  constexpr int N = Sys::dim;
  const auto base = [](const auto& x) {
    return Vector<double, N>(x.unaryExpr([](const S& a) { return base_value(a); }));
  };
  const Vector<double, N> q = base(z.q), p = base(z.p);
  const auto plus = [&](const auto& at, const auto& v) {  // D2 L_d
    using X = typename std::decay_t<decltype(v)>::Scalar;
    const Vector<X, N> start = at.template cast<X>();
    return DiscreteLagrangian<Sys, X>(system, rule, X(0.0), X(h), start).template jet<false>(v).plus;
  };
  const auto guess = velocity(system, q, p);
  Vector<double, N> v = guess.x;
  Matrix<double, N> J;
  for (int i = 0; i < 30; ++i) {
    J = jacobian([&](const auto& u) { return plus(q, u); }, v);
    const Vector<double, N> change = LU<N>(J).solve(Vector<double, N>(p - plus(q, v)));
    v += change;
    if (!(change.norm() > 1e-15 * v.norm())) break;
  }
  const LU<N> matrix(J);
  Vector<S, N> u = v.template cast<S>();
  for (int k = 0; k <= derivative_order<S>(); ++k) u = u + matrix.solve(Vector<S, N>(z.p - plus(z.q, u)));
  const S action = DiscreteLagrangian<Sys, S>(system, rule, S(0.0), S(h), z.q).template jet<false>(u).action;
  return z.p.dot(u) - action / h;
}

// The first 1 to 4 terms of 000, (27), as a function over any scalar. Subscripts q, p mean derivatives; S_k
// are the coefficients of the generating function in powers of t (000, (30)).
template <System Sys>
struct ModifiedSeries {
  static constexpr int N = Sys::dim;
  Sys system;
  Rule rule;
  double h;
  int terms;  // 1 to 4; a run-time choice, so that these heavy templates compile once

  template <class S>
  S operator()(const detail::Phase<S, N>& x) const {
    S sum = eta_of(x);
    if (terms >= 2) sum = sum + H2(x) * h;
    if (terms >= 3) sum = sum + H3(x) * (h * h);
    if (terms >= 4) sum = sum + H4(x) * (h * h * h);
    return sum;
  }

 private:
  template <class S>
  S eta_of(const detail::Phase<S, N>& x) const {
    return eta(system, rule, h, detail::as_state<S, N>(x));
  }

  // f_q·f_p
  template <class F, class S>
  static S contracted(const F& f, const detail::Phase<S, N>& x) {
    const auto g = gradient(f, x).gradient;
    S product(0.0);
    for (int n = static_cast<int>(x.size() / 2), i = 0; i < n; ++i) product = product + g[i] * g[n + i];
    return product;
  }

  // H2 = -½ η_q·η_p
  template <class S>
  S H2(const detail::Phase<S, N>& x) const {
    return contracted([this](const auto& y) { return eta_of(y); }, x) * -0.5;
  }

  // H3 = -½ H2_q·η_p - 1/6 η_q·H2_p - 1/6 η_qq(η_p, η_p)
  template <class S>
  S H3(const detail::Phase<S, N>& x) const {
    const auto own_eta = [this](const auto& y) { return eta_of(y); };
    const auto own_H2 = [this](const auto& y) { return H2(y); };
    const auto d = detail::directions(own_eta, x);
    using V = detail::Phase<S, N>;
    return detail::along(own_H2, x, V(d.in_q * S(-0.5) + d.in_p * S(-1.0 / 6))) -
           detail::along2(own_eta, x, d.in_q, d.in_q) * (1.0 / 6);
  }

  // H4 = -(½ (H3_q·η_p + H2_q·H2_p + η_q·H3_p) + S3 + S4), where
  //   3 S3 = -H2_q·H2_p + η_q·(S2)_p + ½ H2_qq(η_p, η_p) + η_qq(η_p, H2_p),   S2 = ½ (H2_q·η_p + η_q·H2_p)
  //   4 S4 = η_q·(S30)_p - η_qq(η_p, H2_p) + 1/6 η_qqq(η_p, η_p, η_p),        3 S30 = -η_q·H2_p + ½ η_qq(η_p,
  //   η_p)
  template <class S>
  S H4(const detail::Phase<S, N>& x) const {
    using V = detail::Phase<S, N>;
    const auto own_eta = [this](const auto& y) { return eta_of(y); };
    const auto own_H2 = [this](const auto& y) { return H2(y); };
    const auto own_H3 = [this](const auto& y) { return H3(y); };
    const auto S2 = [&](const auto& y) {
      const auto e = detail::directions(own_eta, y);
      return detail::along(own_H2, y, std::decay_t<decltype(y)>(e.in_q + e.in_p)) * 0.5;
    };
    const auto S30 = [&](const auto& y) {
      const auto e = detail::directions(own_eta, y);
      return (detail::along2(own_eta, y, e.in_q, e.in_q) * 0.5 - detail::along(own_H2, y, e.in_p)) *
             (1.0 / 3);
    };
    const auto d = detail::directions(own_eta, x), d2 = detail::directions(own_H2, x);
    const S H2q_H2p = contracted(own_H2, x), mixed = detail::along2(own_eta, x, d.in_q, d2.in_q);
    const S first = (detail::along(own_H3, x, V(d.in_q + d.in_p)) + H2q_H2p) * 0.5;
    const S third =
        (detail::along(S2, x, d.in_p) - H2q_H2p + detail::along2(own_H2, x, d.in_q, d.in_q) * 0.5 + mixed) *
        (1.0 / 3);
    const S fourth =
        (detail::along(S30, x, d.in_p) - mixed + detail::along3(own_eta, x, d.in_q) * (1.0 / 6)) * 0.25;
    return -(first + third + fourth);
  }
};

// H + h²(a A + b B + c C)/24.
template <System Sys>
struct ModifiedClosedForm {
  static constexpr int N = Sys::dim;
  Sys system;
  double a, b, c, h;

  template <class S>
  S operator()(const detail::Phase<S, N>& x) const {
    const auto H = [this](const auto& y) {
      using X = typename std::decay_t<decltype(y)>::Scalar;
      return hamiltonian(system, detail::as_state<X, N>(y));
    };
    const auto d = detail::directions(H, x);
    const S A = detail::along2(H, x, d.in_q, d.in_q), B = detail::along2(H, x, d.in_q, d.in_p),
            C = detail::along2(H, x, d.in_p, d.in_p);
    return H(x) + (A * a + B * b + C * c) * (h * h / 24);
  }
};

template <System Sys>
ModifiedClosedForm<Sys> modified_sva(const Sys& system, double h) {
  return {system, 2, 2, -1, h};
}
template <System Sys>
ModifiedClosedForm<Sys> modified_svb(const Sys& system, double h) {
  return {system, -1, 2, 2, h};
}
template <System Sys>
ModifiedClosedForm<Sys> modified_midpoint(const Sys& system, double h) {
  return {system, -1, 2, -1, h};
}

}  // namespace carom
