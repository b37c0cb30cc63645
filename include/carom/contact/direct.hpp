// Direct substitution (003, 1.3.1 and Appendix B): contact forces put into a symplectic method as if they
// were any force. Baselines: they keep g >= 0 where the constraint is evaluated, and no energy (Theorem B.1).
// For a constant mass, with x = q + h v and q_c = q + c h v:
//
//   M v = p - h/2 Σ a_i ∇V(x_i) + w0 e + w1 G(q_c) λ,    0 <= λ ⟂ g(q_c) >= 0
//   p1  = p - h   Σ b_i ∇V(x_i) + u0 e + u1 G(q_c) λ
//
//   midpoint        (B.3)-(B.4)    x = middle        c = 1/2
//   endpoint        (B.5)          x = middle        c = 1
//   newmark         (B.8)-(B.9)    x = both ends     c = 1, e = G λ of the step before
//   imex-newmark    (B.10)-(B.11)  x = both ends     c = 1
//
// Tested in tests/laws/direct_test.cpp.
#pragma once

#include "carom/contact/gvi.hpp"

namespace carom {

struct DirectScheme {
  struct Point {
    double c, a, b;  // where ∇V is taken, and how much of it enters v and p1
  };
  std::vector<Point> points;
  double c = 1;                             // where the constraint is evaluated
  double w0 = 0, w1 = 0.5, u0 = 0, u1 = 1;  // how much of the impulses before and now enters v and p1

  static DirectScheme midpoint() { return {{{0.5, 1, 1}}, 0.5}; }
  static DirectScheme endpoint() { return {{{0.5, 1, 1}}, 1}; }
  static DirectScheme newmark(double beta, double gamma);
  static DirectScheme imex_newmark(double beta, double gamma);
};

class DirectStepper final : public Stepper {
 public:
  using Z = Phase;

  DirectStepper(SystemRef sys, DirectScheme s, double step);

  const Stepped& step(double t, const Z& start) override;

  void numbers(KeptNumbers& f) override {
    for (Eigen::Index i = 0; i < before_kick.size(); ++i) f(before_kick[i]);
    f(solved);
  }
  std::int64_t solves() const override { return solved; }

 private:
  static constexpr int most_rounds = 100, most_iterations = 200;

  Outcome solve(double t);
  double look(double t);
  void weigh(double t, const Values& q);
  void count_terms(const Values& some, double factor);
  double off_balance();
  void slopes_at(double t, double c);
  void constrain(double at);
  bool newton(double t);
  bool settle();
  const Stepped& finish(double t, const Outcome& outcome);
  void record(double t, const Values& free, const Z& end);
  const Stepped& failure(Status status, double residual_left);

  SystemRef shared;
  const System& system;
  DirectScheme scheme;
  double h;
  GapScales scales;
  Z z;
  std::vector<std::array<int, 2>> pairs;
  std::vector<int> pressed, next;
  SparseRows gradients;
  KktMatrix matrix;
  std::vector<int> units;        // of the coordinates
  Values terms, of_unit, sigma;  // sigma: the coordinates against each other (unit_of_mass.hpp)
  Values v, rest, x_i, Lq, Lv, kick, before_kick, residual, q_c;
  Values lambda, value, numbers_there, gaps_there, change, change_of_lambda;
  double work = 0;  // of forces
  std::int64_t solved = 0;
  std::vector<Impact> impacts;
  Stepped result;
};

}  // namespace carom
