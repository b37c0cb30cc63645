// How formulas are read, and what is said of those that cannot be.
#include "formula/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "formula/program.hpp"

namespace carom::formula {
namespace {

class FormulaParse : public testing::Test {
 protected:
  FormulaParse() {
    int n = 0;
    for (const char* name : {"x", "x'", "y", "y'", "θ", "θ'", "x_1", "αβ2"}) symbols_[name] = e_.symbol(n++);
    for (const auto& [name, value] : {std::pair{"m", 2.0}, {"g", 9.81}, {"speed", 3.0}})
      symbols_[name] = e_.number(value);
  }

  Node parsed(const std::string& text) { return parse(e_, text, symbols_); }
  double value(const std::string& text) { return value(parsed(text)); }
  double value(Node node) {
    const std::array<double, 8> in{2, 3, 5, 7, 11, 13, 17, 19};
    double out = 0;
    compile(e_, std::array{node}, 8)(std::span<const double>(in), std::span(&out, 1));
    return out;
  }
  FormulaError error(const std::string& text) {
    try {
      parsed(text);
    } catch (const FormulaError& found) {
      return found;
    }
    return FormulaError("no error");
  }

  Expressions e_;
  Symbols symbols_;
};

TEST_F(FormulaParse, Numbers) {
  EXPECT_EQ(value("1"), 1);
  EXPECT_EQ(value("1.5"), 1.5);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("3."), 3);
  EXPECT_EQ(value("2e-3"), 2e-3);
  EXPECT_EQ(value("2E+3"), 2000);
  EXPECT_EQ(value("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("pi"), std::numbers::pi);
}

TEST_F(FormulaParse, PrecedenceAndAssociativity) {
  EXPECT_EQ(value("1 + x*y"), 11);
  EXPECT_EQ(value("x*y + 1"), 11);
  EXPECT_EQ(value("(1 + x)*y"), 15);
  EXPECT_EQ(value("y - x - 1"), 2);
  EXPECT_EQ(value("y - (x - 1)"), 4);
  EXPECT_EQ(value("24/x/3"), 4);
  EXPECT_EQ(value("24/(x/3)"), 36);
  EXPECT_EQ(value("24/x*3"), 36);
  EXPECT_EQ(value("x*y^2"), 50);
  EXPECT_EQ(value("(x*y)^2"), 100);
  EXPECT_EQ(value("x^3^2"), 512);
  EXPECT_EQ(value("(x^3)^2"), 64);
  EXPECT_EQ(value("y - x*3 + 1"), 0);
}

TEST_F(FormulaParse, SignsBindLooserThanPowers) {
  EXPECT_EQ(value("-x"), -2);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("(-x)^2"), 4);
  EXPECT_EQ(value("x^-1"), 0.5);
  EXPECT_EQ(value("2^-x^2"), 1.0 / 16);
  EXPECT_EQ(value("y*-x"), -10);
  EXPECT_EQ(value("y--x"), 7);
  EXPECT_EQ(value("y+-+-x"), 7);
  EXPECT_EQ(value("+x"), 2);
  EXPECT_EQ(value("-x*y"), -10);
  EXPECT_EQ(value("-2^2"), -4);
}

TEST_F(FormulaParse, NamesPrimesAndSpaces) {
  EXPECT_EQ(value("θ + θ'"), 24);
  EXPECT_EQ(value("x'^2"), 9);
  EXPECT_EQ(value("x_1*αβ2"), 17 * 19);
  EXPECT_EQ(value("  x\t*\n y\r\n"), 10);
  EXPECT_EQ(value("0.5*m*(x'^2 + y'^2) - m*g*y"), 0.5 * 2 * (9 + 49) - 2 * 9.81 * 5);
}

TEST_F(FormulaParse, Functions) {
  EXPECT_DOUBLE_EQ(value("sin(x) + cos(x) + tan(x)"), std::sin(2.0) + std::cos(2.0) + std::tan(2.0));
  EXPECT_DOUBLE_EQ(value("asin(1/x) + acos(1/x) + atan(x)"), std::numbers::pi / 2 + std::atan(2.0));
  EXPECT_DOUBLE_EQ(value("sinh(x) + cosh(x) + tanh(x)"), std::exp(2.0) + std::tanh(2.0));
  EXPECT_DOUBLE_EQ(value("exp(x) + log(x) + ln(x) + sqrt(x)"), std::exp(2) + 2 * std::log(2) + std::sqrt(2));
  EXPECT_DOUBLE_EQ(value("abs(-x) + min(x, y) + max(x, y)"), 9);
  EXPECT_DOUBLE_EQ(value("atan2(x, -y)"), std::atan2(2.0, -5.0));
  EXPECT_DOUBLE_EQ(value("hypot(x, y)"), std::sqrt(29.0));
  EXPECT_DOUBLE_EQ(value("pow(x, y)"), 32);
  EXPECT_DOUBLE_EQ(value("sin ( x )"), std::sin(2.0));
  EXPECT_EQ(value("min(y, x, 3) + max(x, y, -1, 2)"), 7);
  EXPECT_EQ(value("sign(x) + sign(-y) + sign(0)"), 0);
  EXPECT_EQ(value("floor(2.5) + floor(-0.5) + floor(x)"), 3);
  EXPECT_EQ(value("mod(y, x) + mod(-y, 3) + mod(y, -3)"), 1 + 1 - 1);
}

TEST_F(FormulaParse, Choices) {
  for (const auto& [comparison, holds] : std::vector<std::pair<std::string, bool>>{{"x < y", true},
                                                                                   {"y < x", false},
                                                                                   {"x > y", false},
                                                                                   {"y > x", true},
                                                                                   {"x <= 2", true},
                                                                                   {"2 >= x", true},
                                                                                   {"x < 2", false},
                                                                                   {"x > 2", false},
                                                                                   {"x + 1 < y*m - 1", true},
                                                                                   {"-x^2>=y", false}})
    EXPECT_EQ(value("if(" + comparison + ", 10, 20)"), holds ? 10 : 20) << comparison;
  EXPECT_EQ(value("if(x < y, if(x' < 1, 1, 2), 3)*2"), 4);
  EXPECT_EQ(value("1 + if ( x<y , x , y )"), 3);
}

TEST_F(FormulaParse, ComparisonsArePositiveWhereTheyHold) {
  const auto of = [&](const std::string& text) { return value(parse_comparison(e_, text, symbols_)); };
  EXPECT_EQ(of("x < y"), 3);
  EXPECT_EQ(of("x > y"), -3);
  EXPECT_EQ(of("x <= y^2"), 23);
  EXPECT_EQ(of("sin(0) >= y"), -5);
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "empty comparison"},
           {"x", "expected <, >, <= or >=, found the end of the formula"},
           {"x < y < 1", "a comparison has two sides"},
           {"x < ", "expected a number, a name or"},
           {"x = y", "unexpected \"=\""},
           {"x == y", "unexpected \"=\"; formulas compare by <, >, <= and >="},
           {"(x < y)", "unexpected \"<\"; a comparison stands first in if(a < b, x, y)"}})
    try {
      parse_comparison(e_, text, symbols_);
      ADD_FAILURE() << text;
    } catch (const FormulaError& e) {
      EXPECT_TRUE(std::string(e.what()).starts_with(message)) << text << ": " << e.what();
      EXPECT_GE(e.column, 1u);
    }
}

