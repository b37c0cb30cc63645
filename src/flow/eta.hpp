// η of 000, (24), for one rule, and its derivatives along directions:
//
//   η(q, p) = p·v - Σ b_i L(x_i, v),   x_i = q + h c_i v,   where p = D2 L_d = Σ b_i [h c_i Lq + Lv](x_i, v).
//
// That equation says ∂η/∂v = 0; so the slopes of η are η_p = v and η_q = -Σ b_i Lq(x_i, v) without any
// further derivative. With the one node c = 0, η is the Hamiltonian itself. Tested in
// tests/laws/modified_test.cpp.
#pragma once

#include <initializer_list>

#include "carom/flow/rule.hpp"
#include "carom/numerics/linear.hpp"
#include "carom/system/nilpotent_lagrangian.hpp"

namespace carom::detail {

// Keeps its memory: nothing allocates while the size stays.
class Eta {
 public:
  using Vec = Eigen::VectorXd;
  using In = Eigen::Ref<const Vec>;

  // Solves for v; not ok where that fails.
  [[nodiscard]] bool set(const NilpotentLagrangian& lagrangian, const Rule& rule, double h, const In& q,
                         const In& p);

  double value() const { return value_; }
  const Vec& slope() const { return slope_; }  // (η_q, η_p)

  // η''d; valid until the next call.
  const Vec& second(const Vec& d);
  // For two or three directions. Column m of the result is the derivative of slope() along those directions
  // (dq, dp) that are in the mask m.
  const Eigen::MatrixXd& slopes(std::initializer_list<const Vec*> directions);

 private:
  using Nilpotents = Vector<Nilpotent, Eigen::Dynamic>;

  void resize(int size);
  bool solve();
  double off() const;
  void linearise(const Vec& at);
  void evaluate(int free);

  const NilpotentLagrangian* system = nullptr;
  const Rule* rule = nullptr;
  double h = 0, value_ = 0;
  int n = 0;
  Vec q, p, v, slope_, second_, missing, change, trial, place, forces, terms;
  double mean_L = 0;
  RunTimeJet L;
  Eigen::MatrixXd momentum_by_q, momentum_by_v, force_by_q, force_by_v, table;
  LU<Eigen::Dynamic> matrix;
  Nilpotents Q, P, V;  // where evaluate() looks, which finds Σ b_i Lq and D2 L_d there
  Nilpotents force, momentum;
  Nilpotents x, Lq, Lv, residual;
};

}  // namespace carom::detail
