// Formulas as JavaScript.
#include "formula/print.hpp"

#include <gtest/gtest.h>

#include "formula/parse.hpp"

namespace carom::formula {
namespace {

class FormulaPrint : public testing::Test {
 protected:
  Node parsed(const std::string& text) { return parse(e_, text, symbols_); }
  std::string javascript(const std::string& text) { return to_javascript(e_, parsed(text), names_); }

  Expressions e_;
  std::vector<std::string> names_{"q[0]", "q[1]", "v[0]"};
  Symbols symbols_{{"x", e_.symbol(0)}, {"y", e_.symbol(1)}, {"x'", e_.symbol(2)}};
};

TEST_F(FormulaPrint, JavaScript) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"sin(x)*2", "2*Math.sin(q[0])"},
      {"x - (y - x')", "q[0] - (q[1] - v[0])"},
      {"x*(y + 1)", "q[0]*(1 + q[1])"},
      {"x/(y*x')", "q[0]/(q[1]*v[0])"},
      {"x/(y/x')", "q[0]/(q[1]/v[0])"},
      {"x/y/x'", "q[0]/q[1]/v[0]"},
      {"-x^2", "-(q[0]**2)"},
      {"-(x + y)", "-(q[0] + q[1])"},
      {"(x + y)^2", "(q[0] + q[1])**2"},
      {"x^-2", "q[0]**(-2)"},
      {"2^x^y", "2**q[0]**q[1]"},
      {"(2^x)^y", "(2**q[0])**q[1]"},
      {"x - 0.1", "q[0] - 0.1"},
      {"y*(x - 0.1)", "q[1]*(q[0] - 0.1)"},
      {"max(x, 0) + atan2(y, x)", "Math.max(q[0], 0) + Math.atan2(q[1], q[0])"},
      {"floor(x) + sign(-y)", "Math.floor(q[0]) - Math.sign(q[1])"},
      {"min(x, y, 2)", "Math.min(Math.min(q[0], q[1]), 2)"},
      {"mod(x, 3)", "q[0] - 3*Math.floor(q[0]/3)"},
      {"if(x >= 1, y, 2)", "(q[0] < 1 ? 2 : q[1])"},
      {"1e-30*x", "1e-30*q[0]"},
      {"x + 1/0", "q[0] + 1/0"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(javascript(text), expected) << text;
}

TEST_F(FormulaPrint, JavaScriptOfAKink) {
  EXPECT_EQ(to_javascript(e_, e_.derivative(parsed("abs(x)*3"), 0), names_), "3*(q[0] < 0 ? -1 : 1)");
  EXPECT_EQ(to_javascript(e_, e_.derivative(parsed("min(x, y^2)"), 1), names_),
            "(q[1]**2 < q[0] ? 2*q[1] : 0)");
}

TEST_F(FormulaPrint, JavaScriptThatWouldNeverEndIsRefused) {
  Node node = parsed("x + sin(y)");
  for (int i = 0; i < 100; ++i)
    node = e_.make(Op::divide, e_.make(Op::sin, node), e_.make(Op::add, node, e_.symbol(0)));
  EXPECT_THROW((void)to_javascript(e_, node, names_), FormulaError);
}

TEST_F(FormulaPrint, JavaScriptOfADeepFormulaIsNotRecursive) {
  Node node = e_.symbol(0);
  for (int i = 0; i < 30000; ++i) node = e_.make(Op::sin, node);
  EXPECT_EQ(to_javascript(e_, node, names_).size(), 30000 * std::string("Math.sin()").size() + 4);
}

}  // namespace
}  // namespace carom::formula
