// The discrete-smooth integrator (003, (5.6)-(5.9), with joints (7.8)-(7.9)): one step of a quadrature rule
// along joints f(q) = 0 and contacts g(q) >= 0 that the momentum is tangent to at the start. With v = (q1 -
// q0)/h:
//
//   p0 + minus(v) + G(q0) λ + F(q0) ν = 0,    0 <= λ ⟂ g(q1) >= 0,    f(q1) = 0        position
//   p1 = plus(v) + [F G_I](q1) μ,             [F G_I](q1)' v(q1, p1) = -[f g_I]_t       momentum
//
// DELI (2.6)-(2.8) is its frame: the first line without the complementarity and p1 = plus(v). Held as
// equalities, the contacts make the constrained variational flow; RATTLE is the case of svc. The sign of λ
// follows that of h, so that steps backwards are inverses of steps forwards. Tested in
// tests/laws/gvi_laws_test.cpp.
#pragma once

#include <limits>

#include "carom/flow/discrete_slopes.hpp"
#include "carom/flow/outcome.hpp"
#include "carom/flow/tangent.hpp"

namespace carom {

class SmoothStep {
 public:
  enum class Hold { unilateral, bilateral };  // contacts push only, or are held as if they were joints
  struct Options {
    bool joints = true;       // false: not even the joints act (the free predictor)
    bool linearized = false;  // gaps by their linear part at q0 (003, Fig. 8.2 d)
  };

  explicit SmoothStep(const System& m);

  // (q, p) over one step of h, in place; `contacts` ascending.
  Outcome operator()(const Rule& rule, double t, double h, Values& q, Values& p,
                     std::span<const int> contacts, Hold hold, const Options& how);

  // Of the step taken last.
  DiscreteSlopes Ld;
  Values v;                                                      // (q1 - q0)/h
  std::vector<char> pressing;                                    // per contact: whether it acted
  double multiplier(int k) const { return lambda[joints + k]; }  // impulse of contact k

 private:
  static constexpr int most_iterations = 60;
  // Newton's method goes on until nothing is gained: what is left of the residual has a sign, and momenta of
  // symmetries drift with it.
  static constexpr double rounding = std::numeric_limits<double>::epsilon(), good_enough = 1e-12;

  void begin(const Rule& rule, double t, const Values& q, std::span<const int> contacts, const Options& o);
  void measure(double t, double h, const Values& q);
  double look(const Rule& rule, double t, double h, const Values& q, const Values& p);
  double off_balance(const Values& p);
  void weigh(double h, const Values& q);
  void constraints_at_end(double t, double h, const Values& q);
  Outcome solve_active_set(const Rule& rule, double t, double h, const Values& q, const Values& p);
  bool choose_pressing(double h);
  bool newton(const Rule& rule, double t, double h, const Values& q);
  Outcome solve_smoothed(const Rule& rule, double t, double h, const Values& q, const Values& p,
                         int iterations);  // smoothed.cpp
  Outcome finish(double t1, Values& q, Values& p, Outcome r);

  const System& system;
  Tangent tangent;
  Options options;
  std::vector<int> units;  // of the coordinates
  System::Pairs all_pairs, mass_pairs;
  std::vector<int> held;
  int joints = 0, count = 0;                      // constraints: joints first, then contacts
  SparseRows gradients, end_gradients, touching;  // at q0 and q1
  KktMatrix matrix;
  ChangingValues lambda, value, change_of_lambda;
  Values residual, q1, joint_values, gap_values, gaps_at_start, change;
  ChangingValues sizes;  // of the numbers that each constraint is made of
  Values kick, terms, of_unit;
  // Units of the coordinates against each other, √(A_00 / A_ii) as powers of two; known from Newton's first
  // matrix on.
  Values sigma;
  bool weighed = false;
  bool unilateral = true;
};

}  // namespace carom
