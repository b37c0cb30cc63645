// Random formulas that are evaluated in two ways: as the tree they were made of, and through their text by
// the formula engine. The tree stays in the domain of its functions and near one in size.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "carom/numerics/dual_math.hpp"
#include "formula/parse.hpp"
#include "formula/program.hpp"

namespace carom::test {

inline constexpr int inputs = 3;
inline const std::array<std::string, inputs> input_names{"x", "θ", "x'"};
inline constexpr std::array<double, inputs> sample{0.7, -1.3, 0.45};

inline formula::Symbols sample_symbols(formula::Expressions& expressions) {
  formula::Symbols symbols;
  for (int i = 0; i < inputs; ++i) symbols[input_names[static_cast<std::size_t>(i)]] = expressions.symbol(i);
  return symbols;
}

struct Tree {
  std::string name;  // "number", "input", an operator or a function
  double number = 0;
  std::size_t input = 0;
  std::vector<Tree> operands{};
};

inline std::string text(const Tree& tree) {
  if (tree.name == "number") {
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", tree.number);
    return tree.number < 0 ? "(" + std::string(digits.data()) + ")" : digits.data();
  }
  if (tree.name == "input") return input_names[tree.input];
  const auto operand = [&tree](std::size_t i) { return text(tree.operands[i]); };
  if (tree.name == "negate") return "(-" + operand(0) + ")";
  if (tree.name == "if")
    return "if(" + operand(0) + " < " + operand(1) + ", " + operand(2) + ", " + operand(3) + ")";
  if (tree.name.size() == 1) return "(" + operand(0) + " " + tree.name + " " + operand(1) + ")";
  return tree.name + "(" + operand(0) + (tree.operands.size() > 1 ? ", " + operand(1) : "") + ")";
}

// The value, and the largest number met on the way: rounding errors are in proportion to it.
template <class S>
struct Evaluated {
  S value;
  double largest;
};

template <class S>
S apply(const std::string& f, const S& a, const S& b) {
  if (f == "+") return a + b;
  if (f == "-") return a - b;
  if (f == "*") return a * b;
  if (f == "/") return a / b;
  if (f == "^" || f == "pow") return pow(a, b);
  if (f == "negate") return -a;
  if (f == "sin") return sin(a);
  if (f == "cos") return cos(a);
  if (f == "tan") return tan(a);
  if (f == "asin") return asin(a);
  if (f == "acos") return acos(a);
  if (f == "atan") return atan(a);
  if (f == "sinh") return sinh(a);
  if (f == "cosh") return cosh(a);
  if (f == "tanh") return tanh(a);
  if (f == "exp") return exp(a);
  if (f == "log" || f == "ln") return log(a);
  if (f == "sqrt") return sqrt(a);
  if (f == "abs") return abs(a);
  if (f == "atan2") return atan2(a, b);
  if (f == "min") return min(a, b);
  if (f == "max") return max(a, b);
  if (f == "hypot") return sqrt(a * a + b * b);
  if (f == "floor") return formula::floor(a);
  if (f == "sign") return formula::sign(a);
  if (f == "mod") return a - b * formula::floor(a / b);
  throw std::logic_error(f);
}

template <class S>
Evaluated<S> evaluate(const Tree& tree, std::span<const S> in) {
  if (tree.name == "number") return {S(tree.number), std::abs(tree.number)};
  if (tree.name == "input") return {in[tree.input], magnitude(in[tree.input])};
  if (tree.name == "if") {
    std::vector<Evaluated<S>> of;
    for (const Tree& operand : tree.operands) of.push_back(evaluate(operand, in));
    const S value = select(base_value(of[0].value) < base_value(of[1].value), of[2].value, of[3].value);
    return {value, std::max({of[0].largest, of[1].largest, of[2].largest, of[3].largest})};
  }
  const auto a = evaluate(tree.operands[0], in), b = evaluate(tree.operands.back(), in);
  const Tree& last = tree.operands.back();
  const bool constant_power = (tree.name == "^" || tree.name == "pow") && last.name == "number";
  const S value = constant_power ? pow(a.value, last.number) : apply(tree.name, a.value, b.value);
  return {value, std::max({a.largest, b.largest, magnitude(value)})};
}

class RandomTrees {
 public:
  explicit RandomTrees(unsigned seed) : engine_(seed) {}

  Tree operator()(int depth) {
    if (depth == 0) return chance(4) ? number() : input();
    static const std::vector<std::string> names{
        "+",    "-",    "*",     "/",    "^",    "pow", "negate", "sin", "cos",   "tan",  "asin",
        "acos", "atan", "sinh",  "cosh", "tanh", "exp", "log",    "ln",  "sqrt",  "abs",  "atan2",
        "min",  "max",  "hypot", "+",    "-",    "*",   "*",      "if",  "floor", "sign", "mod"};
    const std::string& name = names[below(names.size())];
    const Tree a = (*this)(depth - 1);
    if (name == "negate" || name == "sin" || name == "cos" || name == "atan" || name == "tanh" ||
        name == "abs" || name == "floor" || name == "sign")
      return join(name, a);
    if (name == "tan" || name == "asin" || name == "acos") return join(name, times(0.9, join("sin", a)));
    if (name == "sinh" || name == "cosh" || name == "exp") return join(name, join("cos", a));
    if (name == "log" || name == "ln" || name == "sqrt") return join(name, positive(a));
    if (name == "^" || name == "pow") return power(name, a, depth);
    const Tree b = (*this)(static_cast<int>(below(static_cast<std::size_t>(depth))));
    if (name == "/") return join(name, a, chance(2) ? positive(b) : number());
    if (name == "hypot" || name == "atan2" || name == "mod") return join(name, a, positive(b));
    if (name == "if") return {.name = name, .operands = {a, b, (*this)(depth - 1), (*this)(depth - 1)}};
    return join(name, a, b);
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  static Tree join(const std::string& name, Tree a) { return {.name = name, .operands = {std::move(a)}}; }
  static Tree join(const std::string& name, Tree a, Tree b) {
    return {.name = name, .operands = {std::move(a), std::move(b)}};
  }
  static Tree constant(double value) { return {.name = "number", .number = value}; }
  static Tree times(double factor, Tree a) { return join("*", constant(factor), std::move(a)); }
  static Tree positive(Tree a) { return join("+", constant(0.75), join("^", std::move(a), constant(2))); }

  Tree number() {
    static constexpr std::array some{0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 0.1, 1.7, 3.0};
    const double value = some[below(some.size())];
    return constant(value == 0 && chance(2) ? 0.3 : value);
  }
  Tree input() { return {.name = "input", .input = below(inputs)}; }

  // Whole exponents of anything, others of what is positive.
  Tree power(const std::string& name, const Tree& a, int depth) {
    static constexpr std::array whole{0.0, 1.0, 2.0, 3.0, 5.0};
    static constexpr std::array fraction{-1.0, -2.0, -4.0, 0.5, -0.5, 1.5, -1.5, -2.5, 0.3, 2.2};
    if (chance(2)) return join(name, join("sin", a), constant(whole[below(whole.size())]));
    if (chance(2)) return join(name, positive(a), constant(fraction[below(fraction.size())]));
    return join(name, positive(join("sin", a)), join("cos", (*this)(depth - 1)));
  }

  std::mt19937 engine_;
};

}  // namespace carom::test
