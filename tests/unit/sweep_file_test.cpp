// The sweep file: what it makes of the grid, that it reads back, and how it refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "sweep/members.hpp"
#include "sweep/quantiles.hpp"
#include "sweep/sweep.hpp"

namespace carom {
namespace {

const std::string head = "scenario = \"cart-pendulum\"\nfields = [\"final.t\"]\n";
const std::string cart =
    "[system]\nname = \"cart-pendulum\"\n[initial]\nq = [4.2, 0.0]\nv = [0.0, 2.7]\n[time]\nend = 1.0\n";

Sweep parsed(const std::string& text) { return parse_sweep(head + text, "my.toml"); }

double number(const detail::Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return integer ? static_cast<double>(*integer) : std::get<double>(value.data);
}

std::string complaint_of(const std::string& text) {
  try {
    const Sweep sweep = parse_sweep(text, "my.toml");
    Members(sweep, parse_scenario(cart, "cart.toml"));
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(SweepGrid, RangesHaveTheirEndsExactly) {
  const auto sweep = parsed("[grid]\n\"initial.q.0\" = { from = 3.2, to = 5.2, count = 7 }\n");
  const auto& values = sweep.grid.at(0).keys.at(0).values;
  ASSERT_EQ(values.size(), 7);
  EXPECT_EQ(number(values.front()), 3.2);
  EXPECT_EQ(number(values.back()), 5.2);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_NEAR(number(values[i]) - number(values[i - 1]), 2.0 / 6, 1e-15);
}

TEST(SweepGrid, WholeNumbersStayWhole) {
  const auto sweep = parsed("[grid]\nmethod.order = { from = 2, to = 8, count = 4 }\n");
  for (const auto& value : sweep.grid.at(0).keys.at(0).values)
    EXPECT_TRUE(std::holds_alternative<std::int64_t>(value.data));
  const auto split = parsed("[grid]\ntime.step = { from = 1, to = 2, count = 3 }\n");
  EXPECT_EQ(std::get<double>(split.grid.at(0).keys.at(0).values[1].data), 1.5);
}

TEST(SweepGrid, LogarithmicRangesHaveEqualRatios) {
  const auto sweep =
      parsed("[grid]\n\"time.step\" = { from = 0.001, to = 0.1, count = 5, spacing = \"log\" }\n");
  const auto& values = sweep.grid.at(0).keys.at(0).values;
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_NEAR(number(values[i]) / number(values[i - 1]), std::sqrt(10.0), 1e-14);
  EXPECT_EQ(number(values.back()), 0.1);
}

TEST(SweepGrid, TheLastAxisRunsFastestAndKeysMoveAlong) {
  const auto sweep = parsed(
      "[grid]\nmethod.flow = [\"svc\", \"sva\"]\n\"initial.q.0\" = [1, 2.5, 4]\n"
      "\"initial.v.1\" = { from = 0, to = 1, along = \"initial.q.0\" }\n");
  const Members members(sweep, parse_scenario(cart, "cart.toml"));
  EXPECT_EQ(members.size(), 6);
  EXPECT_EQ(members.shape(), (std::vector<std::size_t>{2, 3}));
  using Changes = std::vector<std::string>;
  EXPECT_EQ(members.overrides(0), (Changes{"method.flow=\"svc\"", "initial.q.0=1", "initial.v.1=0.0"}));
  EXPECT_EQ(members.overrides(2), (Changes{"method.flow=\"svc\"", "initial.q.0=4", "initial.v.1=1.0"}));
  EXPECT_EQ(members.overrides(4), (Changes{"method.flow=\"sva\"", "initial.q.0=2.5", "initial.v.1=0.5"}));
}

TEST(SweepSample, DrawsAreTheLastAxisAndTheSameEverywhere) {
  const auto sweep = parsed(
      "[grid]\n\"initial.q.0\" = [3, 4]\n[sample]\ncount = 5\nseed = 3\n"
      "\"initial.v.1\" = { from = 2, to = 3 }\n\"system.parameters.m1\" = { mean = 1, deviation = 0.1 }\n");
  const Members members(sweep, parse_scenario(cart, "cart.toml"));
  EXPECT_EQ(members.shape(), (std::vector<std::size_t>{2, 5}));
  for (std::size_t i = 0; i < 5; ++i) {
    const auto here = members.overrides(i), there = members.overrides(5 + i);
    EXPECT_EQ(here[1], there[1]);
    EXPECT_EQ(here[2], there[2]);
    EXPECT_TRUE(members.draws()[0][i] > 2 && members.draws()[0][i] < 3);
  }
}

// Whether the scenario states the number or the system has it: m2 is 0.2, and L stands in the scenario.
TEST(SweepSample, WithinIsAroundTheScenariosOwnValue) {
  const auto sweep = parsed(
      "[sample]\ncount = 200\n\"system.parameters.m2\" = { within = 0.1 }\n"
      "\"system.parameters.L\" = { within = 0.5 }\n\"initial.v.1\" = { within = 0.25 }\n\"time.step\" = { "
      "within = 0.01 }\n");
  Scenario scenario = parse_scenario(cart, "cart.toml");
  scenario.system.parameters["L"] = 4.0;
  scenario.initial.q = {{4.2, 0}}, scenario.initial.v = {{0, -2.0}}, scenario.time.step = 0.01;
  const Members members(sweep, scenario);
  const double ends[4][2] = {{0.18, 0.22}, {2, 6}, {-2.5, -1.5}, {0.0099, 0.0101}};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto [least, most] = std::minmax_element(members.draws()[k].begin(), members.draws()[k].end());
    const double width = ends[k][1] - ends[k][0];
    EXPECT_TRUE(*least >= ends[k][0] && *least < ends[k][0] + 0.02 * width) << k << ' ' << *least;
    EXPECT_TRUE(*most <= ends[k][1] && *most > ends[k][1] - 0.02 * width) << k << ' ' << *most;
  }
  const std::string written = to_toml(sweep);
  EXPECT_NE(written.find("\"system.parameters.m2\" = { within = 0.1 }"), std::string::npos) << written;
  EXPECT_EQ(to_toml(parse_sweep(written, "again.toml")), written);
}

TEST(SweepFile, ReadsBackToTheSame) {
  const auto sweep = parsed(
      "title = \"a \\\"title\\\"\"\nseries = [\"q.0\", \"H\"]\n[set]\ntime.end = 2.5\n\"initial.q\" = [1.0, "
      "0.0]\n"
      "[grid]\nmethod.flow = [\"svc\", \"sva\"]\n\"initial.q.0\" = { from = 1, to = 2, count = 3 }\n"
      "\"time.step\" = { from = 0.01, to = 0.1, count = 2, spacing = \"log\" }\n"
      "\"initial.q.1\" = { from = 0.5, to = 1, along = \"initial.q.0\" }\n"
      "[sample]\ncount = 4\nkind = \"random\"\nseed = 9\n\"initial.v.0\" = { mean = 0.1, deviation = 0.2 "
      "}\n");
  const std::string written = to_toml(sweep);
  EXPECT_EQ(to_toml(parse_sweep(written, "again.toml")), written);
  for (const char* part :
       {"\"initial.q.1\" = { from = 0.5, to = 1, along = \"initial.q.0\" }", "spacing = \"log\"",
        "kind = \"random\"", "{ mean = 0.1, deviation = 0.2 }", "\"time.end\" = 2.5"})
    EXPECT_NE(written.find(part), std::string::npos) << part;
}

struct Bad {
  const char *text, *place, *words;
};
class BadSweep : public testing::TestWithParam<Bad> {};

TEST_P(BadSweep, IsRefusedByPlaceKeyAndReason) {
  const std::string what = complaint_of(GetParam().text);
  EXPECT_TRUE(what.starts_with(std::string("my.toml:") + GetParam().place)) << what;
  EXPECT_NE(what.find(GetParam().words), std::string::npos) << what;
}

INSTANTIATE_TEST_SUITE_P(
    , BadSweep,
    testing::Values(
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\ngird = 1", "3:8",
            "gird = 1: unknown key; did you mean \"grid\"?"},
        Bad{"scenario = 3", "1:12", "scenario = 3: must be a string"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = 3", "4:17",
            "must be a list of values"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = {from = 1, two = 2}", "4:34",
            "did you mean \"to\"?"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = {from = 1, to = 2}", "4:17",
            "must have count"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = {from = 1, to = 2, count = "
            "0}",
            "4:44", "must be a whole number from 1"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = []", "4:17",
            "must have a value"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.7\" = [1]", "4:17",
            "initial.q has 2 elements"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.qq.0\" = [1]", "4:18", "initial.qq"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"method.flwo\" = [\"svc\"]", "4:17",
            "did you mean \"method.flow\"?"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"time.step\" = [0.1, -1]", "4:15",
            "must be a number above 0"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"system.parameters.m3\" = [1]", "4:26",
            "no parameter \"m3\"; did you mean"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"output.every\" = [1, 2]", "4:18",
            "changes nothing"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = {from = 1, to = 2, along = "
            "\"a\"}",
            "4:44", "must be a key of [grid] that stands above"},
        Bad{"scenario = \"x\"\nfields = [\"final.qq.0\"]\n[grid]\n\"initial.q.0\" = [1]", "2:10",
            "unknown field; did you mean \"final.q.0\"?"},
        Bad{"scenario = \"x\"\nfields = [\"cost.wall_seconds\"]\n[grid]\n\"initial.q.0\" = [1]", "2:10",
            "is a time"},
        Bad{"scenario = \"x\"\nseries = [\"q.9\"]\n[grid]\n\"initial.q.0\" = [1]", "2:10", "unknown series"},
        Bad{"scenario = \"x\"\nseries = [\"q.0\"]\n[grid]\n\"time.step\" = [0.1]", "2:10",
            "time.step varies"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 3", "3:1", "has no key to draw"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 3\nkind = \"sobol\"", "5:8",
            "unknown kind; known are halton, random"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\n\"initial.q.0\" = {from = 1, to = 2}", "3:1",
            "sample.count: must be given"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 1\n\"initial.q.0\" = {from = 1, "
            "mean = 2}",
            "5:", "must have deviation"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 1\n\"initial.q.1\" = {within = 0.1}",
            "5:", "is 0 in the scenario"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 1\n\"method.flow\" = {within = 0.1}",
            "5:", "is no number that the scenario has"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 1\n\"initial.q.0\" = {within = 0}",
            "5:", "must be above 0"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[sample]\ncount = 1\n\"initial.q.0\" = {within = 1, "
            "to = 2}",
            "5:", "stands alone"},
        Bad{"scenario = \"x\"\nfields = [\"final.t\"]\n[grid]\n\"initial.q.0\" = [1]\n[sample]\ncount = 1\n"
            "\"initial.q.0\" = {from = 1, to = 2}",
            "7:17", "varies twice"}));

TEST(SweepFile, NothingToVaryAndNothingToKeepAreRefused) {
  EXPECT_NE(complaint_of(head).find("nothing varies"), std::string::npos);
  EXPECT_NE(complaint_of("scenario = \"x\"\n[grid]\n\"initial.q.0\" = [1]").find("fields: must be given"),
            std::string::npos);
  EXPECT_NE(complaint_of("[grid]\n\"initial.q.0\" = [1]").find("scenario: must be given"), std::string::npos);
}

TEST(Quantiles, AreThoseOfNumpy) {
  std::vector<double> numbers = {5, std::nan(""), 1, 3, 2, 4};
  const Quantiles q = quantiles_of(numbers);
  EXPECT_EQ(q, (Quantiles{1.2, 2, 3, 4, 4.8}));
  std::vector<double> none = {std::nan("")};
  for (const double x : quantiles_of(none)) EXPECT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace carom
