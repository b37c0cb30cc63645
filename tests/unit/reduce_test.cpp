// What the report shows of long records: points over the whole run, extremes between them, frames.
#include "report/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/base64.hpp"

namespace carom {
namespace {

// A made-up run: q swings once in 1000 rows, H is 1 with one peak that falls between the points.
class MadeUp final : public TableSource {
 public:
  explicit MadeUp(std::uint64_t rows) : rows_(rows) {
    layout_.columns = {{"t"},
                       {"q", 1, false},
                       {"p", 1, false},
                       {"H"},
                       {"shadow_energy"},
                       {"discrete_energy"},
                       {"work"},
                       {"loss"},
                       {"momenta", 0, false},
                       {"gaps", 1, false}};
  }
  const Layout& layout() const override { return layout_; }
  std::uint64_t rows() const override { return rows_; }
  bool loses = false;  // 0.001 in each row, where it says 0.0015

 private:
  void fetch(std::uint64_t first, std::uint64_t count, std::span<double> out) override {
    for (std::uint64_t n = first; n < first + count; ++n) {
      const double t = 0.01 * static_cast<double>(n), x = std::sin(2 * M_PI * static_cast<double>(n) / 1000);
      const double lost = loses ? 0.001 * static_cast<double>(n) : 0;
      const double row[] = {t,
                            x,
                            0,
                            (n == 12345 ? 9.0 : 1.0) - lost,
                            1,
                            n == 0 ? NAN : 2.0,
                            0,
                            1.5 * lost,
                            n == 777 ? -5.0 : 1.0};
      std::copy(std::begin(row), std::end(row), out.begin() + static_cast<std::ptrdiff_t>((n - first) * 9));
    }
  }
  Layout layout_;
  std::uint64_t rows_;
};

TEST(Reduce, KeepsExtremesBetweenItsPoints) {
  MadeUp table(100001);
  const auto s = reduce(table, 1000);
  EXPECT_NEAR(static_cast<double>(s.t.size()), 1000, 10);
  EXPECT_DOUBLE_EQ(s.t.front(), 0);
  EXPECT_DOUBLE_EQ(s.t.back(), 1000);
  EXPECT_TRUE(s.thinned);
  EXPECT_EQ(*std::ranges::max_element(s.H_error.y), 0);
  EXPECT_EQ(*std::ranges::max_element(s.H_error.high), 8);
  EXPECT_EQ(*std::ranges::max_element(s.remainder.high), 8);
  EXPECT_EQ(*std::ranges::min_element(s.gaps[0].low), -5);
  EXPECT_TRUE(std::isnan(s.discrete_error.y[0]) ||
              s.discrete_error.y[0] == 0);  // there is none before the first step
  EXPECT_EQ(s.discrete_error.y[5], 0);
  for (std::size_t i = 0; i + 1 < s.t.size(); ++i) {
    EXPECT_LE(s.q[0].low[i], s.q[0].y[i]);
    EXPECT_GE(s.q[0].high[i], s.q[0].y[i]);
  }
}

TEST(Reduce, TheRemainderIsWhatIsNotExplained) {
  MadeUp table(2001);
  table.loses = true;
  const auto s = reduce(table, 2001);
  EXPECT_NEAR(s.H_error.y.back(), -2, 1e-12);
  EXPECT_NEAR(s.loss.y.back(), 3, 1e-12);
  EXPECT_NEAR(s.remainder.y.back(), 1, 1e-12);
}

TEST(Reduce, ShortRunsAreKeptWhole) {
  MadeUp table(7);
  const auto s = reduce(table, 1000);
  EXPECT_EQ(s.t.size(), 7u);
  const auto m = motion(table, 1000);
  EXPECT_TRUE(m.whole);
  EXPECT_EQ(m.states.size(), 7u);
  EXPECT_DOUBLE_EQ(m.step, 0.01);
}

TEST(Reduce, AnimationsAreSmoothOrShort) {
  MadeUp table(1000001);  // a thousand swings
  const auto whole = motion(table, 200000);
  EXPECT_TRUE(whole.whole);
  const auto part = motion(table, 5000);
  EXPECT_FALSE(part.whole);
  EXPECT_LE(part.states.size(), 5000u);
  for (const auto* m : {&whole, &part})
    for (std::size_t n = 1; n < 1000; ++n) EXPECT_LT(std::abs(m->states[n] - m->states[n - 1]), 0.12) << n;
}

TEST(Reduce, EmptyTables) {
  MadeUp table(0);
  EXPECT_TRUE(reduce(table, 10).t.empty());
  EXPECT_TRUE(motion(table, 10).states.empty());
}

TEST(Base64, MatchesRfc4648) {  // section 10
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                                                    {"f", "Zg=="},
                                                                                    {"fo", "Zm8="},
                                                                                    {"foo", "Zm9v"},
                                                                                    {"foob", "Zm9vYg=="},
                                                                                    {"foobar", "Zm9vYmFy"}})
    EXPECT_EQ(base64(bytes), text);
}

}  // namespace
}  // namespace carom
