#include "formula/parse.hpp"

#include <array>
#include <numbers>
#include <vector>

#include "formula/tokens.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom::formula {
namespace {

constexpr std::size_t max_bytes = 1 << 20;
constexpr int max_nesting = 200;

struct Function {
  std::string_view name;
  Op op;
  std::size_t arguments = 1;
  bool or_more = false;
};
constexpr std::array functions{
    Function{"sin", Op::sin},          Function{"cos", Op::cos},          Function{"tan", Op::tan},
    Function{"asin", Op::asin},        Function{"acos", Op::acos},        Function{"atan", Op::atan},
    Function{"atan2", Op::atan2, 2},   Function{"sinh", Op::sinh},        Function{"cosh", Op::cosh},
    Function{"tanh", Op::tanh},        Function{"exp", Op::exp},          Function{"log", Op::log},
    Function{"ln", Op::log},           Function{"sqrt", Op::sqrt},        Function{"abs", Op::abs},
    Function{"min", Op::min, 2, true}, Function{"max", Op::max, 2, true}, Function{"hypot", Op::sqrt, 2},
    Function{"pow", Op::power, 2},     Function{"sign", Op::sign},        Function{"floor", Op::floor},
    Function{"mod", Op::floor, 2},     Function{"if", Op::if_less, 3},
};

const Function* find_function(std::string_view name) {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

class Parser {
 public:
  Parser(Expressions& expressions, std::string_view text, const Symbols& symbols)
      : expressions_(expressions), symbols_(symbols), tokens_(text), token_(tokens_.next()) {}

  Node whole() {
    if (token_.kind == Token::Kind::end) fail("empty formula");
    const Node node = sum();
    refuse_comparison();
    expect_end();
    return node;
  }

  Node whole_comparison() {
    if (token_.kind == Token::Kind::end) fail("empty comparison");
    const Comparison c = comparison();
    if (is_comparison()) fail("a comparison has two sides; min(a, b) > 0 is a > 0 and b > 0");
    expect_end();
    return expressions_.make(Op::subtract, c.greater, c.less);
  }

  std::size_t column() const { return tokens_.column(token_.offset); }

 private:
  struct Comparison {
    Node less, greater;
    bool or_equal;
  };

  void expect_end() const {
    if (token_.is(')')) fail("\")\" without \"(\"");
    if (token_.is(','))
      fail("\",\" only separates the arguments of a function; decimals are written with a point");
    if (token_.kind != Token::Kind::end) fail_for_want_of_operator();
  }

  bool is_comparison() const { return token_.is('<') || token_.is('>'); }
  void refuse_comparison() const {
    if (is_comparison()) fail("unexpected " + found() + "; a comparison stands first in if(a < b, x, y)");
  }

  Comparison comparison() {
    const Node left = sum();
    if (!is_comparison()) fail("expected <, >, <= or >=, found " + found());
    const Token sign = take();
    const Node right = sum();
    return sign.is('<') ? Comparison{left, right, sign.text.size() == 2}
                        : Comparison{right, left, sign.text.size() == 2};
  }

  Node sum() {
    Node left = term();
    while (token_.is('+') || token_.is('-')) {
      const Op op = take().is('+') ? Op::add : Op::subtract;
      left = expressions_.make(op, left, term());
    }
    return left;
  }

  Node term() {
    Node left = signed_power();
    while (token_.is('*') || token_.is('/')) {
      const Op op = take().is('*') ? Op::multiply : Op::divide;
      left = expressions_.make(op, left, signed_power());
    }
    return left;
  }

  // Every recursion of the grammar passes here, so this is where its depth is bounded.
  Node signed_power() {
    if (++nesting_ > max_nesting) fail("nested more than " + std::to_string(max_nesting) + " levels deep");
    Node node = none;
    if (token_.is('-')) {
      take();
      node = expressions_.make(Op::negate, signed_power());
    } else if (token_.is('+')) {
      take();
      node = signed_power();
    } else {
      node = power();
    }
    --nesting_;
    return node;
  }

  Node power() {
    const Node base = primary();
    if (!token_.is('^')) return base;
    take();
    return expressions_.make(Op::power, base, signed_power());
  }

  Node primary() {
    if (token_.kind == Token::Kind::number) return expressions_.number(take().value);
    if (token_.kind == Token::Kind::name) return named(take());
    if (!token_.is('(')) fail("expected a number, a name or \"(\", found " + found());
    const Token open = take();
    const Node node = sum();
    close(open);
    return node;
  }

  Node named(const Token& name) {
    if (name.text == "pi") return expressions_.number(std::numbers::pi);
    if (const Function* function = find_function(name.text)) return call(*function, name);
    const auto known = symbols_.find(name.text);
    if (known != symbols_.end() && !token_.is('(')) return known->second;
    if (known != symbols_.end())
      tokens_.fail(name.offset,
                   shown(name.text) + " is not a function; write " + std::string(name.text) + "*(");
    fail_for_unknown(name);
  }

  Node call(const Function& function, const Token& name) {
    if (!token_.is('('))
      tokens_.fail(name.offset,
                   shown(name.text) + " is a function; write " + std::string(name.text) + "(...)");
    const Token open = take();
    if (function.op == Op::if_less) return choice(open);
    std::vector<Node> arguments{sum()};
    while (token_.is(',')) {
      take();
      arguments.push_back(sum());
    }
    close(open);
    check_count(function, name, arguments.size());
    if (function.arguments == 1) return expressions_.make(function.op, arguments[0]);
    if (function.name == "hypot") return hypotenuse(arguments[0], arguments[1]);
    if (function.name == "mod") return remainder(arguments[0], arguments[1]);
    Node node = expressions_.make(function.op, arguments[0], arguments[1]);
    for (std::size_t i = 2; i < arguments.size(); ++i)
      node = expressions_.make(function.op, node, arguments[i]);
    return node;
  }

  void check_count(const Function& function, const Token& name, std::size_t found) const {
    if (found == function.arguments || (function.or_more && found > function.arguments)) return;
    tokens_.fail(name.offset, shown(name.text) + " takes " + std::to_string(function.arguments) +
                                  (function.arguments == 1 ? " argument" : " arguments") +
                                  (function.or_more ? " or more" : "") + ", found " + std::to_string(found));
  }

  // if(a < b, x, y); where both sides are equal, a <= b holds.
  Node choice(const Token& open) {
    const Comparison c = comparison();
    const auto next = [this] {
      if (!token_.is(',')) fail("expected \",\" of if(a < b, x, y), found " + found());
      take();
      return sum();
    };
    const Node yes = next(), no = next();
    if (token_.is(',')) fail("unexpected \",\": \"if\" takes a comparison and two formulas");
    close(open);
    return c.or_equal ? expressions_.make(Op::if_less, c.greater, c.less, no, yes)
                      : expressions_.make(Op::if_less, c.less, c.greater, yes, no);
  }

  // Has the sign of b, whatever that of a is.
  Node remainder(Node a, Node b) {
    const Node times = expressions_.make(Op::floor, expressions_.make(Op::divide, a, b));
    return expressions_.make(Op::subtract, a, expressions_.make(Op::multiply, b, times));
  }

  Node hypotenuse(Node a, Node b) {
    const auto square = [this](Node x) { return expressions_.make(Op::power, x, expressions_.number(2)); };
    return expressions_.make(Op::sqrt, expressions_.make(Op::add, square(a), square(b)));
  }

  void close(const Token& open) {
    if (starts_operand()) fail_for_want_of_operator();
    refuse_comparison();
    if (!token_.is(')'))
      fail("expected \")\" to close the \"(\" at column " + std::to_string(tokens_.column(open.offset)) +
           ", found " + found());
    take();
  }

  Token take() {
    previous_ = token_;
    token_ = tokens_.next();
    return previous_;
  }

  bool starts_operand() const {
    return token_.kind == Token::Kind::number || token_.kind == Token::Kind::name || token_.is('(');
  }
  std::string found() const {
    return token_.kind == Token::Kind::end ? "the end of the formula" : shown(token_.text);
  }

  [[noreturn]] void fail(const std::string& message) const { tokens_.fail(token_.offset, message); }

  [[noreturn]] void fail_for_want_of_operator() const {
    const bool numbers = previous_.kind == Token::Kind::number && token_.kind == Token::Kind::number;
    const std::string product =
        detail::printable(std::string(previous_.text) + '*' + std::string(token_.text));
    const std::string hint = numbers || product.size() > 40 ? "" : "; write " + product;
    fail("expected an operator after " + shown(previous_.text) + ", found " + found() + hint);
  }

  [[noreturn]] void fail_for_unknown(const Token& name) const {
    const bool called = token_.is('(');
    std::vector<std::string> known, near_ones;
    if (called) {
      for (const Function& function : functions) known.emplace_back(function.name);
      near_ones = known;
    } else {
      for (const auto& [symbol, node] : symbols_) known.push_back(symbol);
      near_ones = known;
      near_ones.emplace_back("pi");
      for (const Function& function : functions) near_ones.emplace_back(function.name);
    }
    const std::string word(name.text), near = nearest(word, near_ones);
    const std::string hint = near.empty() ? suggestion(word, known) : "; did you mean \"" + near + "\"?";
    tokens_.fail(name.offset, (called ? "unknown function " : "unknown name ") + shown(word) + hint);
  }

  Expressions& expressions_;
  const Symbols& symbols_;
  Tokens tokens_;
  Token token_, previous_;
  int nesting_ = 0;
};

// What a parser reads of a text, with the column where that becomes too large.
Node read(Expressions& expressions, std::string_view text, const Symbols& symbols, Node (Parser::*what)()) {
  if (text.size() > max_bytes) throw FormulaError("longer than " + std::to_string(max_bytes) + " bytes", 1);
  Parser parser(expressions, text, symbols);
  try {
    return (parser.*what)();
  } catch (const FormulaError& error) {
    if (error.column != 0) throw;
    throw FormulaError(error.what(), parser.column());
  }
}

}  // namespace

Node parse(Expressions& expressions, std::string_view text, const Symbols& symbols) {
  return read(expressions, text, symbols, &Parser::whole);
}
Node parse_comparison(Expressions& expressions, std::string_view text, const Symbols& symbols) {
  return read(expressions, text, symbols, &Parser::whole_comparison);
}

bool is_reserved(std::string_view name) { return name == "pi" || find_function(name) != nullptr; }

bool is_identifier(std::string_view name) { return !name.empty() && name_length(name) == name.size(); }

}  // namespace carom::formula
