// Programs of blocks: slopes and bends against central differences, places, and what is said of rows.
#include "optimise/blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace carom {
namespace {

using formula::Op;

// cost x^2 y c, rows sin(x y) + c x and 3 y, over two unknowns and a constant.
std::shared_ptr<const BlockKind> example() {
  formula::Expressions e;
  const auto x = e.symbol(2), y = e.symbol(3), c = e.symbol(4);
  const auto mul = [&e](auto a, auto b) { return e.make(Op::multiply, a, b); };
  BlockFormulas f;
  f.first = 2, f.unknowns = 2, f.constants = 1;
  f.cost = mul(mul(mul(x, x), y), c);
  f.rows = {e.make(Op::add, e.make(Op::sin, mul(x, y)), mul(c, x)), mul(e.number(3), y)};
  return std::make_shared<const BlockKind>(e, f);
}

// Two of them that share their middle unknown, the second with its unknowns in the other order.
BlockProgram chain() {
  BlockProgram r;
  const auto kind = example();
  for (const double x : {0.3, -0.8, 1.1}) r.add_unknown("x", x, -2, 2);
  r.add_block(kind, {0, 1}, {0.7}, {0, 0}, {0, 0}, {"a", "b"});
  r.add_block(kind, {2, 1}, {-1.3}, {0, 0}, {9, 9}, {"c", "d"});
  return r;
}

std::vector<double> rows_at(const BlockProgram& p, const std::vector<double>& x) {
  std::vector<double> g(p.row_low.size());
  EXPECT_TRUE(p.rows(x.data(), g.data()));
  return g;
}
double lagrangian(const BlockProgram& p, const std::vector<double>& x, double weight,
                  const std::vector<double>& weights) {
  double f = 0;
  EXPECT_TRUE(p.cost(x.data(), f));
  f *= weight;
  const auto g = rows_at(p, x);
  for (std::size_t r = 0; r < g.size(); ++r) f += weights[r] * g[r];
  return f;
}

TEST(Blocks, SlopesAreThoseOfTheirValues) {
  const BlockProgram p = chain();
  const double step = 1e-5;
  std::vector<double> cost_slopes(3), slopes(p.slope_places.size());
  ASSERT_TRUE(p.cost_slopes(p.start.data(), cost_slopes.data()));
  ASSERT_TRUE(p.slopes(p.start.data(), slopes.data()));
  EXPECT_EQ(p.slope_places.size(), 6u);  // 3 y does not depend on x
  for (int k = 0; k < 3; ++k) {
    auto above = p.start, below = p.start;
    above[static_cast<std::size_t>(k)] += step, below[static_cast<std::size_t>(k)] -= step;
    const std::vector<double> none(4, 0.0);
    EXPECT_NEAR(cost_slopes[static_cast<std::size_t>(k)],
                (lagrangian(p, above, 1, none) - lagrangian(p, below, 1, none)) / (2 * step), 1e-9);
    const auto up = rows_at(p, above), down = rows_at(p, below);
    std::vector<double> given(4, 0.0);
    for (std::size_t s = 0; s < slopes.size(); ++s)
      if (p.slope_places[s].column == k) given[static_cast<std::size_t>(p.slope_places[s].row)] += slopes[s];
    for (std::size_t r = 0; r < 4; ++r) EXPECT_NEAR(given[r], (up[r] - down[r]) / (2 * step), 1e-9);
  }
}

TEST(Blocks, BendsAreTheSecondDerivativesOfAllThatIsWeighed) {
  const BlockProgram p = chain();
  const std::vector<double> weights = {0.4, -1.2, 2.5, 0.1};
  std::vector<double> bends(p.bend_places.size());
  ASSERT_TRUE(p.bends(p.start.data(), 1.7, weights.data(), bends.data()));
  const double step = 1e-4;
  double given[3][3] = {};
  for (std::size_t b = 0; b < bends.size(); ++b) {
    ASSERT_GE(p.bend_places[b].row, p.bend_places[b].column);
    given[p.bend_places[b].row][p.bend_places[b].column] += bends[b];
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      const auto at = [&](double a, double b) {
        auto x = p.start;
        x[i] += a * step, x[k] += b * step;
        return lagrangian(p, x, 1.7, weights);
      };
      const double expected = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * step * step);
      EXPECT_NEAR(given[i][k], expected, 1e-6) << i << ' ' << k;
    }
}

TEST(Blocks, TheRowFurthestFromItsBoundsAndWhatIsNotFinite) {
  const BlockProgram p = chain();
  EXPECT_EQ(p.worst(p.start).name, "b");  // -2.4, where 0 is asked for
  EXPECT_NEAR(p.worst(p.start).by, 2.4, 1e-15);
  EXPECT_EQ(p.not_finite(p.start), "");
  EXPECT_EQ(p.not_finite({0.3, -0.8, HUGE_VAL}), "the cost");
}

}  // namespace
}  // namespace carom
