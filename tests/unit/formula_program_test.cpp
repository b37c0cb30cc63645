// Programs compute what the formula says, over every kind of scalar, and share what is common.
#include "formula/program.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "formula_helpers.hpp"

namespace carom::test {
namespace {

using formula::Code;
using formula::Expressions;
using formula::Node;
using formula::Program;

double nan_safe_difference(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) ? 0 : std::abs(a - b);
}
template <int W>
double nan_safe_difference(const Pack<W>& a, const Pack<W>& b) {
  double most = 0;
  for (int i = 0; i < W; ++i) most = std::max(most, nan_safe_difference(a[i], b[i]));
  return most;
}
template <DualNumber S>
double nan_safe_difference(const S& a, const S& b) {
  double most = nan_safe_difference(a.a, b.a);
  for (int i = 0; i < S::directions; ++i) most = std::max(most, nan_safe_difference(a.d[i], b.d[i]));
  if constexpr (S::derivative_order == 2)
    for (int i = 0; i < S::packed; ++i) most = std::max(most, nan_safe_difference(a.h[i], b.h[i]));
  return most;
}

// Every input varies in every direction of every level, each differently.
template <class S>
S seeded(double value, int input) {
  if constexpr (DualNumber<S>) {
    S x(seeded<typename S::Value>(value, input));
    for (int i = 0; i < S::directions; ++i)
      x.d[i] = seeded<typename S::Value>(0.3 + 0.2 * i - 0.25 * input, input + i + 1);
    return x;
  } else {
    return S(value);
  }
}

template <class S>
void expect_equal_to_direct_evaluation() {
  std::array<S, inputs> in;
  for (int i = 0; i < inputs; ++i)
    in[static_cast<std::size_t>(i)] = seeded<S>(sample[static_cast<std::size_t>(i)], i);
  RandomTrees random(5);
  int checked = 0;
  for (int n = 0; n < 1000; ++n) {
    const Tree tree = random(1 + n % 5);
    Expressions e;
    const Program program = compile(e, std::array{formula::parse(e, text(tree), sample_symbols(e))}, inputs);
    const auto expected = evaluate(tree, std::span<const S>(in));
    if (!std::isfinite(magnitude(expected.value)) || expected.largest > 1e5) continue;
    S value;
    program(std::span<const S>(in), std::span(&value, 1));
    EXPECT_LT(nan_safe_difference(value, expected.value), 1e-12 * std::max(1.0, expected.largest))
        << text(tree);
    ++checked;
  }
  EXPECT_GT(checked, 850);
}

TEST(FormulaProgram, EqualsDirectEvaluationOverDoubles) { expect_equal_to_direct_evaluation<double>(); }
TEST(FormulaProgram, EqualsDirectEvaluationOverDuals) {
  expect_equal_to_direct_evaluation<Dual<double, 3>>();
  expect_equal_to_direct_evaluation<Dual2<double, 2>>();
}
TEST(FormulaProgram, EqualsDirectEvaluationOverNestedDuals) {
  expect_equal_to_direct_evaluation<Dual<Dual<double, 2>, 2>>();
  expect_equal_to_direct_evaluation<Dual<Dual2<double, 2>, 1>>();
}
TEST(FormulaProgram, EqualsDirectEvaluationOverPacks) {
  expect_equal_to_direct_evaluation<Pack<2>>();
  expect_equal_to_direct_evaluation<Dual<Pack<4>, 2>>();
}

struct Compiled {
  Expressions e;
  Program program;
  explicit Compiled(const std::vector<std::string>& formulas) {
    std::vector<Node> outputs;
    const auto symbols = sample_symbols(e);
    for (const auto& formula : formulas) outputs.push_back(formula::parse(e, formula, symbols));
    program = compile(e, outputs, inputs);
  }
  std::vector<Code> codes() const {
    std::vector<Code> result;
    for (const auto& instruction : program.instructions()) result.push_back(instruction.code);
    return result;
  }
  std::vector<double> values() const {
    std::vector<double> out(static_cast<std::size_t>(program.outputs()));
    program(std::span<const double>(sample), std::span(out));
    return out;
  }
};
using Codes = std::vector<Code>;

TEST(FormulaProgram, MultipliesSmallPowers) {
  EXPECT_EQ(Compiled({"x^2"}).codes(), (Codes{Code::square}));
  EXPECT_EQ(Compiled({"x*x"}).codes(), (Codes{Code::square}));
  EXPECT_EQ(Compiled({"x^3"}).codes(), (Codes{Code::square, Code::multiply}));
  EXPECT_EQ(Compiled({"x^4", "x^2"}).codes(), (Codes{Code::square, Code::square}));
  EXPECT_EQ(Compiled({"x^-2"}).codes(), (Codes{Code::square, Code::divide_constant}));
  EXPECT_EQ(Compiled({"x^-1"}).codes(), (Codes{Code::divide_constant}));
  EXPECT_EQ(Compiled({"x^0.5"}).codes(), (Codes{Code::sqrt}));
  EXPECT_EQ(Compiled({"x^-1.5"}).codes(), (Codes{Code::sqrt, Code::multiply, Code::divide_constant}));
  EXPECT_EQ(Compiled({"x^1.5"}).codes(), (Codes{Code::power_constant}));
  EXPECT_EQ(Compiled({"x^40"}).codes(), (Codes{Code::power_constant}));
  EXPECT_EQ(Compiled({"x^θ"}).codes(), (Codes{Code::power}));
  EXPECT_DOUBLE_EQ(Compiled({"x^-2.5"}).values()[0], std::pow(sample[0], -2.5));
  EXPECT_DOUBLE_EQ(Compiled({"x^13"}).values()[0], std::pow(sample[0], 13));
}

TEST(FormulaProgram, TakesConstantsIntoItsInstructions) {
  EXPECT_EQ(Compiled({"2*x"}).codes(), (Codes{Code::multiply_constant}));
  EXPECT_EQ(Compiled({"x - 2"}).codes(), (Codes{Code::add_constant}));
  EXPECT_EQ(Compiled({"2 - x"}).codes(), (Codes{Code::subtract_from_constant}));
  EXPECT_EQ(Compiled({"x/3"}).codes(), (Codes{Code::divide_by_constant}));
  EXPECT_EQ(Compiled({"3/x"}).codes(), (Codes{Code::divide_constant}));
  EXPECT_EQ(Compiled({"max(x, 3)"}).codes(), (Codes{Code::load, Code::max}));
}

TEST(FormulaProgram, SharesCommonPartsAndPairsSineWithCosine) {
  EXPECT_EQ(Compiled({"exp(x*θ) + exp(θ*x)"}).codes(),
            (Codes{Code::multiply, Code::exp, Code::multiply_constant}));
  EXPECT_EQ(Compiled({"sin(x)", "cos(x)"}).codes(), (Codes{Code::sin_cos}));
  EXPECT_EQ(Compiled({"cos(x)", "sin(x)"}).codes(), (Codes{Code::sin_cos}));
  EXPECT_EQ(Compiled({"sin(x)", "cos(θ)"}).codes(), (Codes{Code::sin, Code::cos}));
  EXPECT_EQ(Compiled({"cos(x)", "sin(x)"}).values(),
            (std::vector<double>{std::cos(sample[0]), std::sin(sample[0])}));
}

TEST(FormulaProgram, LeavesOutWhatNoOutputNeeds) {
  Expressions e;
  const auto symbols = sample_symbols(e);
  formula::parse(e, "exp(x)*tan(θ)", symbols);
  const Program program = compile(e, std::array{formula::parse(e, "x + θ", symbols)}, inputs);
  EXPECT_EQ(program.instructions().size(), 1u);
}

TEST(FormulaProgram, UsesRegistersAgain) {
  std::string formula = "x";
  for (int i = 0; i < 40; ++i) formula = "sin(" + formula + ") + θ";
  EXPECT_EQ(Compiled({formula}).program.registers(), static_cast<std::size_t>(inputs));
}

TEST(FormulaProgram, OutputsMayBeInputsConstantsAndEachOther) {
  const Compiled compiled({"x", "3", "x", "θ*2", "θ*2", "3"});
  EXPECT_EQ(compiled.values(), (std::vector<double>{0.7, 3, 0.7, -2.6, -2.6, 3}));
  EXPECT_EQ(compiled.program.inputs(), inputs);
  EXPECT_EQ(compiled.program.outputs(), 6);
}

TEST(FormulaProgram, MayWriteOverItsInputs) {
  const Compiled compiled({"θ", "x", "x + θ"});
  std::array<double, 3> z{1, 2, 0};
  compiled.program(std::span<const double>(z), std::span<double>(z));
  EXPECT_EQ(z, (std::array<double, 3>{2, 1, 3}));
}

TEST(FormulaProgram, WithNoOutputsOrNoInputsRuns) {
  Expressions e;
  compile(e, {}, 0)(std::span<const double>(), std::span<double>());
  double value = 0;
  compile(e, std::array{e.number(2)}, 0)(std::span<const double>(), std::span(&value, 1));
  EXPECT_EQ(value, 2);
}

TEST(FormulaProgram, DoesNotHideWhatIsNotFinite) {
  const auto values = Compiled({"1/0", "0*(x + 1/0)", "log(0)", "x/(θ - θ)", "sqrt(-1)", "(1/0)^0"}).values();
  EXPECT_TRUE(std::isinf(values[0]));
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_TRUE(std::isinf(values[2]));
  EXPECT_TRUE(std::isinf(values[3]));
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_EQ(values[5], 1);  // what pow() says
}

TEST(FormulaProgram, RunsInSeveralThreadsAtOnce) {
  const Compiled compiled({"sin(x)*θ + x'^3"});
  const double expected = compiled.values()[0];
  std::vector<std::thread> threads;
  std::array<bool, 4> right{};
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      right[t] = true;
      for (int i = 0; i < 1000; ++i) right[t] = right[t] && compiled.values()[0] == expected;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, (std::array{true, true, true, true}));
}

}  // namespace
}  // namespace carom::test
