// A quadrature rule makes a discrete Lagrangian of any L (000, 3.1; 002, (57) with its missing factor h):
//
//   L_d(q0, q1, h) = h Σ b_i L((1 - c_i) q0 + c_i q1, v),   v = (q1 - q0)/h
//
// and with it one step of a variational flow. A rule is data: nodes c_i and weights b_i.
#pragma once

#include <array>
#include <initializer_list>
#include <stdexcept>

namespace carom {

struct Node {
  double c;  // where in the step: 0 is its start, 1 its end
  double b;  // weight; the weights of a rule add up to 1
};

class Rule {
 public:
  static constexpr int most_nodes = 4;

  Rule(std::initializer_list<Node> list) {
    if (list.size() == 0 || list.size() > most_nodes) throw std::invalid_argument("a rule has 1 to 4 nodes");
    for (const Node& node : list) nodes[count++] = node;
  }

  const Node* begin() const { return nodes.data(); }
  const Node* end() const { return nodes.data() + count; }

  // Nodes at the ends only: explicit where the mass is constant and no force acts.
  bool ends_only() const {
    for (const Node& node : *this)
      if (node.c != 0 && node.c != 1) return false;
    return true;
  }

  // Where in the step its nodes lie in the mean.
  double centre() const {
    double sum = 0;
    for (const Node& node : *this) sum += node.b * node.c;
    return sum;
  }

  // The rule of the adjoint flow, Φ*_h = Φ_{-h}^{-1}: the same nodes counted from the other end.
  Rule adjoint() const {
    Rule r = *this;
    for (int i = 0; i < count; ++i) r.nodes[i].c = 1 - nodes[i].c;
    return r;
  }

 private:
  std::array<Node, most_nodes> nodes{};
  int count = 0;
};

}  // namespace carom
