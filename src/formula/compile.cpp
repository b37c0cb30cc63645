// From formulas to a program: instructions first over values that are each written once, then over registers.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "formula/program.hpp"

namespace carom::formula {
namespace {

// Up to here a power is faster by multiplication, for dual numbers too.
constexpr double largest_multiplied_power = 16;

Code code_of_function(Op op) {
  switch (op) {
    case Op::sin:
      return Code::sin;
    case Op::cos:
      return Code::cos;
    case Op::tan:
      return Code::tan;
    case Op::asin:
      return Code::asin;
    case Op::acos:
      return Code::acos;
    case Op::atan:
      return Code::atan;
    case Op::sinh:
      return Code::sinh;
    case Op::cosh:
      return Code::cosh;
    case Op::tanh:
      return Code::tanh;
    case Op::exp:
      return Code::exp;
    case Op::log:
      return Code::log;
    case Op::sqrt:
      return Code::sqrt;
    case Op::abs:
      return Code::abs;
    case Op::floor:
      return Code::floor;
    case Op::sign:
      return Code::sign;
    case Op::atan2:
      return Code::atan2;
    case Op::min:
      return Code::min;
    default:
      assert(op == Op::max);
      return Code::max;
  }
}

}  // namespace

class Compiler {
  using Value = int;  // the inputs first, then the results of the steps

  struct Step {
    Code code;
    std::array<Value, 4> from{-1, -1, -1, -1};
    std::optional<double> constant;
    Value to = -1, also_to = -1;  // sin_cos writes both
  };

 public:
  Compiler(const Expressions& expressions, std::span<const Node> outputs, int inputs)
      : expressions_(expressions), used_(expressions.parts_of(outputs)), inputs_(inputs), values_(inputs) {
    value_.resize(used_.size(), -1);
    find_sine_and_cosine_pairs();
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Node node = static_cast<Node>(i);
      if (used_[i] && expressions[node].op != Op::number) value_[i] = translate(node);
    }
    for (const Node output : outputs) outputs_.push_back(value(output));
  }

  Program program() {
    Program program;
    program.inputs_ = static_cast<std::uint32_t>(inputs_);
    assign_registers();
    if (registers_ > std::numeric_limits<std::uint16_t>::max())
      throw FormulaError("too large: more than 65535 intermediate results at a time");
    for (const Step& step : steps_) program.instructions_.push_back(instruction(step, program.constants_));
    for (const Value output : outputs_) program.results_.push_back(register_of(output));
    program.registers_ = static_cast<std::uint32_t>(std::max(registers_, 1));
    return program;
  }

 private:
  std::size_t index(Node node) const { return static_cast<std::size_t>(node); }
  std::uint16_t register_of(Value value) const {
    return static_cast<std::uint16_t>(register_[static_cast<std::size_t>(value)]);
  }

  Value append(Step step) {
    step.to = values_++;
    steps_.push_back(step);
    return step.to;
  }
  Value unary(Code code, Value a) { return append({code, {a, -1, -1, -1}, {}}); }
  Value binary(Code code, Value a, Value b) { return append({code, {a, b, -1, -1}, {}}); }
  Value with_constant(Code code, Value a, double k) { return append({code, {a, -1, -1, -1}, k}); }

  // The value of a node; a number becomes one only where an instruction has no place for a constant.
  Value value(Node node) {
    if (value_[index(node)] < 0) {
      assert(expressions_[node].op == Op::number);
      value_[index(node)] = append({Code::load, {-1, -1, -1, -1}, expressions_[node].value});
    }
    return value_[index(node)];
  }

