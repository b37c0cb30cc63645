// Where formulas are not smooth: the branches between their kinks, and jumps that are found.
#include "formula/kinks.hpp"

#include <gtest/gtest.h>

#include "formula/parse.hpp"
#include "formula/print.hpp"
#include "formula/program.hpp"

namespace carom::formula {
namespace {

class FormulaKinks : public testing::Test {
 protected:
  Node parsed(const std::string& text) { return parse(e_, text, symbols_); }
  // What decides its branches, and the formula in them.
  std::vector<std::string> branches(const std::string& text) {
    std::vector<Branch> all;
    const Node formula = branched(e_, parsed(text), 3, all);
    std::vector<std::string> r;
    for (const Branch& branch : all) r.push_back(to_javascript(e_, branch.of, names_));
    r.push_back(to_javascript(e_, formula, names_));
    return r;
  }
  std::optional<Jump> jump(const std::string& text) { return find_jump(e_, parsed(text), 3); }

  using Texts = std::vector<std::string>;
  Expressions e_;
  Texts names_{"x", "y", "t", "a", "b"};
  Symbols symbols_{{"x", e_.symbol(0)}, {"y", e_.symbol(1)}, {"t", e_.symbol(2)}};
};

TEST_F(FormulaKinks, AreChosenByFurtherInputs) {
  EXPECT_EQ(branches("y - sin(x)"), Texts{"y - Math.sin(x)"});
  EXPECT_EQ(branches("y - abs(x - 1)"), (Texts{"x - 1", "y - (a < 0 ? -(x - 1) : (x - 1))"}));
  EXPECT_EQ(branches("min(x, 2*y)"), (Texts{"x - 2*y", "(a < 0 ? x : 2*y)"}));
  EXPECT_EQ(branches("max(x, 2*y)"), (Texts{"x - 2*y", "(a < 0 ? 2*y : x)"}));
  EXPECT_EQ(branches("y + x*sign(t)"), (Texts{"t", "y + x*a"}));
  EXPECT_EQ(branches("if(x < y, x^2, y^2)"), (Texts{"x - y", "(a < 0 ? x**2 : y**2)"}));
  EXPECT_EQ(branches("abs(x) + 2*abs(x)*y"), (Texts{"x", "(a < 0 ? -x : x) + 2*(y*(a < 0 ? -x : x))"}));
  EXPECT_EQ(branches("abs(2)*x + sign(-3)"), Texts{"2*x - 1"});
}
TEST_F(FormulaKinks, OfKinksAndOfWholeNumbers) {
  std::vector<Branch> all;
  branched(e_, parsed("abs(mod(x, 2) - 1)"), 3, all);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].whole && !all[1].whole);
  const std::vector<Node> outputs{choice_of(e_, all[0]), choice_of(e_, all[1])};
  const Program program = compile(e_, outputs, 3);
  std::array<double, 3> in{4.5, 0, 0};
  std::array<double, 2> out{};
  program(std::span<const double>(in), std::span<double>(out));
  EXPECT_EQ(out, (std::array<double, 2>{2, -1}));  // mod(4.5, 2) - 1 = -0.5
}

TEST_F(FormulaKinks, JumpsAreFound) {
  for (const std::string text :
       {"sign(x)", "floor(x)", "mod(x, 2)", "y - floor(x/3)", "if(x < 1, 0, 1)", "y + sign(x - y)",
        "x*sign(t)", "if(x > 1e6, y, 2*y)", "if(x < 1e-9, y, y + 1e-9)", "y - 1e-9*floor(x/1e-9)",
        "sqrt(1 + floor(y)^2)", "if(x + y < t, x, y)", "abs(x)*floor(y)", "mod(x, 2)^2 - mod(x, 2)",
        "if(t < 5, x, x - 1)", "sign(x - 1)", "y - 0.1*sign(t - 0.5)", "sign(2 + x)"})
    EXPECT_TRUE(jump(text)) << text;
  const auto found = jump("y - if(x < 2, 0, 7)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->input, 0);
  EXPECT_NEAR(found->at, 2, 1e-12);
  EXPECT_NEAR(found->before - found->after, 7, 1e-9);
}
TEST_F(FormulaKinks, WhatIsContinuousDoesNotJump) {
  for (const std::string text :
       {"x", "abs(x)", "max(x, y, t)", "x*sign(x)", "x^2*sign(x)", "abs(mod(x, 2) - 1)",
        "abs(mod(x, 0.3) - 0.15)", "if(x < 0, -x, x)", "if(x < 1, x^2, 2*x - 1)", "if(x < y, x, y)",
        "sin(pi*mod(x, 1))", "floor(2.5)*x", "y - 1e-9*abs(mod(x/1e-9, 2) - 1)", "(x - t)*sign(x - t)",
        "if(x >= 0, sqrt(x), 0)", "mod(x, 2)*(2 - mod(x, 2))", "if(t < 5, 0, (t - 5)^2)*x",
        "cos(2*pi*floor(x))*y"})
    EXPECT_FALSE(jump(text)) << text << " at " << jump(text)->at << " of " << jump(text)->input;
}

}  // namespace
}  // namespace carom::formula
