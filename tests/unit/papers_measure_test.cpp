// The numbers that verdicts on the papers are made of, and how verdicts follow from them.
#include "measure.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "item.hpp"
#include "write.hpp"

namespace carom::papers {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(PapersMeasure, BandOfTheFiniteValues) {
  const Band all = band({2, -1, nan, infinity, 0.5});
  EXPECT_EQ(all.low, -1);
  EXPECT_EQ(all.high, 2);
  EXPECT_EQ(all.width(), 3);
  EXPECT_EQ(band({4}).width(), 0);
  EXPECT_TRUE(std::isnan(band({}).low));
  EXPECT_TRUE(std::isnan(band({nan, infinity}).width()));
}

TEST(PapersMeasure, Median) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(PapersMeasure, Mean) {
  EXPECT_EQ(mean({1, 2, 6}), 3);
  EXPECT_TRUE(std::isnan(mean({})));
}

TEST(PapersMeasure, LargestIsBlindToSignAndNotToNaN) {
  EXPECT_EQ(largest({1, -3, 2}), 3);
  EXPECT_EQ(largest({}), 0);
  EXPECT_EQ(largest({1, -infinity}), infinity);
  EXPECT_TRUE(std::isnan(largest({1, nan, 2})));
}

TEST(PapersMeasure, SlopeOfAStraightLine) {
  EXPECT_DOUBLE_EQ(slope({0, 1, 2, 5}, {1, -1, -3, -9}), -2);
  EXPECT_DOUBLE_EQ(slope({0, 1, 2}, {0, 1, 0}), 0);  // by least squares
}

TEST(PapersMeasure, LogSlopeIsThePower) {
  const std::vector<double> h = geometric(0.1, 0.5, 6);
  std::vector<double> error;
  for (const double x : h) error.push_back(7 * x * x * x);
  EXPECT_NEAR(log_slope(h, error), 3, 1e-12);
}

TEST(PapersMeasure, LogSlopeLeavesOutWhatHasNoLogarithm) {
  EXPECT_NEAR(log_slope({1, 2, 4, 8, 16}, {1, 4, 0, nan, 256}), 2, 1e-12);
  EXPECT_NEAR(log_slope({1, 2, 4, 8}, {1, 4, -1, infinity}), 2, 1e-12);
  EXPECT_TRUE(std::isnan(log_slope({1, 2}, {1, 0})));
  EXPECT_TRUE(std::isnan(log_slope({}, {})));
}

TEST(PapersMeasure, Sequences) {
  EXPECT_EQ(geometric(3, 2, 4), (std::vector<double>{3, 6, 12, 24}));
  EXPECT_EQ(evenly(1, 2, 5), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
  EXPECT_TRUE(geometric(1, 2, 0).empty());
}

TEST(PapersJudge, AllSomeNone) {
  EXPECT_EQ(judge({true}), Verdict::holds);
  EXPECT_EQ(judge({true, true, true}), Verdict::holds);
  EXPECT_EQ(judge({true, false}), Verdict::holds_in_part);
  EXPECT_EQ(judge({false, false, true}), Verdict::holds_in_part);
  EXPECT_EQ(judge({false}), Verdict::does_not_hold);
  EXPECT_EQ(judge({false, false}), Verdict::does_not_hold);
}

TEST(PapersJudge, WhatIsNotANumberDoesNotHold) { EXPECT_EQ(judge({nan<1, nan> 1}), Verdict::does_not_hold); }

TEST(PapersJudge, InWords) {
  EXPECT_EQ(text_of(Verdict::holds), "holds");
  EXPECT_EQ(text_of(Verdict::holds_in_part), "holds in part");
  EXPECT_EQ(text_of(Verdict::does_not_hold), "does not hold");
}

TEST(PapersLab, PicksByMode) {
  EXPECT_EQ(Lab{}.pick(1000, 10), 1000);
  EXPECT_EQ(Lab{.quick = true}.pick(1000, 10), 10);
}

TEST(PapersLab, StopsWhenAsked) {
  Lab lab;
  EXPECT_NO_THROW(lab.check_stop());
  lab.stop = [] { return true; };
  EXPECT_THROW(lab.check_stop(), Stopped);
}

constexpr std::string_view fall = R"([system]
name = "particle"
[time]
step = 0.01
end = 0.1
)";

TEST(PapersLab, RecordsUnderTheNamesOfCsvFiles) {
  const Recorded r = Lab{}.record(fall);
  EXPECT_EQ(r.result.status, "completed");
  EXPECT_EQ(r.trajectory.rows(), 11u);
  EXPECT_DOUBLE_EQ(r.trajectory["t"].back(), 0.1);
  EXPECT_EQ(r.trajectory["H"].size(), 11u);
  EXPECT_THROW(r.trajectory["no such column"], std::out_of_range);
  EXPECT_EQ(Lab{}.record(fall, {"output.every=5"}).trajectory.rows(), 3u);
}

TEST(PapersLab, AFailedRunIsAResultUnlessItMustComplete) {
  const std::vector<std::string> fails = {"method.stepper=smooth", "time.end=10.0"};
  EXPECT_EQ(Lab{}.run(fall, fails).status, "failed");
  EXPECT_THROW(Lab{}.complete(fall, fails), std::runtime_error);
  EXPECT_THROW(Lab{}.run("nonsense"), ScenarioError);
}

TEST(PapersCsv, EveryPointOfEveryCurve) {
  const Figure figure{
      .axes = {{.series = {{.label = "a", .x = {0, 1}, .y = {0.5, nan}}}},
               {.title = "second, right", .series = {{.label = "\"b\"", .x = {2}, .y = {-3}}}}}};
  EXPECT_EQ(csv_of(figure),
            "axes,series,x,y\n"
            "1,a,0,0.5\n"
            "1,a,1,nan\n"
            "\"second, right\",\"\"\"b\"\"\",2,-3\n");
}

}  // namespace
}  // namespace carom::papers