  void find_sine_and_cosine_pairs() {
    std::map<Node, Node> sine_of;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Part& part = expressions_[static_cast<Node>(i)];
      if (used_[i] && part.op == Op::sin) sine_of[part.operands[0]] = static_cast<Node>(i);
    }
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Part& part = expressions_[static_cast<Node>(i)];
      if (!used_[i] || part.op != Op::cos) continue;
      const auto sine = sine_of.find(part.operands[0]);
      if (sine == sine_of.end()) continue;
      partner_[sine->second] = static_cast<Node>(i);
      partner_[static_cast<Node>(i)] = sine->second;
    }
  }

  Value translate(Node node) {
    const Part& part = expressions_[node];
    const Node a = part.operands[0], b = part.operands[1];
    switch (part.op) {
      case Op::symbol:
        assert(part.symbol < inputs_);
        return part.symbol;
      case Op::add:
        return commutative(Code::add, Code::add_constant, a, b);
      case Op::multiply:
        return commutative(Code::multiply, Code::multiply_constant, a, b);
      case Op::subtract:
        if (const auto k = expressions_.constant(a))
          return with_constant(Code::subtract_from_constant, value(b), *k);
        return binary(Code::subtract, value(a), value(b));
      case Op::divide:
        if (const auto k = expressions_.constant(a))
          return with_constant(Code::divide_constant, value(b), *k);
        if (const auto k = expressions_.constant(b))
          return with_constant(Code::divide_by_constant, value(a), *k);
        return binary(Code::divide, value(a), value(b));
      case Op::negate:
        return unary(Code::negate, value(a));
      case Op::power:
        return power(a, b);
      case Op::if_less:
        return append(
            {Code::if_less, {value(a), value(b), value(part.operands[2]), value(part.operands[3])}, {}});
      case Op::sin:
      case Op::cos:
        if (partner_.contains(node)) return half_of_pair(node);
        return unary(code_of_function(part.op), value(a));
      default:
        if (b == none) return unary(code_of_function(part.op), value(a));
        return binary(code_of_function(part.op), value(a), value(b));
    }
  }

  Value commutative(Code plain, Code constant, Node a, Node b) {
    if (const auto k = expressions_.constant(a)) return with_constant(constant, value(b), *k);
    if (const auto k = expressions_.constant(b)) return with_constant(constant, value(a), *k);
    return binary(plain, value(a), value(b));
  }

  // The first of the two computes both.
  Value half_of_pair(Node node) {
    if (value_[index(node)] >= 0) return value_[index(node)];
    const Part& part = expressions_[node];
    const Value sine = unary(Code::sin_cos, value(part.operands[0])), cosine = values_++;
    steps_.back().also_to = cosine;
    value_[index(partner_.at(node))] = part.op == Op::sin ? cosine : sine;
    return part.op == Op::sin ? sine : cosine;
  }

  Value power(Node base, Node exponent) {
    const auto e = expressions_.constant(exponent);
    if (!e) return binary(Code::power, value(base), value(exponent));
    const double size = std::abs(*e), whole = std::floor(size);
    const bool multiplied = size >= 1 && size <= largest_multiplied_power + 0.5;
    if (multiplied && whole == size) {
      const Value x = integer_power(value(base), static_cast<int>(whole));
      return *e > 0 ? x : with_constant(Code::divide_constant, x, 1.0);
    }
    // Only negative halves: the derivative of x*sqrt(x) would not be a number at 0, where that of x^1.5 is 0.
    if (multiplied && whole + 0.5 == size && *e < -1) {
      const Value root = unary(Code::sqrt, value(base));
      const Value x = integer_power(value(base), static_cast<int>(whole));
      return with_constant(Code::divide_constant, binary(Code::multiply, x, root), 1.0);
    }
    return with_constant(Code::power_constant, value(base), *e);
  }

  Value integer_power(Value x, int n) {
    if (n == 1) return x;
    if (const auto known = powers_.find({x, n}); known != powers_.end()) return known->second;
    const Value result = n % 2 == 0 ? unary(Code::square, integer_power(x, n / 2))
                                    : binary(Code::multiply, integer_power(x, n - 1), x);
    return powers_[{x, n}] = result;
  }

  // A register is free again after the last step that reads it; that step may already write to it.
  void assign_registers() {
    std::vector<std::size_t> last_use(static_cast<std::size_t>(values_), 0);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      for (const Value from : steps_[s].from) {
        if (from >= 0) last_use[static_cast<std::size_t>(from)] = s;
      }
    }
    for (const Value output : outputs_) last_use[static_cast<std::size_t>(output)] = steps_.size();
    register_.resize(static_cast<std::size_t>(values_), -1);
    for (registers_ = 0; registers_ < inputs_; ++registers_)
      register_[static_cast<std::size_t>(registers_)] = registers_;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      for (std::size_t k = 0; k < 4; ++k) {
        const Value from = steps_[s].from[k];
        const auto earlier = steps_[s].from.begin() + static_cast<std::ptrdiff_t>(k);
        const bool again = std::find(steps_[s].from.begin(), earlier, from) != earlier;
        if (from >= 0 && !again && last_use[static_cast<std::size_t>(from)] == s)
          free_.push_back(register_of(from));
      }
      occupy(steps_[s].to);
      if (steps_[s].also_to >= 0) occupy(steps_[s].also_to);
    }
  }

  void occupy(Value value) {
    const int chosen = free_.empty() ? registers_++ : free_.back();
    if (!free_.empty()) free_.pop_back();
    register_[static_cast<std::size_t>(value)] = chosen;
  }

  Instruction instruction(const Step& step, std::vector<double>& constants) const {
    const auto from = [&](int k) {
      const Value value = step.from[static_cast<std::size_t>(k)];
      return value < 0 ? std::uint16_t{0} : register_of(value);
    };
    Instruction instruction{step.code, register_of(step.to), from(0), from(1), from(2), from(3)};
    if (step.also_to >= 0) instruction.b = register_of(step.also_to);
    if (step.constant) {
      instruction.b = static_cast<std::uint16_t>(constants.size());
      constants.push_back(*step.constant);
    }
    return instruction;
  }

  const Expressions& expressions_;
  std::vector<bool> used_;
  int inputs_;
  Value values_;
  std::vector<Value> value_;      // by node
  std::map<Node, Node> partner_;  // sin(x) of cos(x) and back
  std::map<std::pair<Value, int>, Value> powers_;
  std::vector<Step> steps_;
  std::vector<Value> outputs_;
  std::vector<int> register_;  // by value
  std::vector<int> free_;
  int registers_ = 0;
};

Program compile(const Expressions& expressions, std::span<const Node> outputs, int inputs) {
  return Compiler(expressions, outputs, inputs).program();
}

}  // namespace carom::formula
