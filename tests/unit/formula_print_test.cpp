// Formulas as C++ and JavaScript.
#include "formula/print.hpp"

#include <gtest/gtest.h>

#include "formula/parse.hpp"

namespace carom::formula {
namespace {

class FormulaPrint : public testing::Test {
 protected:
  Node parsed(const std::string& text) { return parse(e_, text, symbols_); }
  std::string javascript(const std::string& text) { return to_javascript(e_, parsed(text), names_); }
  std::string statements(const std::vector<Node>& outputs) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < outputs.size(); ++i) names.push_back("out[" + std::to_string(i) + "]");
    return to_cpp(e_, outputs, names_, names);
  }
  std::string cpp(const std::string& text) { return statements({parsed(text)}); }

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

TEST_F(FormulaPrint, Cpp) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"sin(x)*2", "out[0] = 2.0*sin(q[0]);\n"},
      {"x^2", "out[0] = q[0]*q[0];\n"},
      {"y/x^2", "out[0] = q[1]/(q[0]*q[0]);\n"},
      {"x^2.5 + x^-4", "out[0] = pow(q[0], 2.5) + pow(q[0], -4.0);\n"},
      {"2^x", "out[0] = pow(S(2.0), q[0]);\n"},
      {"atan2(x, 1)", "out[0] = atan2(q[0], S(1.0));\n"},
      {"0.1*x - 3", "out[0] = 0.1*q[0] - 3.0;\n"},
      {"(x + y)^3", "const auto r1 = q[0] + q[1];\nout[0] = r1*r1*r1;\n"},
      {"cos(x*y)*(x*y + 1)", "const auto r1 = q[0]*q[1];\nout[0] = cos(r1)*(1.0 + r1);\n"},
      {"3", "out[0] = 3.0;\n"},
      {"x", "out[0] = q[0];\n"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(cpp(text), expected) << text;
}

TEST_F(FormulaPrint, CppSharesPartsBetweenOutputs) {
  const Node f = parsed("exp(x*y)");
  EXPECT_EQ(statements({f, e_.derivative(f, 0), f}),
            "const auto r1 = exp(q[0]*q[1]);\n"
            "out[0] = r1;\n"
            "out[1] = q[1]*r1;\n"
            "out[2] = r1;\n");
}

TEST_F(FormulaPrint, CppOfAKinkSelects) {
  EXPECT_EQ(statements({e_.derivative(parsed("max(x, 2*x)"), 0)}),
            "out[0] = select(q[0] < 2.0*q[0], S(2.0), S(1.0));\n");
}

TEST_F(FormulaPrint, CppCutsLongFormulasIntoStatements) {
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text = "sin(" + text + ")";
  const std::string printed = cpp(text);
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 5);
}

TEST_F(FormulaPrint, CppDoesNotTakeTheNamesOfInputs) {
  const std::vector<std::string> names{"r1", "b", "c"}, out{"const S f"};
  EXPECT_EQ(to_cpp(e_, std::array{parsed("(x + y)^2")}, names, out),
            "const auto r_1 = r1 + b;\nconst S f = r_1*r_1;\n");
}

}  // namespace
}  // namespace carom::formula