TEST_F(FormulaParse, ReservedNamesAndIdentifiers) {
  for (const char* name : {"sin", "ln", "pi", "hypot", "pow", "atan2", "if", "sign", "floor", "mod"})
    EXPECT_TRUE(is_reserved(name)) << name;
  for (const char* name : {"x", "Sin", "PI", "", "e", "sin2"}) EXPECT_FALSE(is_reserved(name)) << name;
  for (const char* name : {"x", "_", "x1", "θ", "θ_2", "αβ", "Länge", "长"})
    EXPECT_TRUE(is_identifier(name)) << name;
  for (const char* name : {"", "1x", "x'", "x y", "x-y", "x−y", "x²", "x.y", "'", "x\n", " x"})
    EXPECT_FALSE(is_identifier(name)) << name;
}

struct Bad {
  std::string text;
  std::size_t column;
  std::string message;  // its beginning
};

const std::vector<Bad> bad_formulas{
    {"", 1, "empty formula"},
    {"   ", 4, "empty formula"},
    {"2x", 2, "expected an operator after \"2\", found \"x\"; write 2*x"},
    {"2(x)", 2, "expected an operator after \"2\", found \"(\"; write 2*("},
    {"(x)(y)", 4, "expected an operator after \")\", found \"(\"; write )*("},
    {"x y", 3, "expected an operator after \"x\", found \"y\"; write x*y"},
    {"sin(x y)", 7, "expected an operator after \"x\", found \"y\"; write x*y"},
    {"1 2", 3, "expected an operator after \"1\", found \"2\""},
    {"2e", 2, "expected an operator after \"2\", found \"e\"; write 2*e"},
    {"x**2", 2, "unexpected \"**\"; use ^ for powers"},
    {"x +", 4, "expected a number, a name or \"(\", found the end of the formula"},
    {"*x", 1, "expected a number, a name or \"(\", found \"*\""},
    {"x + * y", 5, "expected a number, a name or \"(\", found \"*\""},
    {"()", 2, "expected a number, a name or \"(\", found \")\""},
    {"sin()", 5, "expected a number, a name or \"(\", found \")\""},
    {"min(x,)", 7, "expected a number, a name or \"(\", found \")\""},
    {"x^", 3, "expected a number, a name or \"(\", found the end of the formula"},
    {"2*(x + y", 9, "expected \")\" to close the \"(\" at column 3, found the end of the formula"},
    {"θ*(x, y)", 5, "expected \")\" to close the \"(\" at column 3, found \",\""},
    {"x + y)", 6, "\")\" without \"(\""},
    {"1,5*x", 2, "\",\" only separates the arguments of a function; decimals are written with a point"},
    {"sin x", 1, "\"sin\" is a function; write sin(...)"},
    {"2*sin", 3, "\"sin\" is a function; write sin(...)"},
    {"y*x(2)", 3, "\"x\" is not a function; write x*("},
    {"atan2(x)", 1, "\"atan2\" takes 2 arguments, found 1"},
    {"x + sin(x, y)", 5, "\"sin\" takes 1 argument, found 2"},
    {"min(x)", 1, "\"min\" takes 2 arguments or more, found 1"},
    {"mod(x)", 1, "\"mod\" takes 2 arguments, found 1"},
    {"x > 0", 3, "unexpected \">\"; a comparison stands first in if(a < b, x, y)"},
    {"sin(x <= 0)", 7, "unexpected \"<=\"; a comparison stands first in if(a < b, x, y)"},
    {"if(x, 1, 2)", 5, "expected <, >, <= or >=, found \",\""},
    {"if(x < y)", 9, "expected \",\" of if(a < b, x, y), found \")\""},
    {"if(x < y, 1)", 12, "expected \",\" of if(a < b, x, y), found \")\""},
    {"if(x < y, 1, 2, 3)", 15, "unexpected \",\": \"if\" takes a comparison and two formulas"},
    {"if(x < y < 2, 1, 2)", 10, "expected \",\" of if(a < b, x, y), found \"<\""},
    {"if x < y", 1, "\"if\" is a function; write if(...)"},
    {"x ≤ 1", 3, "unexpected \"≤\"; use <="},
    {"x + spede", 5, "unknown name \"spede\"; did you mean \"speed\"?"},
    {"θ + z", 5, "unknown name \"z\"; known are g, m, speed, x,"},
    {"qqqqqq", 1, "unknown name \"qqqqqq\"; known are g, m, speed, x, x', x_1, y, y', αβ2, θ, θ'"},
    {"m'", 1, "unknown name \"m'\"; did you mean \"m\"?"},
    {"sine(x)", 1, "unknown function \"sine\"; did you mean \"sin\"?"},
    {"sin'(x)", 1, "unknown function \"sin'\"; did you mean \"sin\"?"},
    {"sqr(x)", 1, "unknown function \"sqr\"; did you mean \"sqrt\"?"},
    {"x''", 3, "unexpected \"'\" after \"x'\": formulas have velocities, no accelerations"},
    {"x '", 3, "\"'\" must follow a name, without a space"},
    {"1.2.3", 1, "malformed number \"1.2.3\""},
    {"x + 1..2", 5, "malformed number \"1..2\""},
    {"1e999", 1, "number \"1e999\" out of range"},
    {"x $ y", 3, "unexpected \"$\""},
    {"θ = x", 3, "unexpected \"=\"; a formula is one side only"},
    {"[x]", 1, "unexpected \"[\"; use ( and )"},
    {"|x|", 1, "unexpected \"|\"; use abs(...)"},
    {"θ − x", 3, "unexpected \"−\"; use - for minus"},
    {"θ·x", 2, "unexpected \"·\"; use * for products"},
    {"x²", 2, "unexpected \"²\"; use ^2"},
    {"x′", 2, "unexpected \"′\"; use ' for velocities"},
    {"x\x01", 2, "unexpected \"\\u0001\""},
    {std::string("x\0y", 3), 2, "unexpected \"\\u0000\""},
    {"\xff", 1, "unknown name \"\\xff\""},
    {".", 1, "unexpected \".\""},
};
TEST_F(FormulaParse, EveryErrorHasItsColumnAndMessage) {
  for (const Bad& bad : bad_formulas) {
    const FormulaError found = error(bad.text);
    EXPECT_EQ(found.column, bad.column) << bad.text;
    EXPECT_EQ(std::string(found.what()).substr(0, bad.message.size()), bad.message) << bad.text;
    EXPECT_EQ(std::string(found.what()).find('\n'), std::string::npos) << bad.text;
  }
}

