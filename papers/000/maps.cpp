#include "maps.hpp"

#include "carom/carom.hpp"
#include "carom/flow/modified_law.hpp"

namespace carom::papers::p000 {
namespace {

struct HenonHeiles {
  static constexpr int dim = 2;
  static constexpr std::array coordinate_names{"x", "y"};
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3.0;
  }
};

const auto henon_heiles = make_system(HenonHeiles{}), cart = make_system(CartPendulum{});
const Rule trapezoidal{{0, 0.5}, {1, 0.5}};

Phase state_of(const Point& z) { return {Values{{z[0], z[1]}}, Values{{z[2], z[3]}}}; }
Point point_of(const Phase& z) { return {z.q[0], z.q[1], z.p[0], z.p[1]}; }

const System& system_of(Example example) { return example == Example::separable ? *henon_heiles : *cart; }

Point step_of(Example example, const Flow& flow, double h, const Point& z) {
  Phase end = state_of(z);
  (void)(*make_free_flow(system_of(example)))(flow, 0.0, h, end);
  return point_of(end);
}

ModifiedHamiltonian series(const System& system, double h, int terms) {
  return ModifiedHamiltonian::series(system.over_nilpotents(), trapezoidal, h, terms);
}
double value_at(const ModifiedHamiltonian& modified, const Point& z) {
  return modified.value(state_of(z).q, state_of(z).p);
}
double shadow_energy(const Flow& flow, double h, const Point& z, int order) {
  return HeldFlow(*cart).shadow_energy(SteadyFlow(flow, h), 0, state_of(z), order / 2, {});
}

// (19) and (20) with the function p1·q0 + h η(q0, p1): p1 = p0 - h η_q, q1 = q0 + h η_p. The iteration for p1
// contracts by O(h).
template <class Slope>
Point generated(const Slope& slope_of_eta, double h, const Point& z) {
  Vector<double, 4> x(z[0], z[1], z[2], z[3]);
  for (int i = 0; i < 100; ++i) {
    const Vector<double, 4> slope = slope_of_eta(x);
    x[2] = z[2] - h * slope[0], x[3] = z[3] - h * slope[1];
  }
  const Vector<double, 4> slope = slope_of_eta(x);
  return {z[0] + h * slope[2], z[1] + h * slope[3], x[2], x[3]};
}

// (25) over h, with p½ and q1 from sva's own equations; in dual numbers the iteration carries derivatives
// along.
template <SystemStruct Sys, class S>
S sva_function(const Sys& system, double h, const Vector<S, 4>& x) {
  const State<S, 2> ends{x.head(2), x.tail(2)};  // q0 and p1
  Vector<S, 2> q1 = ends.q, half = ends.p;
  const auto at = [&](const Vector<S, 2>& q) { return rates(system, S(0.0), State<S, 2>{q, half}); };
  for (int i = 0; i < 60; ++i) {
    half = ends.p - at(q1).p * S(h / 2);
    q1 = ends.q + (at(ends.q).q + at(q1).q) * S(h / 2);
  }
  const auto H = [&](const Vector<S, 2>& q) { return hamiltonian(system, 0.0, State<S, 2>{q, half}); };
  const auto first = at(ends.q), last = at(q1);
  return (H(ends.q) + H(q1)) * 0.5 + last.p.dot(first.q + last.q) * (h / 4);
}

}  // namespace

Point step_of_svc(Example example, double h, const Point& z) { return step_of(example, svc(), h, z); }
Point step_of_sva(Example example, double h, const Point& z) { return step_of(example, sva(), h, z); }

Point step_by_right_hamiltonian(Example example, double h, const Point& z) {
  const auto eta = series(system_of(example), h, 1);
  const auto slope = [&eta](const Vector<double, 4>& x) {
    Vector<double, 4> r;
    eta.gradient(x.head(2), x.tail(2), r.head(2), r.tail(2));
    return r;
  };
  return generated(slope, h, z);
}
Point step_by_sva_function(Example example, double h, const Point& z) {
  const auto by_function_of = [&](const auto& system) {
    const auto function = [&](const auto& x) { return sva_function(system, h, x); };
    return generated([&](const Vector<double, 4>& x) { return gradient(function, x).gradient; }, h, z);
  };
  return example == Example::separable ? by_function_of(HenonHeiles{}) : by_function_of(CartPendulum{});
}

double series_of_svc(int terms, double h, const Point& z) { return value_at(series(*cart, h, terms), z); }
double closed_form_of_sva(double h, const Point& z) {
  return value_at(ModifiedHamiltonian::of_flow(cart->over_nilpotents(), sva(), h, 2), z);
}
double shadow_of_svc(double h, const Point& z, int order) { return shadow_energy(svc(), h, z, order); }
double shadow_of_sva(double h, const Point& z) { return shadow_energy(sva(), h, z, 16); }
Point flow_of_series(int terms, double h, const Point& z) {
  Phase end = state_of(z);
  (void)advance_by_hamiltonian(series(*cart, h, terms), gauss_table(4), h, end.q, end.p);
  return point_of(end);
}

namespace {

double explicit_defect(const Flow& flow, double h, const Point& z) {
  const Phase start = state_of(z);
  Phase end = start;
  const Spent step = (*make_free_flow(*cart))(flow, 0.0, h, end);
  const Values v = (end.q - start.q) / h;  // the same in both halves of sva, where nothing is solved
  Values Lq(2), Lv(2);
  const double L0 = cart->slopes(0, start.q, v, Lq, Lv), L1 = cart->slopes(0, end.q, v, Lq, Lv);
  return std::abs(h / 2 * (L0 + L1) - step.action);
}

}  // namespace

double explicit_defect_of_svc(double h, const Point& z) { return explicit_defect(svc(), h, z); }
double explicit_defect_of_sva(double h, const Point& z) { return explicit_defect(sva(), h, z); }

}  // namespace carom::papers::p000
