// The discrete Lagrangian of a rule over a mechanism, as a function of v with q1 = q0 + h v
// (discrete_lagrangian.hpp says the same for small systems):
//
//   minus = D1 L_d + f- = Σ b_i [h (1-c_i) (Lq + f) - Lv],    plus = D2 L_d + f+ = Σ b_i [h c_i (Lq + f) +
//   Lv]
#pragma once

#include "carom/contact/mechanism.hpp"
#include "carom/rule.hpp"

namespace carom {

class DiscreteSlopes {
 public:
  explicit DiscreteSlopes(const Mechanism& m)
      : mechanism(m), minus(m.size()), plus(m.size()), x(m.size()), Lq(m.size()), Lv(m.size()), f(m.size()) {}

  const Mechanism& mechanism;
  double action = 0, energy = 0, work = 0, scale = 0;  // scale: what rounding errors of minus are relative to

  void evaluate(const Rule& rule, double t, double h, const Values& q, const Values& v) {
    minus.setZero(), plus.setZero();
    action = energy = work = scale = 0;
    for (const Node& node : rule) {
      x = q + (node.c * h) * v;
      const double L = mechanism.slopes(x, v, Lq, Lv), hb = h * node.b;
      action += hb * L, energy += node.b * (v.dot(Lv) - L);
      if (mechanism.forced()) {
        mechanism.force(t + node.c * h, x, v, f);
        work += hb * f.dot(v);
        Lq += f;
      }
      minus += (hb * (1 - node.c)) * Lq - node.b * Lv;
      plus += (hb * node.c) * Lq + node.b * Lv;
      scale = std::fmax(scale,
                        std::abs(hb) * Lq.lpNorm<Eigen::Infinity>() + node.b * Lv.lpNorm<Eigen::Infinity>());
    }
  }

  // Adds -∂minus/∂v, which is close to the mass (forces left out: they change Newton's path, not its goal).
  void add_matrix(const Rule& rule, double h, const Values& q, const Values& v, KktMatrix& into) {
    for (const auto& [c, b] : rule) {
      x = q + (c * h) * v;
      const Mechanism::Weights w{
          .qq = -h * h * b * c * (1 - c), .qv = -h * b * (1 - c), .vq = h * b * c, .vv = b};
      mechanism.curvature(x, v, w, into);
    }
  }

  Values minus, plus;

 private:
  Values x, Lq, Lv, f;
};

}  // namespace carom
