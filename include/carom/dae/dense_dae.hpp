// A DAE that is written over any scalar, with its derivatives: exact ones, a few directions per pass.
// Tested in tests/laws/dae_laws_test.cpp.
#pragma once

#include "carom/dae/dae.hpp"
#include "carom/numerics/differentiate.hpp"

namespace carom {

template <OverdeterminedDae D>
class DenseDae : public Dae {
  static constexpr int ny = D::ny, nz = D::nz;
  static constexpr int width = 4;  // directions per pass
  template <class S>
  using Multipliers = decltype(std::declval<const D&>().g(std::declval<const Vector<S, ny>&>()));

  // A point with derivatives in a few of the directions y, z, psi.
  template <class S>
  struct Point {
    Vector<S, ny> y;
    Vector<S, nz> z;
    Multipliers<S> psi;
  };

 public:
  explicit DenseDae(D d) : dae(std::move(d)) {
    size_ = {ny, nz, static_cast<int>(dae.g(Vector<double, ny>(Vector<double, ny>::Zero())).size())};
    if constexpr (requires { dae.coordinate_count(); }) size_.y = size_.z = dae.coordinate_count();
  }

  DaeSizes sizes() const override { return size_; }

  void motion(double t, const Values& y, const Values& z, DaeMotion& m) const override {
    m.v.resize(size_.y), m.f.resize(size_.z), m.p.resize(size_.z);
    m.v_y.resize(size_.y, size_.y), m.v_z.resize(size_.y, size_.z);
    for (Dense* x : {&m.f_y, &m.p_y}) x->resize(size_.z, size_.y);
    for (Dense* x : {&m.f_z, &m.p_z}) x->resize(size_.z, size_.z);
    in_passes(y, z, nullptr, [&](const auto& x, int begin) {
      take(dae.v(x.y, x.z), begin, m.v, m.v_y, m.v_z);
      take(force(t, x.y, x.z), begin, m.f, m.f_y, m.f_z);
      take(momentum(x.y, x.z), begin, m.p, m.p_y, m.p_z);
    });
  }

  void reaction(const Values& y, const Values& z, const Values& psi, double friction,
                DaeReaction& m) const override {
    m.r.resize(size_.z), m.r_y.resize(size_.z, size_.y), m.r_z.resize(size_.z, size_.z);
    m.r_psi.resize(size_.z, size_.g);
    in_passes(y, z, &psi, [&](const auto& x, int begin) {
      auto r = dae.r(x.y, x.z, x.psi);
      using S = typename decltype(r)::Scalar;
      if constexpr (rubs)
        if (friction != 0) r = r + dae.friction(x.y, x.z, unlike_zero(x.psi)) * S(friction);
      take(r, begin, m.r, m.r_y, m.r_z, &m.r_psi);
    });
  }

  void constraint(const Values& y, const Values& z, DaeConstraint& m) const override {
    m.g.resize(size_.g), m.c.resize(size_.g);
    for (Dense* x : {&m.g_y, &m.c_y}) x->resize(size_.g, size_.y);
    m.c_z.resize(size_.g, size_.z);
    Dense g_z(0, 0);
    in_passes(y, z, nullptr, [&](const auto& x, int begin) {
      take(dae.g(x.y), begin, m.g, m.g_y, g_z);
      take(rate(x.y, dae.v(x.y, x.z)), begin, m.c, m.c_y, m.c_z);
    });
  }

  void gaps(const Values& y, Values& g) const override {
    const auto all = dae.g(padded<ny>(y));
    g.resize(size_.g);
    for (int i = 0; i < size_.g; ++i) g[i] = all[i];
  }
  bool z_of(const Values& y, const Values& p, Values& z) const override {
    if constexpr (requires(Vector<double, ny> a, Vector<double, nz> b) { dae.z_of(a, b, b); }) {
      Vector<double, nz> own;
      const bool ok = dae.z_of(padded<ny>(y), padded<nz>(p), own);
      z = own.head(size_.z);
      return ok;
    } else if constexpr (requires(Vector<double, ny> a, Vector<double, nz> b) { dae.p(a, b); }) {
      return solve_for_z(*this, y, p, z);
    } else {
      return z = p, true;
    }
  }

  bool one_sided(int i) const override {
    if constexpr (requires { dae.one_sided(i); }) return dae.one_sided(i);
    return false;
  }
  bool has_friction() const override {
    if constexpr (requires { dae.has_friction(); }) return dae.has_friction();
    return rubs;
  }
  bool is_forced() const override {
    if constexpr (requires { dae.is_forced(); }) return dae.is_forced();
    return false;
  }
  bool depends_on_time() const override { return timed && is_forced(); }
  double energy(const Values& y, const Values& z) const override {
    if constexpr (requires(Vector<double, ny> a, Vector<double, nz> b) { dae.energy(a, b); })
      return dae.energy(padded<ny>(y), padded<nz>(z));
    return std::nan("");
  }
  double force_power(double t, const Values& y, const Values& z) const override {
    if constexpr (requires(Vector<double, ny> a, Vector<double, nz> b) { dae.force_power(t, a, b); })
      return dae.force_power(t, padded<ny>(y), padded<nz>(z));
    return 0;
  }
  double friction_power(const Values& y, const Values& z, const Values& psi) const override {
    if constexpr (rubs) {
      const Point<double> x = point(y, z, psi);
      return dae.v(x.y, x.z).dot(dae.friction(x.y, x.z, x.psi));
    }
    return 0;
  }

