#include "formula/print.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <vector>

namespace carom::formula {
namespace {

constexpr std::size_t longest_text = 1000000;

// How tightly a text binds: what stands inside a tighter one needs parentheses.
enum Binding { sum, product, minus, exponent, primary };

const char* function_name(Op op) {
  switch (op) {
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::sqrt:
      return "sqrt";
    case Op::abs:
      return "abs";
    case Op::floor:
      return "floor";
    case Op::sign:
      return "sign";
    case Op::atan2:
      return "atan2";
    case Op::min:
      return "min";
    default:
      assert(op == Op::max);
      return "max";
  }
}

class Printer {
 public:
  Printer(const Expressions& expressions, std::span<const std::string> input_names)
      : expressions_(expressions), input_names_(input_names) {}

  // A stack of pieces instead of recursion: formulas may be deeper than the stack of the machine.
  std::string text(Node node) {
    std::string out;
    pending_ = {{node, sum, ""}};
    while (!pending_.empty()) {
      const Piece piece = std::move(pending_.back());
      pending_.pop_back();
      if (piece.node == none)
        out += piece.literal;
      else
        expand(piece.node, piece.binding);
      if (out.size() > longest_text) throw FormulaError("too long to be written out");
    }
    return out;
  }

 private:
  struct Piece {
    Node node;  // or none, then the literal
    Binding binding;
    std::string literal;
  };

  // Pieces are put down from right to left, so that the leftmost is on top.
  void put(std::string literal) { pending_.push_back({none, primary, std::move(literal)}); }
  void put(Node node, Binding binding) { pending_.push_back({node, binding, ""}); }
  void put(std::string literal, Binding own, Binding outer) {
    put(own < outer ? "(" + literal + ")" : std::move(literal));
  }

  Op op(Node node) const { return expressions_[node].op; }

  void expand(Node node, Binding outer) {
    const Part& part = expressions_[node];
    switch (part.op) {
      case Op::number:
        return put(number(part.value), part.value < 0 ? minus : primary, outer);
      case Op::symbol:
        return put(input_names_[static_cast<std::size_t>(part.symbol)]);
      case Op::add:
        return expand_sum(part, outer);
      case Op::subtract:
        return infix(part.operands[0], " - ", part.operands[1], sum, outer);
      case Op::multiply:
        return infix(part.operands[0], "*", part.operands[1], product, outer);
      case Op::divide:
        return infix(part.operands[0], "/", part.operands[1], product, outer);
      case Op::negate:
        if (minus < outer) put(")");
        put(part.operands[0], primary);
        return put(minus < outer ? "(-" : "-");
      case Op::power:
        return expand_power(part, outer);
      case Op::if_less:
        return expand_choice(part);
      default:
        return call(part);
    }
  }

  void infix(Node left, const char* between, Node right, Binding own, Binding outer) {
    if (own < outer) put(")");
    put(right, static_cast<Binding>(own + 1));
    put(between);
    put(left, own);
    if (own < outer) put("(");
  }

  // Numbers lead in sums, but x - 1 reads better than -1 + x.
  void expand_sum(const Part& part, Binding outer) {
    const auto lead = expressions_.constant(part.operands[0]);
    if (!lead || *lead >= 0) return infix(part.operands[0], " + ", part.operands[1], sum, outer);
    if (sum < outer) put(")");
    put(" - " + number(-*lead));
    put(part.operands[1], sum);
    if (sum < outer) put("(");
  }

  void expand_power(const Part& part, Binding outer) {
    if (exponent < outer) put(")");
    put(part.operands[1], exponent);
    put("**");
    put(part.operands[0], primary);
    if (exponent < outer) put("(");
  }

  void expand_choice(const Part& part) {
    const auto& [a, b, yes, no] = part.operands;
    put(")");
    put(no, product), put(" : "), put(yes, product);
    put(" ? ");
    put(b, product), put(" < "), put(a, product);
    put("(");
  }

  void call(const Part& part) {
    put(")");
    if (part.operands[1] != none) {
      put(part.operands[1], product), put(", "), put(part.operands[0], product);
    } else {
      put(part.operands[0], sum);
    }
    put("Math." + std::string(function_name(part.op)) + "(");
  }

  static std::string number(double value) {
    return std::isnan(value)   ? "NaN"
           : std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity")
                               : fmt::format("{}", value);
  }

  const Expressions& expressions_;
  std::span<const std::string> input_names_;
  std::vector<Piece> pending_;
};

}  // namespace

std::string to_javascript(const Expressions& expressions, Node node,
                          std::span<const std::string> input_names) {
  return Printer(expressions, input_names).text(node);
}

}  // namespace carom::formula
