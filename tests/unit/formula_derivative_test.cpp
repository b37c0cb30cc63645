// Symbolic derivatives of random formulas are those of dual numbers, over all operations; and a few by hand.
#include <gtest/gtest.h>

#include "formula_helpers.hpp"

namespace carom::test {
namespace {

using formula::Expressions;
using formula::Node;
using formula::Op;
using formula::Program;

constexpr int formulas = 3000;

std::vector<double> run(const Expressions& expressions, const std::vector<Node>& outputs) {
  const Program program = compile(expressions, outputs, inputs);
  std::vector<double> out(outputs.size());
  program(std::span<const double>(sample), std::span(out));
  return out;
}

template <class S>
std::array<S, inputs> variables() {
  std::array<S, inputs> in;
  for (int i = 0; i < inputs; ++i)
    in[static_cast<std::size_t>(i)] = S::variable(sample[static_cast<std::size_t>(i)], i);
  return in;
}

// Singular formulas (0^0 in a power's derivative, say) are left out; hardly any are.
template <class Check>
void for_random_formulas(unsigned seed, const Check& check) {
  RandomTrees random(seed);
  int checked = 0;
  for (int n = 0; n < formulas; ++n) {
    const Tree tree = random(1 + n % 5);
    const std::string formula = text(tree);
    const auto in = variables<Dual2<double, inputs>>();
    const auto exact = evaluate(tree, std::span<const Dual2<double, inputs>>(in));
    if (!std::isfinite(magnitude(exact.value)) || exact.largest > 1e4) continue;
    SCOPED_TRACE(formula);
    check(formula, exact.value, 1e-12 * std::max(1.0, exact.largest));
    ++checked;
  }
  EXPECT_GT(checked, formulas * 9 / 10);
}

TEST(FormulaDerivative, FirstOnesEqualThoseOfDualNumbers) {
  for_random_formulas(1, [](const std::string& formula, const auto& exact, double tolerance) {
    Expressions e;
    const Node f = formula::parse(e, formula, sample_symbols(e));
    std::vector<Node> outputs{f};
    for (int i = 0; i < inputs; ++i) outputs.push_back(e.derivative(f, i));
    const auto values = run(e, outputs);
    EXPECT_NEAR(values[0], exact.a, tolerance);
    for (std::size_t i = 0; i < inputs; ++i) EXPECT_NEAR(values[i + 1], exact.d[i], tolerance);
  });
}

TEST(FormulaDerivative, SecondOnesEqualThoseOfDualNumbersAndCommute) {
  for_random_formulas(2, [](const std::string& formula, const auto& exact, double tolerance) {
    Expressions e;
    const Node f = formula::parse(e, formula, sample_symbols(e));
    for (int i = 0; i < inputs; ++i) {
      std::vector<Node> outputs;
      for (int j = 0; j < inputs; ++j) outputs.push_back(e.derivative(e.derivative(f, i), j));
      const auto values = run(e, outputs);
      for (int j = 0; j < inputs; ++j)
        EXPECT_NEAR(values[static_cast<std::size_t>(j)], exact.h[exact.index(i, j)], tolerance);
    }
  });
}

std::vector<double> slopes(const std::string& formula, const std::vector<double>& at) {
  Expressions e;
  const Node f = formula::parse(e, formula, {{"x", e.symbol(0)}});
  const Program program = compile(e, std::array{e.derivative(f, 0)}, 1);
  std::vector<double> result;
  for (const double x : at) {
    double slope = 0;
    program(std::span(&x, 1), std::span(&slope, 1));
    result.push_back(slope);
  }
  return result;
}

TEST(FormulaDerivative, OfKinksIsThatOfTheBranchAndAtTheKinkThatOfDualNumbers) {
  EXPECT_EQ(slopes("abs(x)", {-2, 0, 2}), (std::vector<double>{-1, 1, 1}));
  EXPECT_EQ(slopes("min(x, 3 - 2*x)", {0, 1, 2}), (std::vector<double>{1, 1, -2}));
  EXPECT_EQ(slopes("max(x, 3 - 2*x)", {0, 1, 2}), (std::vector<double>{-2, 1, 1}));
  EXPECT_EQ(slopes("x*abs(x)", {-2, 0, 2}), (std::vector<double>{4, 0, 4}));
  EXPECT_EQ(slopes("max(x, 2 - x, 3)", {-2, 0, 4}), (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(slopes("if(x < 1, x^2, 3*x)", {0.5, 1, 2}), (std::vector<double>{1, 3, 3}));
  EXPECT_EQ(slopes("if(x <= 1, x^2, 3*x)", {0.5, 1, 2}), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(slopes("sign(x) + floor(x)", {-0.5, 0, 3}), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(slopes("mod(x, 3)*x", {1, 4}), (std::vector<double>{2, 5}));
}

TEST(FormulaDerivative, OfPowersHoldsAtAndBelowZero) {
  EXPECT_EQ(slopes("x^2", {-3, 0}), (std::vector<double>{-6, 0}));
  EXPECT_EQ(slopes("x^3", {-3, 0}), (std::vector<double>{27, 0}));
  EXPECT_EQ(slopes("x^1.5", {0, 4}), (std::vector<double>{0, 3}));
  EXPECT_EQ(slopes("2^(x^2)", {0}), (std::vector<double>{0}));
}

TEST(FormulaDerivative, DropsWhatDoesNotVary) {
  Expressions e;
  const formula::Symbols symbols = sample_symbols(e);
  const Node f = formula::parse(e, "0.5*x'^2 - 9.81*x + cos(θ)", symbols);
  EXPECT_EQ(e.derivative(f, 2), formula::parse(e, "x'", symbols));
  EXPECT_EQ(e.constant(e.derivative(f, 0)), -9.81);
  EXPECT_EQ(e.derivative(f, 1), formula::parse(e, "-sin(θ)", symbols));
  EXPECT_EQ(e.constant(e.derivative(e.derivative(f, 2), 2)), 1.0);
  EXPECT_EQ(e.constant(e.derivative(e.derivative(f, 2), 0)), 0.0);
  EXPECT_EQ(e.constant(e.derivative(f, 7)), 0.0);
}

TEST(FormulaDerivative, IsMadeOnce) {
  Expressions e;
  const Node f = formula::parse(e, "exp(sin(x)*θ)/x", sample_symbols(e));
  const Node first = e.derivative(f, 0);
  const std::size_t size = e.size();
  EXPECT_EQ(e.derivative(f, 0), first);
  EXPECT_EQ(e.size(), size);
}

TEST(FormulaDerivative, OfAVeryDeepFormulaIsALoopNotARecursion) {
  Expressions e;
  const Node x = e.symbol(0);
  Node f = x;
  for (int i = 0; i < 10000; ++i) f = e.make(i % 2 == 0 ? Op::sin : Op::cos, f);
  const Node slope = e.derivative(f, 0);
  const Program program = compile(e, std::array{f, slope}, 1);
  const auto in = Dual<double, 1>::variable(0.3, 0);
  Dual<double, 1> expected = in;
  for (int i = 0; i < 10000; ++i) expected = i % 2 == 0 ? sin(expected) : cos(expected);
  std::array<double, 2> out{};
  program(std::span<const double>(&in.a, 1), std::span<double>(out));
  EXPECT_DOUBLE_EQ(out[0], expected.a);
  EXPECT_NEAR(out[1], expected.d[0], 1e-300);
}

// x_{n+1} = x_n^2 + sin(x_n) has derivatives that double in size with every level if nothing is shared.
TEST(FormulaDerivative, ThatGrowsTooLargeIsRefused) {
  Expressions e;
  Node f = e.symbol(0);
  for (int i = 0; i < 20000; ++i) f = e.make(Op::sin, e.make(Op::multiply, f, e.make(Op::exp, f)));
  EXPECT_THROW(
      {
        Node d = f;
        for (int i = 0; i < 6; ++i) d = e.derivative(d, 0);
      },
      formula::FormulaError);
  EXPECT_LE(e.size(), Expressions::max_parts);
}

}  // namespace
}  // namespace carom::test