std::string repeated(const std::string& piece, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += piece;
  return all;
}

TEST_F(FormulaParse, DeepNestingIsRefused) {
  EXPECT_EQ(value(repeated("(", 150) + "x" + repeated(")", 150)), 2);
  for (const char* piece : {"(", "-", "+", "2^", "sin(", "2^(", "-(", "x+(", "min(x,", "x^-"}) {
    const FormulaError found = error(repeated(piece, 5000));
    EXPECT_STREQ(found.what(), "nested more than 200 levels deep") << piece;
    EXPECT_GT(found.column, 200u) << piece;
  }
}

TEST_F(FormulaParse, HugeTextIsRefused) {
  EXPECT_STREQ(error(repeated("x+", 600000) + "x").what(), "longer than 1048576 bytes");
  EXPECT_EQ(error(std::string(1048577, ' ')).column, 1u);
}

TEST_F(FormulaParse, LongSumsAndProductsAreNot) {
  EXPECT_EQ(value(repeated("x+", 9000) + "x"), 18002);
  EXPECT_EQ(value(repeated("x-", 9000) + "x"), 2 - 18000);
  EXPECT_EQ(value(repeated("x+y+", 5000) + "x"), 35002);
  EXPECT_EQ(value(repeated("x/y*y/x*", 2000) + "x"), 2);
  EXPECT_EQ(value(e_.derivative(parsed(repeated("x'*y+x*", 2000) + "x"), 2)), 3 + 1999 * 6);
}

