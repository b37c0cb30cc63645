#include "formula/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "scenario_text.hpp"

namespace carom::formula {
namespace {

enum class Language { cpp, javascript };

constexpr std::size_t longest_text = 1000000;
constexpr int longest_inlined = 24;  // operations in one statement of C++

// How tightly a text binds: what stands inside a tighter one needs parentheses.
enum Binding { sum, product, sign, exponent, primary };

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
    case Op::atan2:
      return "atan2";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    default:
      assert(op == Op::power);
      return "pow";
  }
}

class Printer {
 public:
  Printer(const Expressions& expressions, std::span<const std::string> input_names, Language language)
      : expressions_(expressions),
        input_names_(input_names),
        language_(language),
        names_(expressions.size()) {}

  void set_name(Node node, std::string name) { names_[static_cast<std::size_t>(node)] = std::move(name); }
  const std::string& name(Node node) const { return names_[static_cast<std::size_t>(node)]; }

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
    if (!name(node).empty()) return put(name(node));
    switch (part.op) {
      case Op::number:
        return put(number(part.value), part.value < 0 ? sign : primary, outer);
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
        if (sign < outer) put(")");
        put(part.operands[0], primary);
        return put(sign < outer ? "(-" : "-");
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
    const Node base = part.operands[0];
    const auto e = expressions_.constant(part.operands[1]);
    if (language_ == Language::javascript) {
      if (exponent < outer) put(")");
      put(part.operands[1], exponent);
      put("**");
      put(base, primary);
      if (exponent < outer) put("(");
    } else if (!e) {
      call(part);
    } else if (*e == 2 || *e == 3) {
      if (product < outer) put(")");
      for (int i = 1; i < *e; ++i) put(base, primary), put("*");
      put(base, primary);
      if (product < outer) put("(");
    } else {
      put(", " + number(*e) + ")");
      put(base, sum);
      put("pow(");
    }
  }

  void expand_choice(const Part& part) {
    const auto& [a, b, yes, no] = part.operands;
    const bool is_cpp = language_ == Language::cpp;
    put(")");
    argument(no), put(is_cpp ? ", " : " : "), argument(yes);
    put(is_cpp ? ", " : " ? ");
    argument(b), put(" < "), argument(a);
    put(is_cpp ? "select(" : "(");
  }

  void call(const Part& part) {
    put(")");
    if (part.operands[1] != none) {
      argument(part.operands[1]), put(", "), argument(part.operands[0]);
    } else {
      put(part.operands[0], sum);
    }
    put((language_ == Language::javascript ? "Math." : "") + std::string(function_name(part.op)) + "(");
  }

  // Functions of two dual numbers need both to be such.
  void argument(Node node) {
    const bool wrapped = language_ == Language::cpp && is_constant(node);
    if (wrapped) put(")");
    put(node, language_ == Language::javascript ? product : sum);
    if (wrapped) put("S(");
  }

  bool is_constant(Node node) {
    if (constant_.empty()) {
      constant_.resize(expressions_.size());
      for (std::size_t i = 0; i < constant_.size(); ++i) {
        const Part& part = expressions_[static_cast<Node>(i)];
        constant_[i] = part.op != Op::symbol;
        for (const Node operand : part.operands)
          if (operand != none) constant_[i] = constant_[i] && constant_[static_cast<std::size_t>(operand)];
      }
    }
    return constant_[static_cast<std::size_t>(node)];
  }

  std::string number(double value) const {
    if (language_ == Language::javascript)
      return std::isnan(value)   ? "NaN"
             : std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity")
                                 : fmt::format("{}", value);
    if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
    if (std::isinf(value))
      return std::string(value < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
    return carom::detail::written(value);
  }

  const Expressions& expressions_;
  std::span<const std::string> input_names_;
  Language language_;
  std::vector<std::string> names_;  // by node; empty where the node is written out
  std::vector<bool> constant_;      // by node: depends on no input
  std::vector<Piece> pending_;
};

// Which nodes get a name of their own in C++: those used twice, those that a power may multiply by
// themselves, and those that would make a statement too long.
std::vector<bool> named_nodes(const Expressions& expressions, std::span<const Node> outputs) {
  const auto used = expressions.parts_of(outputs);
  std::vector<int> uses(used.size(), 0), length(used.size(), 0);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const Part& part = expressions[static_cast<Node>(i)];
    for (const Node operand : part.operands)
      if (operand != none) uses[static_cast<std::size_t>(operand)] += part.op == Op::power ? 2 : 1;
  }
  for (const Node output : outputs) ++uses[static_cast<std::size_t>(output)];
  std::vector<bool> named(used.size(), false);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Part& part = expressions[static_cast<Node>(i)];
    if (!used[i] || part.op == Op::number || part.op == Op::symbol) continue;
    length[i] = 1;
    for (const Node operand : part.operands)
      if (operand != none) length[i] += length[static_cast<std::size_t>(operand)];
    named[i] = uses[i] > 1 || length[i] >= longest_inlined;
    if (named[i]) length[i] = 0;
  }
  return named;
}

// The letter of the intermediate results, longer where an input has a name such as r1.
std::string free_prefix(std::span<const std::string> input_names) {
  std::string prefix = "r";
  const auto taken = [&prefix](const std::string& name) { return name.starts_with(prefix); };
  while (std::any_of(input_names.begin(), input_names.end(), taken)) prefix += '_';
  return prefix;
}

}  // namespace

std::string to_cpp(const Expressions& expressions, std::span<const Node> outputs,
                   std::span<const std::string> input_names, std::span<const std::string> output_names) {
  assert(outputs.size() == output_names.size());
  Printer printer(expressions, input_names, Language::cpp);
  const auto named = named_nodes(expressions, outputs);
  const std::string prefix = free_prefix(input_names);
  std::string out;
  int count = 0;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!named[i]) continue;
    const Node node = static_cast<Node>(i);
    const std::string name = fmt::format("{}{}", prefix, ++count);
    out += fmt::format("const auto {} = {};\n", name, printer.text(node));
    printer.set_name(node, name);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = printer.name(outputs[i]);
    out += fmt::format("{} = {};\n", output_names[i], name.empty() ? printer.text(outputs[i]) : name);
  }
  return out;
}

std::string to_javascript(const Expressions& expressions, Node node,
                          std::span<const std::string> input_names) {
  return Printer(expressions, input_names, Language::javascript).text(node);
}

}  // namespace carom::formula
