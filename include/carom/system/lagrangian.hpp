// Derivatives of L at a point (q, v), with the configuration fixed first: where L = ½ v'M(q) v - V(q), all
// that depends on q is evaluated once and serves any v. Newton's method asks again and again with a new v.
//
//   LagrangianAt<Sys, S, Need::mixed> here(system, t, q);   auto jet = here.jet(v);   jet.Lq, jet.Lv, ...
//
// A system may bring its own derivatives: jet<need>(t, q, v), fibre(t, q, v) with Lv and Lvv, and, where its
// mass is constant, constant_mass() and potential_slope(t, q) with V and ∇V.
#pragma once

#include "carom/numerics/differentiate.hpp"
#include "carom/system/system_struct.hpp"

namespace carom {

enum class Need {
  slopes,  // L, Lq, Lv
  mixed,   // and Lqv, Lvv
  all,     // and Lqq
};

template <class S, int N>
struct LagrangianJet {
  S L;
  Vector<S, N> Lq, Lv;
  Matrix<S, N> Lqv;  // (k, i): ∂²L/∂q_k∂v_i
  Matrix<S, N> Lvv, Lqq;

  S energy(const Vector<S, N>& v) const { return v.dot(Lv) - L; }  // E = v·∂L/∂v - L
};

// ∂L/∂v and ∂²L/∂v² alone.
template <class S, int N>
struct Fibre {
  Vector<S, N> Lv;
  Matrix<S, N> Lvv;
};

template <class Sys>
concept OwnDerivatives = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.template jet<Need::mixed>(0.0, q, q);
  s.fibre(0.0, q, q);
};

// ∂L/∂v alone: no derivative in q is taken.
template <SystemStruct Sys, class S>
Vector<S, Sys::dim> momentum(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q,
                             const Vector<S, Sys::dim>& v) {
  if constexpr (OwnDerivatives<Sys>) {
    return system.fibre(t, q, v).Lv;
  } else if constexpr (ConstantMass<Sys>) {
    return system.mass().template cast<S>() * v;
  } else if constexpr (VariableMass<Sys>) {
    return inlined<S>([&] { return Vector<S, Sys::dim>(system.mass(q) * v); });
  } else {
    const auto f = [&](const auto& u) {
      using X = typename std::decay_t<decltype(u)>::Scalar;
      return lagrangian(system, X(t), Vector<X, Sys::dim>(q.template cast<X>()), u);
    };
    return inlined<S>([&] { return gradient(f, v); }).gradient;
  }
}

// How a system states L; each form has its own way to derivatives. A size known at run time takes the general
// one.
enum class Form { general, variable_mass, constant_mass, own };
template <SystemStruct Sys>
constexpr Form form_of() {
  if (OwnDerivatives<Sys>) return Form::own;
  if (ConstantMass<Sys>) return Form::constant_mass;
  return VariableMass<Sys> && Sys::dim != Eigen::Dynamic ? Form::variable_mass : Form::general;
}

template <SystemStruct Sys, class S, Need need, Form form = form_of<Sys>()>
class LagrangianAt;

// L as the user wrote it: one pass over the 2N variables (q, v).
template <SystemStruct Sys, class S, Need need>
class LagrangianAt<Sys, S, need, Form::general> {
  static constexpr int N = Sys::dim, twice = N == Eigen::Dynamic ? N : 2 * N;

 public:
  LagrangianAt(const Sys& sys, const S& time, const Vector<S, N>& at) : system(sys), t(time), q(at) {}

  LagrangianJet<S, N> jet(const Vector<S, N>& v) const {
    return inlined<S>([&] { return jet_here(v); });
  }

 private:
  LagrangianJet<S, N> jet_here(const Vector<S, N>& v) const {
    const int n = static_cast<int>(q.size());
    const auto f = [this, n](const auto& x) {
      using X = typename std::decay_t<decltype(x)>::Scalar;
      return lagrangian(system, X(t), Vector<X, N>(x.head(n)), Vector<X, N>(x.tail(n)));
    };
    Vector<S, twice> x(2 * n);
    x << q, v;
    LagrangianJet<S, N> r;
    if constexpr (need == Need::slopes) {
      const auto y = gradient(f, x);
      r.L = y.value, r.Lq = y.gradient.head(n), r.Lv = y.gradient.tail(n);
    } else {
      const auto y = hessian(f, x);
      r.L = y.value, r.Lq = y.gradient.head(n), r.Lv = y.gradient.tail(n);
      r.Lqv = y.hessian.topRightCorner(n, n), r.Lvv = y.hessian.bottomRightCorner(n, n);
      if constexpr (need == Need::all) r.Lqq = y.hessian.topLeftCorner(n, n);
    }
    return r;
  }

