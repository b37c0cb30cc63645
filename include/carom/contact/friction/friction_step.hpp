// One step of a quadrature rule along joints and contacts that slide or stick. With v = (q1 - q0)/h and the
// slopes of L_d (discrete_slopes.hpp), reaction columns B and constraint rows C differ where a contact
// slides:
//
//                        column of B          row of C    position equation
//   joint                F                    F'          f(q1) = 0
//   sliding              N - mu T' sign(u)    N'          g(q1) = 0
//   sticking, normal     N                    N'          g(q1) = 0
//   sticking, along it   T'                   T           s(q1) = s where it began to stick, or without a
//   slide
//                                                         T(q½) (q1 - q0) + h w(q½) = 0, q½ = (q0 + q1)/2
//
// with u/|u| in place of the sign in space, and mu(|u|) where it depends on the speed, each at its own end:
// u(q0, v0) in the first line, u(q1, v1) in the second, which is then solved by Newton's method.
//
//   p0 + minus(v) + B(q0) λ = 0  with the position equations;    p1 = plus(v) + B(q1) μ,  C(q1) v1 + w = 0
//
// Exchange the ends and the sign of h: the same equations. So the step is symmetric, of order 2 and fit for
// composition; λ changes its sign with h. Work of friction is that of both reactions along v. Tested in
// tests/laws/friction_laws_test.cpp.
#pragma once

#include "carom/contact/friction/modes.hpp"
#include "carom/flow/discrete_slopes.hpp"
#include "carom/flow/outcome.hpp"

namespace carom {

// Per contact of a system.
struct FrictionModes {
  std::vector<Mode> mode;
  std::vector<double> place;  // s where what sticks began to
  // In space: the direction of a slip, known last; where it is no faster than `standing`, as when it begins,
  // the one that it takes.
  std::vector<double> direction, standing;
};

class FrictionStep {
 public:
  explicit FrictionStep(const System& m);

  // (q, p) over one step of h, in place; `contacts` ascending, each with its mode.
  Outcome operator()(const Rule& rule, double t, double h, Values& q, Values& p,
                     std::span<const int> contacts, const FrictionModes& modes);

  // p along joints and contacts at one point: C v + w = 0 by means of B.
  bool project(double t, const Values& q, Values& p, std::span<const int> contacts,
               const FrictionModes& modes);

  // The nearest place to q where all of them, and the joints, are closed, and what sticks is where it began
  // to.
  bool close(double t, const Values& q, std::span<const int> contacts, const FrictionModes& modes,
             Values& closed);

  // Of the step taken last.
  DiscreteSlopes Ld;
  Values v;             // (q1 - q0)/h
  double friction = 0;  // its work

 private:
  void begin(const Rule& rule, double t, const Values& q, std::span<const int> contacts,
             const FrictionModes& modes);
  struct Stuck {  // a tangential row of held contact k
    int k, row;
  };

  struct Slip {
    double speed;
    std::array<double, 2> direction;
  };

  Slip slip_of(int k, const Values& v) const;
  void find_grips(const Values& v, std::vector<double>& grips);
  bool turns() const;
  void add_columns(double t, const Values& q, const Values& v, std::vector<double>& grips,
                   SparseRows& columns);
  void add_rows(double t, const Values& q);
  void constraints_at_end(double t, double h, const Values& q);
  double look(const Rule& rule, double t, double h, const Values& q, const Values& p);
  bool is_implied(int k) const;
  bool drifts(int k) const;
  bool leave_out_what_drifts(const Rule& rule, double t, double h, const Values& q);
  bool fill(const Rule& rule, double t, double h, const Values& q);
  double off_balance(const Values& p);
  void measure(double t, double h, const Values& q);
  bool newton(const Rule& rule, double t, double h, const Values& q);
  bool rests(const Rule& rule, double t, double h, const Values& q, const Values& p);
  bool make_tangent(double t, const Values& q, Values& p);
  bool make_tangent_as_it_turns(double t, const Values& q, Values& p);
  void arrange_turning();
  void add_turning();
  double turn_once(double t, const Values& q, const Values& p, bool newton);
  bool factor_tangent(double t, const Values& q);
  double friction_power(double t, const Values& q, const ChangingValues& impulses,
                        const std::vector<double>& grips);

  const System& system;
  const FrictionModes* modes = nullptr;
  std::vector<int> units, held;
  std::vector<Stuck> sticking;
  int each;
  System::Pairs all_pairs, mass_pairs, turning_pairs;
  int joints = 0, count = 0, all = 0;  // constraints: joints, contacts, and what sticks
  SparseRows columns, end_columns, rows, slips;
  KktMatrix matrix, tangent;
  ChangingValues lambda, value, change_of_lambda, sizes, mu;
  Values residual, q1, middle, joint_values, gap_values, slide_values, change, kick, terms, of_unit, v1;
  std::vector<double> grips, end_grips;  // of sliding contacts, each tangent: mu u/|u|
  bool factored = false;
  std::vector<char> freed;  // constraints that are left out
  double work = 0;          // of what moves joints and walls, at the end
};

}  // namespace carom
