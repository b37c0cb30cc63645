// A system that is a sum of terms, each of few coordinates: what makes thousands of bodies affordable. The
// author states each term once, over any scalar, with the coordinates it sees:
//
//   struct BallColumn : LocalSystem<BallColumn> {
//     void potential(auto&& term) const {
//       for (int i = 0; i < n; ++i) term(std::array{i}, [this](const auto& y) { return m * g * y[0]; });
//     }
//     void contacts(auto&& gap) const {
//       gap(0, std::array{0}, [this](const auto& y) { return y[0] - r; });
//       ...
//     }
//     void each_joint(auto&& joint) const { ... }
//     int contacts_in_all() const { return n; }
//     int joints_in_all() const { return 0; }
//     const Values& masses() const { return mass; }
//   };
//
// Where contacts have friction (contact/friction/), mu(contact) is overridden and slides stand beside the
// gaps, one for each, or where slips_each() is 2 two, one behind the other:
//
//   void each_slide(auto&& slide) const { slide(0, std::array{1}, [](const auto& y) { return y[0]; }); ... }
//
// A term may take t before its coordinates; such a system says so by timed().
// Contacts are numbered from 0 and told in ascending order; one that cannot be near may be left out.
#pragma once

#include "carom/numerics/differentiate.hpp"
#include "carom/system/system.hpp"

namespace carom {

template <class Own>
class LocalSystem : public System {
 public:
  int size() const override { return static_cast<int>(own().masses().size()); }

  double slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const override {
    Lv = own().masses().cwiseProduct(v);
    Lq.setZero();
    double V = 0;
    own().potential([&](const auto& at, const auto& term) {
      const auto y = gradient(at_time(t, term), picked(q, at));
      V += y.value;
      for (std::size_t i = 0; i < at.size(); ++i) Lq[at[i]] -= y.gradient[i];
    });
    return 0.5 * v.dot(Lv) - V;
  }

  void curvature(double t, const Values& q, const Values&, const Weights& w, KktMatrix& into) const override {
    if (w.vv != 0)
      for (int i = 0; i < size(); ++i) into.add(i, i, w.vv * own().masses()[i]);
    if (w.qq == 0) return;
    own().potential([&](const auto& at, const auto& term) {
      const auto y = hessian(at_time(t, term), picked(q, at));
      for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t k = 0; k < at.size(); ++k) into.add(at[i], at[k], -w.qq * y.hessian(i, k));
    });
  }

  void stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const override {
    Vqq_u.setZero();
    own().potential([&](const auto& at, const auto& term) {
      const auto y = hessian(at_time(t, term), picked(q, at));
      const auto product = (y.hessian * picked(u, at)).eval();
      for (std::size_t i = 0; i < at.size(); ++i) Vqq_u[at[i]] += product[i];
    });
  }

  using System::drift;
  double drift(double t, const Values& q, const Values&, Values& Ltv) const override {
    double V_t = 0;
    own().potential([&](const auto& at, const auto& term) { V_t += drift_of(term, t, picked(q, at)); });
    return Ltv.setZero(), -V_t;
  }