  const Sys& system;
  S t;
  Vector<S, N> q;
};

// L = ½ v'M(q) v - V(q): derivatives in the N directions of q only, and those in v are known.
template <SystemStruct Sys, class S, Need need>
class LagrangianAt<Sys, S, need, Form::variable_mass> {
  static constexpr int N = Sys::dim;
  using D = std::conditional_t<need == Need::all, Dual2<S, N>, Dual<S, N>>;

 public:
  LagrangianAt(const Sys& system, const Time<S>& t, const Vector<S, N>& q) {
    inlined<S>([&] {
      const Vector<D, N> x = detail::seeded<D>(q);
      M = system.mass(x);
      V = potential_of(system, D(t), x);
    });
  }

  LagrangianJet<S, N> jet(const Vector<S, N>& v) const {
    return inlined<S>([&] { return jet_here(v); });
  }

 private:
  LagrangianJet<S, N> jet_here(const Vector<S, N>& v) const {
    LagrangianJet<S, N> r;
    D twice_kinetic(0.0);
    for (int i = 0; i < N; ++i) {
      D p = M(i, 0) * v[0];  // (M v)_i
      for (int j = 1; j < N; ++j) p = p + M(i, j) * v[j];
      twice_kinetic = twice_kinetic + p * v[i];
      r.Lv[i] = p.a;
      for (int k = 0; k < N; ++k) r.Lqv(k, i) = p.d[k], r.Lvv(i, k) = M(i, k).a;
    }
    const D L = twice_kinetic * 0.5 - V;
    r.L = L.a;
    for (int k = 0; k < N; ++k) r.Lq[k] = L.d[k];
    if constexpr (need == Need::all)
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < N; ++k) r.Lqq(i, k) = L.h[D::index(i, k)];
    return r;
  }

  Matrix<D, N> M;
  D V;
};

// Derivatives that the system brings itself.
template <SystemStruct Sys, class S, Need need>
class LagrangianAt<Sys, S, need, Form::own> {
  static constexpr int N = Sys::dim;

 public:
  LagrangianAt(const Sys& sys, const S& time, const Vector<S, N>& at) : system(sys), t(time), q(at) {}
  LagrangianJet<S, N> jet(const Vector<S, N>& v) const { return system.template jet<need>(t, q, v); }

 private:
  const Sys& system;
  S t;
  Vector<S, N> q;
};

// L = ½ v'M v - V(q).
template <SystemStruct Sys, class S, Need need>
class LagrangianAt<Sys, S, need, Form::constant_mass> {
  static constexpr int N = Sys::dim;

 public:
  LagrangianAt(const Sys& system, const Time<S>& t, const Vector<S, N>& q)
      : M(system.mass().template cast<S>()) {
    const auto f = [&](const auto& x) {
      using X = typename std::decay_t<decltype(x)>::Scalar;
      return potential_of(system, X(t), Vector<X, N>(x));
    };
    if constexpr (need == Need::all) {
      const auto y = inlined<S>([&] { return hessian(f, q); });
      V = y.value, Vq = y.gradient, Vqq = y.hessian;
    } else {
      const auto y = inlined<S>([&] { return gradient(f, q); });
      V = y.value, Vq = y.gradient;
    }
  }

  LagrangianJet<S, N> jet(const Vector<S, N>& v) const {
    return inlined<S>([&] { return jet_here(v); });
  }

 private:
  LagrangianJet<S, N> jet_here(const Vector<S, N>& v) const {
    LagrangianJet<S, N> r;
    r.Lv = M * v;
    r.L = 0.5 * v.dot(r.Lv) - V;
    r.Lq = -Vq;
    r.Lqv = Matrix<S, N>::Zero(M.rows(), M.rows());
    r.Lvv = M;
    if constexpr (need == Need::all) r.Lqq = -Vqq;
    return r;
  }

  Matrix<S, N> M, Vqq;
  S V;
  Vector<S, N> Vq;
};

}  // namespace carom
