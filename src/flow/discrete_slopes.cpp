#include "carom/flow/discrete_slopes.hpp"

namespace carom {

DiscreteSlopes::DiscreteSlopes(const System& m)
    : system(m),
      minus(m.size()),
      plus(m.size()),
      terms(m.size()),
      x(m.size()),
      Lq(m.size()),
      Lv(m.size()),
      f(m.size()) {}

void DiscreteSlopes::evaluate(const Rule& rule, double t, double h, const Values& q, const Values& v) {
  minus.setZero(), plus.setZero(), terms.setZero();
  action = energy = work = 0;
  for (const Node& node : rule) {
    system.move(q, v, node.c * h, x);
    const double at = t + node.c * h, hb = h * node.b, L = system.slopes(at, x, v, Lq, Lv);
    action += hb * L, energy += node.b * (v.dot(Lv) - L);
    if (system.forced()) {
      system.force(at, x, v, f);
      work += hb * f.dot(v);
      Lq += f;
    }
    if (system.timed()) work -= hb * system.drift(at, x, v, f);  // dH/dt = -∂L/∂t
    minus += (hb * (1 - node.c)) * Lq - node.b * Lv;
    plus += (hb * node.c) * Lq + node.b * Lv;
    terms = terms.cwiseMax(std::abs(hb) * Lq.cwiseAbs() + std::abs(node.b) * Lv.cwiseAbs());
  }
}

void DiscreteSlopes::add_matrix(const Rule& rule, double t, double h, const Values& q, const Values& v,
                                KktMatrix& into) {
  for (const auto& [c, b] : rule) {
    system.move(q, v, c * h, x);
    const System::Weights w{.qq = -h * h * b * c * (1 - c), .qv = -h * b * (1 - c), .vq = h * b * c, .vv = b};
    system.curvature(t + c * h, x, v, w, into);
  }
}

}  // namespace carom
