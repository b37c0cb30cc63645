#include "scenario/suggest.hpp"

#include <gtest/gtest.h>

namespace carom {
namespace {

const std::vector<std::string> flows = {"se1",      "svc",       "sva",      "midpoint",
                                        "yoshida4", "kahan-li6", "kahan-li8"};

TEST(Nearest, FindsOneSlipOfTheFinger) {
  EXPECT_EQ(nearest("svc", flows), "svc");
  EXPECT_EQ(nearest("svcc", flows), "svc");           // inserted
  EXPECT_EQ(nearest("midpont", flows), "midpoint");   // left out
  EXPECT_EQ(nearest("yoshida5", flows), "yoshida4");  // replaced
  EXPECT_EQ(nearest("mipdoint", flows), "midpoint");  // swapped
}

TEST(Nearest, CountsSwappedNeighboursOnce) {
  EXPECT_EQ(nearest("vsc", flows), "svc");  // two replacements would be too far for three letters
  EXPECT_EQ(nearest("imdopint", flows), "midpoint");
}

TEST(Nearest, TakesTheFirstOfEquals) {
  EXPECT_EQ(nearest("svx", flows), "svc");
  EXPECT_EQ(nearest("kahan-li", flows), "kahan-li6");
}

TEST(Nearest, IgnoresCase) {
  EXPECT_EQ(nearest("SVA", flows), "sva");
  EXPECT_EQ(nearest("Kahan-LI8", flows), "kahan-li8");
}

TEST(Nearest, AllowsAThirdOfALongWord) {
  EXPECT_EQ(nearest("yosh1d4", {"yoshida4"}), "yoshida4");  // 2 of 7
  EXPECT_EQ(nearest("y0sh1da", {"yoshida4"}), "");          // 3 of 7
  EXPECT_EQ(nearest("restitootion", {"restitution"}), "restitution");
}

TEST(Nearest, FindsNothingFarAway) {
  EXPECT_EQ(nearest("rk4", flows), "");
  EXPECT_EQ(nearest("ab", {"cd"}), "");
  EXPECT_EQ(nearest("x", {"q", "v"}), "");  // no letter in common
  EXPECT_EQ(nearest("", {"q", ""}), "");
  EXPECT_EQ(nearest("svc", {}), "");
}

TEST(Nearest, IsQuickForAHugeWord) { EXPECT_EQ(nearest(std::string(4'000'000, 's'), flows), ""); }

TEST(Suggestion, NamesTheNearestElseAll) {
  EXPECT_EQ(suggestion("svx", {"svc", "midpoint"}), "; did you mean \"svc\"?");
  EXPECT_EQ(suggestion("rk4", {"svc", "midpoint"}), "; known are svc, midpoint");
  EXPECT_EQ(suggestion("rk4", {}), "");
}

}  // namespace
}  // namespace carom
