// Programs written as C and compiled give the bits of the interpreter, for every function and every kind of
// number.
#include "formula/to_c.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "formula/native_library.hpp"
#include "formula_helpers.hpp"

namespace carom::test {
namespace {

using formula::Expressions;
using formula::Node;
using formula::Program;

// A cache of its own, which is gone with the test.
class FormulaToC : public ::testing::Test {
 protected:
  FormulaToC() {
    folder_ = (std::filesystem::temp_directory_path() / "carom-to-c-XXXXXX").string();
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    if (const char* old = std::getenv("XDG_CACHE_HOME")) old_ = old;
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~FormulaToC() override {
    old_.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", old_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

  std::string folder_, old_;
};

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

// Where functions turn, end or overflow, and some places like any other.
const std::vector<double>& numbers() {
  constexpr double huge = std::numeric_limits<double>::max(),
                   tiny = std::numeric_limits<double>::denorm_min();
  static const std::vector<double> all = [] {
    std::vector<double> r = {0.0,  -0.0,  1.0,  -1.0,  0.5,   2.0,      -3.0,      1e-9, 1e15,
                             huge, -huge, tiny, -tiny, 710.0, HUGE_VAL, -HUGE_VAL, NAN};
    std::mt19937 random(7);
    for (int i = 0; i < 60; ++i) r.push_back(std::normal_distribution<double>(0, i % 3 ? 2 : 1e4)(random));
    return r;
  }();
  return all;
}

void expect_same_bits(const std::vector<Program>& programs, const std::vector<std::string>& texts) {
  std::vector<const Program*> all;
  for (const Program& program : programs) all.push_back(&program);
  const NativeLibrary library = open_native(formula::to_c(all), true);
  if (library.trouble.starts_with("there is no compiler")) GTEST_SKIP() << library.trouble;
  ASSERT_TRUE(library.functions) << library.trouble;
  std::mt19937 random(3);
  for (std::size_t p = 0; p < programs.size(); ++p) {
    std::vector<double> expected(static_cast<std::size_t>(programs[p].outputs())), found = expected;
    for (int n = 0; n < 400; ++n) {
      std::array<double, inputs> in;
      for (double& x : in) x = numbers()[random() % numbers().size()];
      programs[p](std::span<const double>(in), std::span<double>(expected));
      library.functions[p](in.data(), found.data());
      for (std::size_t k = 0; k < found.size(); ++k)
        ASSERT_TRUE(same(expected[k], found[k])) << texts[p] << " at " << in[0] << ", " << in[1] << ", "
                                                 << in[2] << ": " << expected[k] << " and " << found[k];
    }
  }
}

TEST_F(FormulaToC, GivesTheSameBitsForRandomFormulasAndTheirDerivatives) {
  RandomTrees random(11);
  std::vector<Program> programs;
  std::vector<std::string> texts;
  for (int n = 0; n < 300; ++n) {
    Expressions e;
    texts.push_back(text(random(1 + n % 5)));
    std::vector<Node> outputs{formula::parse(e, texts.back(), sample_symbols(e))};
    for (int i = 0; i < inputs; ++i) outputs.push_back(e.derivative(outputs[0], i));
    programs.push_back(compile(e, outputs, inputs));
  }
  expect_same_bits(programs, texts);
}

TEST_F(FormulaToC, GivesTheSameBitsForProgramsThatTakeSeveralFunctions) {
  RandomTrees random(17);
  Expressions e;
  std::vector<Node> outputs;
  for (int n = 0; n < 100; ++n) {
    outputs.push_back(formula::parse(e, text(random(5)), sample_symbols(e)));
    for (int i = 0; i < inputs; ++i)
      outputs.push_back(e.derivative(outputs[static_cast<std::size_t>(4 * n)], i));
  }
  const std::vector<Program> programs{compile(e, outputs, inputs)};
  EXPECT_GT(programs[0].instructions().size(), 1000U);
  expect_same_bits(programs, {"a hundred formulas"});
}

TEST_F(FormulaToC, GivesTheSameBitsForEachFunctionWhereverItIsTaken) {
  const std::vector<std::string> texts = {"sin(x)",
                                          "cos(x)",
                                          "sin(x) + cos(x)",
                                          "tan(x)",
                                          "asin(x)",
                                          "acos(x)",
                                          "atan(x)",
                                          "sinh(x)",
                                          "cosh(x)",
                                          "tanh(x)",
                                          "exp(x)",
                                          "log(x)",
                                          "sqrt(x)",
                                          "abs(x)",
                                          "x^θ",
                                          "2^x",
                                          "x^0.5",
                                          "x^-0.5",
                                          "x^1.5",
                                          "x^-2.5",
                                          "x^0.3",
                                          "x^17",
                                          "x^-3",
                                          "atan2(x, θ)",
                                          "min(x, θ)",
                                          "max(x, θ)",
                                          "-x",
                                          "x - x",
                                          "0*x",
                                          "1/x",
                                          "x/θ",
                                          "x*θ + x'",
                                          "(x + θ) - θ",
                                          "max(x, 0)*θ",
                                          "min(0, x)",
                                          "10^x",
                                          "abs(x)*sin(θ)",
                                          "exp(x)/x^2",
                                          "x*x - θ*θ",
                                          "x/3 + θ/7",
                                          "hypot(x, θ)",
                                          "sqrt(x)*sqrt(x)",
                                          "sign(x)",
                                          "floor(x)",
                                          "mod(x, θ)",
                                          "mod(x, 0.3)",
                                          "floor(x*θ)",
                                          "sign(x - θ)*x'",
                                          "if(x < θ, x, x')",
                                          "if(x >= 0, θ, 1/x)",
                                          "max(x, θ, x', 1)"};
  std::vector<Program> programs;
  for (const auto& formula : texts) {
    Expressions e;
    const Node f = formula::parse(e, formula, sample_symbols(e));
    programs.push_back(compile(e, std::array{f, e.derivative(f, 0), e.derivative(f, 1)}, inputs));
  }
  expect_same_bits(programs, texts);
}

TEST_F(FormulaToC, MayWriteWhereItReads) {
  Expressions e;
  const auto symbols = sample_symbols(e);
  const std::array outputs{symbols.at("x'"), symbols.at("x"), formula::parse(e, "x*θ", symbols)};
  Program program = compile(e, outputs, inputs);
  const std::array<const Program*, 1> all{&program};
  const NativeLibrary library = open_native(formula::to_c(all), true);
  if (library.trouble.starts_with("there is no compiler")) GTEST_SKIP() << library.trouble;
  ASSERT_TRUE(library.functions) << library.trouble;
  program.run_by(library.functions[0]);
  std::array<double, inputs> at{2, 3, 5};
  program(std::span<const double>(at), std::span<double>(at));
  EXPECT_EQ(at, (std::array<double, inputs>{5, 2, 6}));
}

}  // namespace
}  // namespace carom::test
