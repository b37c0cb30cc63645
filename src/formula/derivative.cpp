// The rules of differentiation; each returns the derivative of a part, given those of its operands.
#include <algorithm>
#include <cassert>

#include "formula/expression.hpp"

namespace carom::formula {

// What cannot depend on the symbol is not even looked at.
Node Expressions::derivative(Node of, int symbol) {
  const Node zero = number(0), one = number(1);
  auto& done = derivatives_[symbol];
  const auto known = [&](Node node) { return may_depend(node, symbol) ? done.at(node) : zero; };
  for (const Node i :
       parts_of(of, [&](Node node) { return may_depend(node, symbol) && !done.contains(node); })) {
    std::array<Node, 4> inner{none, none, none, none};
    bool varies = false;
    for (std::size_t k = 0; k < inner.size(); ++k) {
      const Node operand = (*this)[i].operands[k];
      if (operand == none) continue;
      inner[k] = known(operand);
      varies = varies || inner[k] != zero;
    }
    if (is(i, Op::symbol))
      done[i] = (*this)[i].symbol == symbol ? one : zero;
    else
      done[i] = varies ? differentiate(i, inner) : zero;
  }
  return known(of);
}

Node Expressions::differentiate(Node node, std::span<const Node> inner) {
  const Node a = operand(node, 0), b = operand(node, 1), da = inner[0], db = inner[1];
  const auto times = [this](Node x, Node y) { return make(Op::multiply, x, y); };
  const auto square = [this](Node x) { return make(Op::power, x, number(2)); };
  switch ((*this)[node].op) {
    case Op::add:
      return make(Op::add, da, db);
    case Op::subtract:
      return make(Op::subtract, da, db);
    case Op::negate:
      return make(Op::negate, da);
    case Op::multiply:
      return make(Op::add, times(a, db), times(b, da));
    case Op::divide:  // (a/b)' = (a' - (a/b) b') / b shares the quotient
      return make(Op::divide, make(Op::subtract, da, times(node, db)), b);
    case Op::power:
      return differentiate_power(node, da, db);
    case Op::atan2: {
      const Node across = make(Op::subtract, times(b, da), times(a, db));
      return make(Op::divide, across, make(Op::add, square(a), square(b)));
    }
    case Op::min:  // equal values: the first one counts, as it does for dual numbers
      return make(Op::if_less, b, a, db, da);
    case Op::max:
      return make(Op::if_less, a, b, db, da);
    case Op::if_less:
      return make(Op::if_less, a, b, inner[2], inner[3]);
    default:
      return differentiate_function(node, da);
  }
}

// A constant exponent has a rule of its own, which also holds for negative bases.
Node Expressions::differentiate_power(Node node, Node da, Node db) {
  const Node a = operand(node, 0), b = operand(node, 1);
  const Node lower = make(Op::power, a, make(Op::subtract, b, number(1)));
  const Node by_base = make(Op::multiply, make(Op::multiply, b, lower), da);
  if (is(db, 0.0)) return by_base;
  const Node by_exponent = make(Op::multiply, make(Op::multiply, node, make(Op::log, a)), db);
  return is(da, 0.0) ? by_exponent : make(Op::add, by_base, by_exponent);
}

Node Expressions::differentiate_function(Node node, Node da) {
  const Node a = operand(node, 0), one = number(1);
  const auto times = [this, da](Node x) { return make(Op::multiply, x, da); };
  const auto over = [this, da](Node x) { return make(Op::divide, da, x); };
  const auto square = [this](Node x) { return make(Op::power, x, number(2)); };
  const auto arc_root = [&] {  // sqrt(1 - a^2), exact near the ends
    return make(Op::sqrt, make(Op::multiply, make(Op::subtract, one, a), make(Op::add, one, a)));
  };
  switch ((*this)[node].op) {
    case Op::sin:
      return times(make(Op::cos, a));
    case Op::cos:
      return make(Op::negate, times(make(Op::sin, a)));
    case Op::tan:
      return times(make(Op::add, one, square(node)));
    case Op::asin:
      return over(arc_root());
    case Op::acos:
      return make(Op::negate, over(arc_root()));
    case Op::atan:
      return over(make(Op::add, one, square(a)));
    case Op::sinh:
      return times(make(Op::cosh, a));
    case Op::cosh:
      return times(make(Op::sinh, a));
    case Op::tanh:
      return times(make(Op::subtract, one, square(node)));
    case Op::exp:
      return times(node);
    case Op::log:
      return over(a);
    case Op::sqrt:
      return make(Op::divide, make(Op::multiply, number(0.5), da), node);
    case Op::floor:
    case Op::sign:
      return number(0);
    default:
      assert((*this)[node].op == Op::abs);
      return make(Op::if_less, a, number(0), make(Op::negate, da), da);
  }
}

}  // namespace carom::formula
