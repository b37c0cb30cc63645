// The rules by which parts are simplified as they are made. Numbers stand first in sums and products, and
// signs and numeric factors are drawn outwards: -(2*x)*y becomes -2*(x*y). Each rule works on the outermost
// such decoration of an operand, and operands have at most one of each, so the rules call each other only a
// few levels deep.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>

#include "formula/expression.hpp"
#include "formula/steps.hpp"

namespace carom::formula {
namespace {

constexpr double largest_merged_power = 1e6;

double function_value(Op op, double a, double b) {
  switch (op) {
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::floor:
      return std::floor(a);
    case Op::sign:
      return sign(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return std::min(a, b);
    default:
      assert(op == Op::max);
      return std::max(a, b);
  }
}

double value_of(Op op, const std::array<double, 4>& x) {
  switch (op) {
    case Op::add:
      return x[0] + x[1];
    case Op::subtract:
      return x[0] - x[1];
    case Op::multiply:
      return x[0] * x[1];
    case Op::divide:
      return x[0] / x[1];
    case Op::negate:
      return -x[0];
    case Op::power:
      return std::pow(x[0], x[1]);
    case Op::if_less:
      return x[0] < x[1] ? x[2] : x[3];
    default:
      return function_value(op, x[0], x[1]);
  }
}

bool is_integer(double x) { return std::nearbyint(x) == x; }
bool is_power_of_two(double x) {
  int exponent = 0;
  return std::isfinite(1 / x) && std::abs(std::frexp(x, &exponent)) == 0.5;
}
// A product or quotient of numbers that neither overflowed nor lost digits may stand for both.
bool is_usable(double factor) { return std::isnormal(factor); }

}  // namespace

std::optional<double> Expressions::folded(Op op, std::span<const Node> operands) const {
  std::array<double, 4> values{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == none) continue;
    if (!is(operands[i], Op::number)) return std::nullopt;
    values[i] = (*this)[operands[i]].value;
    if (!std::isfinite(values[i])) return std::nullopt;  // min(1, infinity) is 1, but says too little
  }
  const double value = value_of(op, values);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Node Expressions::make(Op op, Node a, Node b, Node c, Node d) {
  assert(op != Op::number && op != Op::symbol && a != none);
  if (const auto value = folded(op, std::array{a, b, c, d})) return number(*value);
  switch (op) {
    case Op::add:
      return sum(a, b);
    case Op::subtract:
      return difference(a, b);
    case Op::multiply:
      return product(a, b);
    case Op::divide:
      return quotient(a, b);
    case Op::negate:
      return negation(a);
    case Op::power:
      return power(a, b);
    case Op::if_less:
      return if_less(a, b, c, d);
    case Op::atan2:
      return store(op, a, b);
    case Op::min:
    case Op::max:
      return a == b ? a : store(op, a, b);
    default:
      return function(op, a);
  }
}

Expressions::Multiple Expressions::as_multiple(Node node) const {
  if (is(node, Op::negate)) return {-1, operand(node, 0)};
  if (is(node, Op::multiply) && is(operand(node, 0), Op::number))
    return {(*this)[operand(node, 0)].value, operand(node, 1)};
  return {1, node};
}

Expressions::Multiple Expressions::as_power(Node node) const {
  if (is(node, Op::power)) {
    const auto exponent = constant(operand(node, 1));
    if (exponent && *exponent >= 1 && is_integer(*exponent)) return {*exponent, operand(node, 0)};
  }
  return {1, node};
}

Node Expressions::scaled(double factor, Node a) { return make(Op::multiply, number(factor), a); }

Node Expressions::sum(Node a, Node b) {
  if (is(b, Op::number)) std::swap(a, b);
  if (is(a, 0.0)) return b;
  if (is(a, Op::number)) {
    if (is(b, Op::add)) {
      if (const auto value = folded(Op::add, std::array{a, operand(b, 0)}))
        return make(Op::add, number(*value), operand(b, 1));
    }
    return is(b, Op::negate) ? store(Op::subtract, a, operand(b, 0)) : store(Op::add, a, b);
  }
  const Multiple left = as_multiple(a), right = as_multiple(b);
  const double together = left.factor + right.factor;
  if (left.rest == right.rest && (is_usable(together) || together == 0)) return scaled(together, left.rest);
  if (right.factor < 0) return make(Op::subtract, a, scaled(-right.factor, right.rest));
  if (left.factor < 0) return make(Op::subtract, b, scaled(-left.factor, left.rest));
  return store(Op::add, std::min(a, b), std::max(a, b));
}

Node Expressions::difference(Node a, Node b) {
  if (is(b, 0.0)) return a;
  if (is(a, 0.0)) return make(Op::negate, b);
  if (const auto value = constant(b); value && std::isfinite(*value)) return sum(number(-*value), a);
  const Multiple left = as_multiple(a), right = as_multiple(b);
  const double together = left.factor - right.factor;
  if (left.rest == right.rest && (is_usable(together) || together == 0)) return scaled(together, left.rest);
  if (right.factor < 0) return make(Op::add, a, scaled(-right.factor, right.rest));
  return store(Op::subtract, a, b);
}

Node Expressions::product(Node a, Node b) {
  if (is(b, Op::number)) std::swap(a, b);
  if (is(a, 0.0)) return (*this)[b].singular ? store(Op::multiply, a, b) : a;
  if (is(a, 1.0)) return b;
  if (is(a, -1.0)) return make(Op::negate, b);
  const Multiple left = is(a, Op::number) ? Multiple{(*this)[a].value, none} : as_multiple(a);
  const Multiple right = as_multiple(b);
  const double factor = left.factor * right.factor;
  if (left.rest == none) {
    if (right.rest != b && is_usable(factor)) return scaled(factor, right.rest);
    if (is(b, Op::divide)) {
      const Node above = operand(b, 0), below = operand(b, 1);
      const auto merged = folded(Op::multiply, std::array{a, above});
      if (merged && is_usable(*merged)) return make(Op::divide, number(*merged), below);
      const auto ratio = folded(Op::divide, std::array{a, below});
      if (ratio && is_usable(*ratio)) return scaled(*ratio, above);
    }
    return store(Op::multiply, a, b);
  }
  if ((left.rest != a || right.rest != b) && is_usable(factor))
    return scaled(factor, make(Op::multiply, left.rest, right.rest));
  const Multiple first = as_power(a), second = as_power(b);
  const double exponent = first.factor + second.factor;
  if (first.rest == second.rest && exponent < largest_merged_power)
    return make(Op::power, first.rest, number(exponent));
  return store(Op::multiply, std::min(a, b), std::max(a, b));
}

Node Expressions::quotient(Node a, Node b) {
  if (is(b, 1.0)) return a;
  if (is(a, 0.0) && !(*this)[b].singular && !is(b, 0.0)) return a;
  if (is(b, Op::negate)) return make(Op::negate, make(Op::divide, a, operand(b, 0)));
  const Multiple above = as_multiple(a);
  if (const auto below = constant(b); below && *below != 0 && std::isfinite(*below)) {
    if (is_power_of_two(*below)) return scaled(1 / *below, a);
    const double factor = above.factor / *below;
    if (above.rest != a && is_usable(factor)) return scaled(factor, above.rest);
  }
  if (above.rest != a && !is(b, Op::number)) return scaled(above.factor, make(Op::divide, above.rest, b));
  return store(Op::divide, a, b);
}

Node Expressions::negation(Node a) {
  if (is(a, Op::negate)) return operand(a, 0);
  if (is(a, Op::subtract)) return make(Op::subtract, operand(a, 1), operand(a, 0));
  const Multiple multiple = as_multiple(a);
  if (multiple.rest != a && std::isfinite(multiple.factor)) return scaled(-multiple.factor, multiple.rest);
  if (is(a, Op::divide)) {
    const auto above = constant(operand(a, 0));
    if (above && *above != 0 && std::isfinite(*above))
      return make(Op::divide, number(-*above), operand(a, 1));
  }
  return store(Op::negate, a);
}

Node Expressions::power(Node a, Node b) {
  if (is(a, 1.0) && !(*this)[b].singular) return a;
  const auto exponent = constant(b);
  if (!exponent || !std::isfinite(*exponent)) return store(Op::power, a, b);
  if (*exponent == 0) return (*this)[a].singular ? store(Op::power, a, b) : number(1);
  if (*exponent == 1) return a;
  if (*exponent == -1) return make(Op::divide, number(1), a);
  if (*exponent == 0.5) return make(Op::sqrt, a);
  if (*exponent == -0.5) return make(Op::divide, number(1), make(Op::sqrt, a));
  if (is_integer(*exponent)) return integer_power(a, *exponent);
  return store(Op::power, a, b);
}

Node Expressions::integer_power(Node a, double exponent) {
  if (is(a, Op::negate)) {
    const Node positive = make(Op::power, operand(a, 0), number(exponent));
    return std::fmod(exponent, 2) == 0 ? positive : make(Op::negate, positive);
  }
  const Multiple inner = as_power(a);
  const double both = inner.factor * exponent;
  if (inner.rest != a && std::abs(both) < largest_merged_power)
    return make(Op::power, inner.rest, number(both));
  return store(Op::power, a, number(exponent));
}

Node Expressions::function(Op op, Node a) {
  if (is(a, Op::negate)) {
    const Node positive = operand(a, 0);
    switch (op) {
      case Op::cos:
      case Op::cosh:
      case Op::abs:
        return make(op, positive);
      case Op::sin:
      case Op::tan:
      case Op::asin:
      case Op::atan:
      case Op::sinh:
      case Op::tanh:
      case Op::sign:
        return make(Op::negate, make(op, positive));
      default:
        break;
    }
  }
  if (op == (*this)[a].op && (op == Op::abs || op == Op::floor || op == Op::sign)) return a;
  return store(op, a);
}

Node Expressions::if_less(Node a, Node b, Node yes, Node no) {
  if (yes == no) return yes;
  if (a == b) return no;
  const auto left = constant(a), right = constant(b);
  if (left && right) return *left < *right ? yes : no;
  return store(Op::if_less, a, b, yes, no);
}

}  // namespace carom::formula