  void couplings(Pairs& pairs) const override {
    own().potential([&](const auto& at, const auto&) {
      for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) pairs.push_back({at[i], at[k]});
    });
  }

  void mass_couplings(Pairs&) const override {}

  bool velocity(double, const Values&, const Values& p, Values& v) const override {
    v = p.cwiseQuotient(own().masses());
    return v.allFinite();
  }

  void gaps(double t, const Values& q, Values& g) const override {
    g.setConstant(contact_count(), HUGE_VAL);
    own().contacts([&](int i, const auto& at, const auto& gap) { g[i] = at_time(t, gap)(picked(q, at)); });
  }
  void gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const override {
    std::size_t next = 0;
    own().contacts([&](int i, const auto& at, const auto& gap) {
      for (; next < which.size() && which[next] < i; ++next) rows.end_row();  // left out: no gradient
      if (next == which.size() || which[next] != i) return;
      ++next;
      append(rows, at, gradient(at_time(t, gap), picked(q, at)).gradient, drift_of(gap, t, picked(q, at)));
    });
    for (; next < which.size(); ++next) rows.end_row();
  }

  int contact_count() const override { return own().contacts_in_all(); }
  int joint_count() const override { return own().joints_in_all(); }
  void joints(double t, const Values& q, Values& f) const override {
    f.resize(joint_count());
    int next = 0;
    own().each_joint(
        [&](const auto& at, const auto& joint) { f[next++] = at_time(t, joint)(picked(q, at)); });
  }
  void joint_slopes(double t, const Values& q, SparseRows& rows) const override {
    own().each_joint([&](const auto& at, const auto& joint) {
      append(rows, at, gradient(at_time(t, joint), picked(q, at)).gradient,
             drift_of(joint, t, picked(q, at)));
    });
  }

  void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override {
    bend.setZero();
    std::size_t next = 0;
    own().contacts([&](int i, const auto& at, const auto& gap) {
      while (next < which.size() && which[next] < i) ++next;
      if (next < which.size() && which[next] == i)
        bend[next] = at_time(passing(t), gap)(moving(q, u, at)).h[0];
    });
  }
  void joint_bends(double t, const Values& q, const Values& u, Values& bend) const override {
    bend.resize(joint_count());
    int next = 0;
    own().each_joint([&](const auto& at, const auto& joint) {
      bend[next++] = at_time(passing(t), joint)(moving(q, u, at)).h[0];
    });
  }

  bool has_slide(int) const override { return slides_are_told(); }
  void slides(double t, const Values& q, Values& s) const override {
    s.setZero(slips_each() * contact_count());
    each_slip(
        [&](int place, const auto& at, const auto& slide) { s[place] = at_time(t, slide)(picked(q, at)); });
  }
  void slip_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const override {
    const auto each = static_cast<std::size_t>(slips_each());
    std::size_t next = 0;  // row
    const auto place_of = [&](std::size_t row) {
      return static_cast<int>(each) * which[row / each] + static_cast<int>(row % each);
    };
    each_slip([&](int place, const auto& at, const auto& slide) {
      for (; next < each * which.size() && place_of(next) < place; ++next) rows.end_row();
      if (next == each * which.size() || place_of(next) != place) return;
      ++next;
      append(rows, at, gradient(at_time(t, slide), picked(q, at)).gradient,
             drift_of(slide, t, picked(q, at)));
    });
    for (; next < each * which.size(); ++next) rows.end_row();
  }
  void slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                  Eigen::Ref<Values> bend) const override {
    bend.setZero();
    const int each = slips_each();
    std::size_t next = 0;
    each_slip([&](int place, const auto& at, const auto& slide) {
      while (next < which.size() && which[next] < place / each) ++next;
      if (next < which.size() && which[next] == place / each)
        bend[each * static_cast<int>(next) + place % each] =
            at_time(passing(t), slide)(moving(q, v, at)).h[0];
    });
  }

 private:
  struct Ignore {
    void operator()(int, const auto&, const auto&) const {}
  };
  static constexpr bool slides_are_told() {
    return requires(const Own& own) { own.each_slide(Ignore{}); };
  }
  // Slides by their place among all, ascending.
  void each_slip(auto&& use) const {
    if constexpr (slides_are_told()) {
      const int each = slips_each();
      int contact = -1, number = 0;
      own().each_slide([&](int i, const auto& at, const auto& slide) {
        number = i == contact ? number + 1 : 0, contact = i;
        if (number < each) use(each * i + number, at, slide);
      });
    }
  }

  template <std::size_t K>
  static auto moving(const Values& q, const Values& u, const std::array<int, K>& at) {
    return along(picked(q, at), picked(u, at));
  }
  const Own& own() const { return static_cast<const Own&>(*this); }

  template <std::size_t K>
  static Vector<double, static_cast<int>(K)> picked(const Values& x, const std::array<int, K>& at) {
    Vector<double, static_cast<int>(K)> r;
    for (std::size_t i = 0; i < K; ++i) r[static_cast<int>(i)] = x[at[i]];
    return r;
  }
  static void append(SparseRows& rows, const auto& at, const auto& slopes, double drift) {
    for (std::size_t i = 0; i < at.size(); ++i) rows.push(at[i], slopes[static_cast<int>(i)]);
    rows.end_row(drift);
  }
  // A term of its coordinates alone, whether it takes t before them or not.
  static auto at_time(const auto& t, const auto& term) {
    return [&term, t](const auto& x) {
      using X = typename std::decay_t<decltype(x)>::Scalar;
      if constexpr (requires { term(X(t), x); })
        return term(X(t), x);
      else
        return term(x);
    };
  }
  static Dual2<double, 1> passing(double t) {
    Dual2<double, 1> r(t);
    r.d[0] = 1;
    return r;
  }
  template <int K>
  static double drift_of(const auto& term, double t, const Vector<double, K>& x) {
    using D = Dual<double, 1>;
    if constexpr (requires { term(t, x); })
      return term(D::variable(t, 0), Vector<D, K>(x.template cast<D>())).d[0];
    else
      return 0;
  }
};

}  // namespace carom
