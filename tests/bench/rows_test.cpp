// How a comparison is judged and written, with made-up numbers and contestants.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "compare/growth.hpp"
#include "compare/pick.hpp"
#include "compare/row.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

Row made_up(double carom, double peer) {
  return {"a problem",
          "run",
          "error",
          Side{"carom", "gauss", carom, 1e-11},
          Side{"odeint", "dopri5", peer, 1e-10},
          {"at most half", 0.5, 1e-10}};
}

TEST(Rows, AreJudgedByRatioAndErrorAndWhatElseIsAsked) {
  EXPECT_TRUE(made_up(1, 2).meets_target());
  EXPECT_FALSE(made_up(1.01, 2).meets_target());
  Row wrong = made_up(1, 10);
  wrong.carom->error = 2e-10;
  EXPECT_FALSE(wrong.meets_target());
  wrong.carom->error = std::nan("");
  EXPECT_FALSE(wrong.meets_target());
  Row broken = made_up(1, 10);
  broken.target.holds = false;
  EXPECT_FALSE(broken.meets_target());
}
TEST(Rows, WithoutAPeerShowNothing) {
  Row row = made_up(1, 10);
  row.peer.reset(), row.skipped = "Siconos is not installed";
  EXPECT_FALSE(row.meets_target());
  EXPECT_FALSE(row.ratio());
  std::ostringstream table;
  write_table(table, std::vector{row, made_up(1, 4)});
  EXPECT_NE(table.str().find("skipped: Siconos is not installed"), std::string::npos);
  EXPECT_NE(table.str().find("1 of 1 targets met, 1 skipped"), std::string::npos);
}
TEST(Rows, ReadBackFromJson) {
  Row alone = made_up(1, 10);
  alone.peer.reset(), alone.target = {"error below 1e-7", std::nullopt, 1e-7};
  alone.carom->error = HUGE_VAL;  // which JSON has no number for
  std::ostringstream text;
  write_json(text, std::vector{made_up(1, 4), alone});
  const auto rows = nlohmann::json::parse(text.str());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["ratio"], 0.25);
  EXPECT_EQ(rows[0]["meets_target"], true);
  EXPECT_EQ(rows[0]["carom"]["seconds"], 1.0);
  EXPECT_EQ(rows[0]["peer"]["name"], "odeint");
  EXPECT_TRUE(rows[1]["peer"].is_null());
  EXPECT_TRUE(rows[1]["carom"]["error"].is_null());
  EXPECT_EQ(rows[1]["meets_target"], false);
}

TEST(Pick, TakesTheCheapestThatIsNotLucky) {
  const std::vector<Trial> trials{{1, 1e-7}, {2, 1e-3}, {3, 1e-6}, {5, 1e-8}, {4, 1e-9}};
  EXPECT_EQ(pick(trials, 1e-6), 2u);   // the first is good by luck: the next is not
  EXPECT_EQ(pick(trials, 1e-8), 4u);   // the last two reach it, and it is the cheaper one
  EXPECT_EQ(pick(trials, 1e-10), 4u);  // none does: the closest
}

TEST(Growth, FitsAPowerLaw) {
  Growth growth{"a problem", "n", "step", {}};
  for (const double n : {10.0, 100.0, 1000.0}) growth.measured.push_back({n, 3e-6 * std::pow(n, 1.5)});
  EXPECT_NEAR(growth.exponent(), 1.5, 1e-12);
  std::ostringstream table, json;
  write_growth(table, {growth}, false), write_growth(json, {growth}, true);
  EXPECT_NE(table.str().find("a problem: n^1.50"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(json.str())[0]["measured"].size(), 3u);
}

struct Idle final : Contestant {
  using Contestant::Contestant;
  void prepare() override { ++prepared; }
  void run() override {
    volatile double x = 1;
    for (int i = 0; i < work; ++i) x = x * 1.0000001;
    ++runs;
  }
  Outcome outcome() const override { return {.end = {1.0 * runs}, .steps = 10}; }
  int work = 1000, runs = 0, prepared = 0;
};

TEST(Contest, TimesEachContestantAfterItsPreparation) {
  Idle quick("quick", ""), slow("slow", "");
  slow.work = 100000;
  const auto results = contest({&quick, &slow}, {.rounds = 3, .block = 1e-3});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].name, "slow");
  EXPECT_GT(results[1].seconds, results[0].seconds);
  EXPECT_DOUBLE_EQ(results[1].per_step(), results[1].seconds / 10);
  EXPECT_EQ(quick.runs, quick.prepared);
  EXPECT_GE(slow.runs, 4);
}

const Entry made_up_peer{"a package", "a problem", [](const Setup& s) -> std::unique_ptr<Contestant> {
                           return std::make_unique<Idle>("a package", std::to_string(s.bodies));
                         }};
TEST(Peers, AreFoundByPackageAndProblem) {
  EXPECT_EQ(make_peer("a package", "a problem", {.bodies = 3})->settings, "3");
  EXPECT_EQ(make_peer("not installed", "a problem", {}), nullptr);
  EXPECT_THROW((void)make_peer("a package", "another problem", {}), std::logic_error);
}

}  // namespace
}  // namespace carom::bench
