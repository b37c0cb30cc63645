// Formulas as a directed graph without cycles: every part is stored once, in an arena where operands come
// before what uses them, so that all work on formulas is a plain loop, whatever their depth. Parts are
// simplified when they are made, and derivatives are again parts of the arena. Tested in
// tests/unit/formula_expression_test.cpp and, against dual numbers, in
// tests/unit/formula_derivative_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace carom::formula {

using Node = std::int32_t;  // index into the arena
inline constexpr Node none = -1;

enum class Op : std::uint8_t {
  number,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  floor,  // jumps, as sign does
  sign,
  atan2,
  min,
  max,
  if_less,  // a < b ? c : d; also what abs, min and max have as derivatives
};

struct Part {
  Op op = Op::number;
  bool singular = false;  // holds something that is finite for no input, such as 1/0
  std::array<Node, 4> operands{none, none, none, none};
  double value = 0;           // of a number
  int symbol = -1;            // which input a symbol is
  std::uint64_t symbols = 0;  // on which it may depend: bit k for those of number k + 64 j
};

// A formula that cannot be read or has grown too large. The message is one line without the position.
struct FormulaError : std::runtime_error {
  explicit FormulaError(const std::string& message, std::size_t at = 0)
      : std::runtime_error(message), column(at) {}
  std::size_t column;  // 1-based, in characters of the formula; 0 is the formula as a whole
};

class Expressions {
 public:
  static constexpr std::size_t max_parts = 1000000;  // more throw a FormulaError

  Node number(double value);
  Node symbol(int index);  // the input of that number

  // Equal parts are one node. What can be simplified is: numbers are computed unless the result is not
  // finite, so 1/0 stays a division, and 0*x, x - x and x^0 are only replaced where no such division lies in
  // x.
  Node make(Op op, Node a, Node b = none, Node c = none, Node d = none);

  Node derivative(Node of, int symbol);
  bool depends_on(Node node, int symbol) const;
  bool depends_on_any(Node node, int first_symbol, int count) const;
  std::vector<bool> symbols_of(Node node, int first_symbol, int count) const;  // which of them it depends on
  std::optional<double> constant(Node node) const;                             // the value of a number

  // Every symbol named is replaced by its node, all at the same time.
  Node substitute(Node in, std::span<const std::pair<int, Node>> replacements);

  const Part& operator[](Node node) const { return parts_[static_cast<std::size_t>(node)]; }
  std::size_t size() const { return parts_.size(); }

  // Which parts the roots are made of, themselves included: a flag for every node up to the last root.
  std::vector<bool> parts_of(std::span<const Node> roots) const;
  // Of one root, their numbers, ascending: each after those that it is made of. As many as there are take the
  // time, not all that is known.
  std::vector<Node> parts_of(Node root) const {
    return parts_of(root, [](Node) { return true; });
  }

 private:
  struct Key {
    Op op;
    std::array<Node, 4> operands;
    std::uint64_t value;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  // Without what lies below parts that `asked` does not hold of.
  std::vector<Node> parts_of(Node root, const std::function<bool(Node)>& asked) const;
  bool may_depend(Node node, int symbol) const { return ((*this)[node].symbols >> (symbol % 64) & 1) != 0; }

  Node store(const Part& part);
  Node store(Op op, Node a, Node b = none, Node c = none, Node d = none);
  std::optional<double> folded(Op op, std::span<const Node> operands) const;

  Node sum(Node a, Node b);
  Node difference(Node a, Node b);
  Node product(Node a, Node b);
  Node scaled(double factor, Node a);
  Node quotient(Node a, Node b);
  Node negation(Node a);
  Node power(Node a, Node b);
  Node integer_power(Node a, double exponent);
  Node function(Op op, Node a);
  Node if_less(Node a, Node b, Node yes, Node no);

  bool is(Node node, Op op) const { return node != none && (*this)[node].op == op; }
  bool is(Node node, double value) const { return is(node, Op::number) && (*this)[node].value == value; }
  Node operand(Node node, int i) const { return (*this)[node].operands[static_cast<std::size_t>(i)]; }

  struct Multiple {  // factor * rest
    double factor;
    Node rest;
  };
  Multiple as_multiple(Node node) const;
  Multiple as_power(Node node) const;  // rest ^ factor, for positive integers

  Node differentiate(Node node, std::span<const Node> inner);
  Node differentiate_function(Node node, Node da);
  Node differentiate_power(Node node, Node da, Node db);

  std::vector<Part> parts_;
  std::unordered_map<Key, Node, KeyHash> known_;
  std::map<int, std::unordered_map<Node, Node>> derivatives_;  // by symbol, then by node
  mutable std::vector<std::uint32_t> seen_;                    // by node: in which search for parts last
  mutable std::uint32_t searches_ = 0;
};

}  // namespace carom::formula
