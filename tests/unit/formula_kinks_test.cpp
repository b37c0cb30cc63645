// Where formulas are not smooth: the functions whose zeros are their kinks, and jumps that are found.
#include "formula/kinks.hpp"

#include <gtest/gtest.h>

#include "formula/parse.hpp"
#include "formula/print.hpp"

namespace carom::formula {
namespace {

class FormulaKinks : public testing::Test {
 protected:
  Node parsed(const std::string& text) { return parse(e_, text, symbols_); }
  std::vector<std::string> kinks(const std::string& text) {
    std::vector<std::string> r;
    for (const Node kink : kinks_of(e_, parsed(text))) r.push_back(to_javascript(e_, kink, names_));
    return r;
  }
  std::optional<Jump> jump(const std::string& text) { return find_jump(e_, parsed(text), 3); }

  using Texts = std::vector<std::string>;
  Expressions e_;
  Texts names_{"x", "y", "t"};
  Symbols symbols_{{"x", e_.symbol(0)}, {"y", e_.symbol(1)}, {"t", e_.symbol(2)}};
};

TEST_F(FormulaKinks, AreZerosOfWhatDecides) {
  EXPECT_EQ(kinks("y - sin(x)*exp(t)"), Texts{});
  EXPECT_EQ(kinks("y - abs(x - 1)"), Texts{"x - 1"});
  EXPECT_EQ(kinks("min(x, 2*y)"), Texts{"x - 2*y"});
  EXPECT_EQ(kinks("y + x*sign(t)"), Texts{"t"});
  EXPECT_EQ(kinks("if(x >= y, x^2, y^2)"), Texts{"x - y"});
  EXPECT_EQ(kinks("max(x, y, t)"), (Texts{"x - y", "Math.max(x, y) - t"}));
  EXPECT_EQ(kinks("abs(mod(x, 2) - 1)"),
            (Texts{"Math.sin(1.5707963267948966*x)", "x - 2*Math.floor(0.5*x) - 1"}));
}
TEST_F(FormulaKinks, AreListedOnce) {
  EXPECT_EQ(kinks("abs(x) + abs(-x) + sign(x)*y + max(x, 0)"), Texts{"x"});
  EXPECT_EQ(kinks("min(x, y) + max(y, x) + if(y < x, 1, 2)"), Texts{"x - y"});
  EXPECT_EQ(kinks("abs(2)*x + sign(-3)"), Texts{});
}

TEST_F(FormulaKinks, JumpsAreFound) {
  for (const std::string text :
       {"sign(x)", "floor(x)", "mod(x, 2)", "y - floor(x/3)", "if(x < 1, 0, 1)", "y + sign(x - y)",
        "x*sign(t)", "if(x > 1e6, y, 2*y)", "if(x < 1e-9, y, y + 1e-9)", "y - 1e-9*floor(x/1e-9)",
        "sqrt(1 + floor(y)^2)", "if(x + y < t, x, y)", "abs(x)*floor(y)", "mod(x, 2)^2 - mod(x, 2)",
        "if(t < 5, x, x - 1)"})
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