TEST_F(FormulaParse, TooManyPartsAreRefusedWhereTheyBegin) {
  std::string sum = "x";
  for (int i = 0; i < 60000; ++i) sum += "+x^" + std::to_string(i) + ".5";
  FormulaError refused = error(sum);
  EXPECT_STREQ(refused.what(), "no error");
  for (int n = 0; n < 20 && refused.column == 0; ++n) {
    symbols_["x"] = e_.make(Op::sin, symbols_["x"]);
    refused = error(sum);
  }
  EXPECT_STREQ(refused.what(), "too large: the formulas and their derivatives have more than 1000000 parts");
  EXPECT_GT(refused.column, 1u);
  EXPECT_EQ(e_.size(), Expressions::max_parts);
}

// Whatever the text, parsing ends with a formula or a FormulaError inside the text.
TEST_F(FormulaParse, GarbageIsRefusedInGoodOrder) {
  const std::vector<std::string> pieces{"x",     "x'", "θ",       "m", "1",  ".5",   "1e",    "+",
                                        "-",     "*",  "/",       "^", "(",  ")",    ",",     "sin(",
                                        "atan2", "pi", " ",       "'", "**", "$",    "\xce",  "²",
                                        "min(",  "\n", "if(x<1,", "<", ">=", "mod(", "sign(", "floor("};
  std::mt19937 random(7);
  int good = 0;
  for (int n = 0; n < 20000; ++n) {
    std::string text;
    const auto length = random() % 12;
    for (unsigned i = 0; i < length; ++i) text += pieces[random() % pieces.size()];
    try {
      parsed(text);
      ++good;
    } catch (const FormulaError& error) {
      EXPECT_GE(error.column, 1u) << text;
      EXPECT_LE(error.column, text.size() + 1) << text;
      EXPECT_NE(std::string(error.what()), "") << text;
    }
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace carom::formula