  std::string coordinate_name(int i) const override {
    if constexpr (requires { dae.coordinate_name(i); }) return dae.coordinate_name(i);
    return Dae::coordinate_name(i);
  }
  std::string constraint_name(int i) const override {
    if constexpr (requires { dae.constraint_name(i); }) return dae.constraint_name(i);
    return Dae::constraint_name(i);
  }
  void momenta(const Values& y, const Values& p,
               const std::function<void(const char*, double)>& tell) const override {
    if constexpr (requires(Vector<double, ny> a) { dae.momenta(a, a, tell); })
      dae.momenta(padded<ny>(y), padded<nz>(p), tell);
  }

 private:
  static constexpr bool rubs = requires(const D& d, const Point<double>& x) { d.friction(x.y, x.z, x.psi); };
  static constexpr bool timed = requires(const D& d, const Point<double>& x) { d.f(0.0, x.y, x.z); };

  // Laws such as |psi|^0.85 have no slope at 0: there they are asked at a number too small to matter.
  template <class Psi>
  static Psi unlike_zero(Psi psi) {
    for (auto& x : psi)
      if (x.a == 0) x.a = 1e-200;
    return psi;
  }
  template <int N>
  static Vector<double, N> padded(const Values& x) {
    Vector<double, N> r = Vector<double, N>::Zero();
    r.head(x.size()) = x;
    return r;
  }
  Point<double> point(const Values& y, const Values& z, const Values& psi) const {
    Point<double> x{padded<ny>(y), padded<nz>(z), dae.g(padded<ny>(y))};
    for (int i = 0; i < size_.g; ++i) x.psi[i] = psi[i];
    return x;
  }

  template <class S>
  Vector<S, nz> force(double t, const Vector<S, ny>& y, const Vector<S, nz>& z) const {
    if constexpr (timed)
      return dae.f(S(t), y, z);
    else
      return dae.f(y, z);
  }
  template <class S>
  Vector<S, nz> momentum(const Vector<S, ny>& y, const Vector<S, nz>& z) const {
    if constexpr (requires { dae.p(y, z); })
      return dae.p(y, z);
    else
      return z;
  }
  // g_y v: the derivative of g along v.
  template <class S>
  Multipliers<S> rate(const Vector<S, ny>& y, const Vector<S, ny>& v) const {
    using D1 = Dual<S, 1>;
    Vector<D1, ny> moving;
    for (int i = 0; i < ny; ++i) moving[i] = D1(y[i]), moving[i].d[0] = v[i];
    const auto g = dae.g(moving);
    Multipliers<S> r(g.size());
    for (int i = 0; i < g.size(); ++i) r[i] = g[i].d[0];
    return r;
  }

  // Calls see(point, begin) with directions begin, begin + 1, ... of (y, z, psi) until all have had their
  // turn.
  template <class See>
  void in_passes(const Values& y, const Values& z, const Values* psi, const See& see) const {
    using S = Dual<double, width>;
    const int all = size_.y + size_.z + (psi ? size_.g : 0);
    Point<S> x;
    for (int begin = 0; begin < all; begin += width) {
      const auto seed = [begin](double value, int direction) {
        const int k = direction - begin;
        return k >= 0 && k < width ? S::variable(value, k) : S(value);
      };
      x.y.setConstant(S(0.0)), x.z.setConstant(S(0.0));
      for (int i = 0; i < size_.y; ++i) x.y[i] = seed(y[i], i);
      for (int i = 0; i < size_.z; ++i) x.z[i] = seed(z[i], size_.y + i);
      x.psi.resize(size_.g);
      for (int i = 0; i < size_.g; ++i) x.psi[i] = seed(psi ? (*psi)[i] : 0, size_.y + size_.z + i);
      see(x, begin);
    }
  }

  // One pass's values and columns.
  template <class Result>
  void take(const Result& from, int begin, Values& value, Dense& by_y, Dense& by_z,
            Dense* by_psi = nullptr) const {
    for (int i = 0; i < value.size(); ++i) {
      value[i] = from[i].a;
      for (int k = 0; k < width; ++k) {
        int column = begin + k;
        if (column < size_.y) {
          by_y(i, column) = from[i].d[k];
        } else if (column -= size_.y; column < size_.z) {
          if (by_z.size() > 0) by_z(i, column) = from[i].d[k];
        } else if (column -= size_.z; by_psi && column < size_.g) {
          (*by_psi)(i, column) = from[i].d[k];
        }
      }
    }
  }

  D dae;
  DaeSizes size_;
};

}  // namespace carom
