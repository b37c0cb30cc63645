// Modified Hamiltonians: what a variational flow conserves, as a series in h.
//
// From the discrete Lagrangian of a rule (000, Theorem 2): with p = D2 L_d(q, q1, h) and
//   η(q, p) = p·(q1 - q)/h - L_d(q, q1, h)/h                                                     (000, (24))
// the modified Hamiltonian is η + h H2 + h² H3 + h³ H4 + ..., and the Hamilton-Jacobi recursion (30) gives
// the terms. (000's Appendix A prints them with misprints.) Carried out, with the directions
// a = (η_p, 0), b = (0, η_q) of phase space and the vectors α = η''a, β = η''b,
//   H2 = -½ η_q·η_p
//   H3 = 1/12 [η''(a, a) + 4 η''(a, b) + η''(b, b)]
//   H4 = -1/12 [η'''(a, b, a + b) + α_q·α_p + α_q·β_p + 3 β_q·α_p + β_q·β_p]
//
// In closed form to order h² for compositions and the midpoint rule, with A = H_qq(H_p, H_p),
// B = H_qp(H_p, H_q), C = H_pp(H_q, H_q):
//   sva: H + h²(2A + 2B - C)/24     svb: H + h²(-A + 2B + 2C)/24     midpoint: H + h²(-A + 2B - C)/24
// These are H3 with other factors, since H is the η of a rule with its one node at the start.
// Tested in tests/laws/modified_test.cpp.
#pragma once

#include "carom/flow/flow.hpp"
#include "carom/system/nilpotent_lagrangian.hpp"

namespace carom {

// Of η''(a, a), η''(a, b) and η''(b, b).
struct ContractionFactors {
  double aa = 0, ab = 0, bb = 0;
};

// A truncated modified Hamiltonian of a system that is known at run time only. Threads may share it. Nothing
// allocates after a thread's first call for a size.
class ModifiedHamiltonian {
 public:
  using Lagrangian = std::shared_ptr<const NilpotentLagrangian>;
  using In = Eigen::Ref<const Eigen::VectorXd>;
  using Out = Eigen::Ref<Eigen::VectorXd>;

  // The first 1 to 4 terms for one rule.
  static ModifiedHamiltonian series(Lagrangian system, const Rule& rule, double h, int terms);
  // H + h²(a A + b B + c C)/24.
  static ModifiedHamiltonian closed_form(Lagrangian system, double a, double b, double c, double h);
  // Whichever is known for a flow: throws std::invalid_argument where none is.
  static ModifiedHamiltonian of_flow(Lagrangian system, const Flow& flow, double h, int terms);

  // The same for another system.
  ModifiedHamiltonian of(Lagrangian other) const {
    ModifiedHamiltonian r = *this;
    r.system = std::move(other);
    return r;
  }

  int size() const { return system->size(); }
  int order() const { return order_; }  // of its error, in h

  // NaN where there is no velocity to (q, p).
  double value(const In& q, const In& p) const;
  void gradient(const In& q, const In& p, Out by_q, Out by_p) const;

 private:
  ModifiedHamiltonian(Lagrangian lagrangian, const Rule& nodes, double step, int order)
      : system(std::move(lagrangian)), rule(nodes), h(step), order_(order) {}

  Lagrangian system;
  Rule rule;
  double h;
  int order_;
  double second = 0;  // factor of η_q·η_p
  ContractionFactors quadratic;
  double fourth = 0;  // of the bracket in H4
};

template <SystemStruct Sys>
ModifiedHamiltonian modified_series(const Sys& system, const Rule& rule, double h, int terms) {
  return ModifiedHamiltonian::series(over_nilpotents(system), rule, h, terms);
}
template <SystemStruct Sys>
ModifiedHamiltonian modified_sva(const Sys& system, double h) {
  return ModifiedHamiltonian::closed_form(over_nilpotents(system), 2, 2, -1, h);
}
template <SystemStruct Sys>
ModifiedHamiltonian modified_svb(const Sys& system, double h) {
  return ModifiedHamiltonian::closed_form(over_nilpotents(system), -1, 2, 2, h);
}
template <SystemStruct Sys>
ModifiedHamiltonian modified_midpoint(const Sys& system, double h) {
  return ModifiedHamiltonian::closed_form(over_nilpotents(system), -1, 2, -1, h);
}

}  // namespace carom
