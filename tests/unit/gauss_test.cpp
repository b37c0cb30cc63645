// The tables of Gauss collocation against closed forms and the conditions that define them.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "carom/flow/flows.hpp"

namespace carom::test {
namespace {

constexpr double rounding = 4e-16;

TEST(GaussTable, OneStageIsTheMidpoint) {
  const auto& g = gauss_table(1);
  EXPECT_EQ(g.stages, 1);
  EXPECT_DOUBLE_EQ(g.c[0], 0.5);
  EXPECT_DOUBLE_EQ(g.b[0], 1);
  EXPECT_DOUBLE_EQ(g.a[0][0], 0.5);
}

TEST(GaussTable, TwoStages) {
  const auto& g = gauss_table(2);
  const double r = std::sqrt(3.0) / 6;
  const double a[2][2] = {{0.25, 0.25 - r}, {0.25 + r, 0.25}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(g.c[i], 0.5 + (i == 0 ? -r : r), rounding);
    EXPECT_NEAR(g.b[i], 0.5, rounding);
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(g.a[i][j], a[i][j], rounding) << i << j;
  }
}

TEST(GaussTable, ThreeStages) {
  const auto& g = gauss_table(3);
  const double r = std::sqrt(15.0), c[3] = {0.5 - r / 10, 0.5, 0.5 + r / 10},
               b[3] = {5. / 18, 4. / 9, 5. / 18};
  const double a[3][3] = {{5. / 36, 2. / 9 - r / 15, 5. / 36 - r / 30},
                          {5. / 36 + r / 24, 2. / 9, 5. / 36 - r / 24},
                          {5. / 36 + r / 30, 2. / 9 + r / 15, 5. / 36}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(g.c[i], c[i], rounding);
    EXPECT_NEAR(g.b[i], b[i], rounding);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(g.a[i][j], a[i][j], rounding) << i << j;
  }
}

class EveryTable : public testing::TestWithParam<int> {
 protected:
  const int s = GetParam();
  const GaussTable& g = gauss_table(s);
};
INSTANTIATE_TEST_SUITE_P(GaussTable, EveryTable, testing::Range(1, most_stages + 1));

TEST_P(EveryTable, NodesLieInsideAndAscend) {
  EXPECT_EQ(g.stages, s);
  for (int i = 0; i < s; ++i) {
    EXPECT_GT(g.c[i], i == 0 ? 0 : g.c[i - 1]);
    EXPECT_LT(g.c[i], 1);
    EXPECT_GT(g.b[i], 0);
  }
}

TEST_P(EveryTable, IsSymmetric) {
  for (int i = 0; i < s; ++i) {
    const int m = s - 1 - i;
    EXPECT_NEAR(g.c[i] + g.c[m], 1, rounding);
    EXPECT_NEAR(g.b[i], g.b[m], rounding);
    for (int j = 0; j < s; ++j) EXPECT_NEAR(g.a[i][j] + g.a[m][s - 1 - j], g.b[j], rounding);
  }
}

// B(2s): Σ b_i c_i^(k-1) = 1/k up to k = 2s, and no further.
TEST_P(EveryTable, WeightsIntegratePolynomialsUpToDegree2sMinus1) {
  const auto integral = [&](int degree) {
    double sum = 0;
    for (int i = 0; i < s; ++i) sum += g.b[i] * std::pow(g.c[i], degree);
    return sum;
  };
  for (int k = 1; k <= 2 * s; ++k) EXPECT_NEAR(integral(k - 1), 1.0 / k, rounding) << k;
  EXPECT_GT(std::abs(integral(2 * s) - 1.0 / (2 * s + 1)), 1e-11);
}

// C(s): Σ_j a_ij c_j^(k-1) = c_i^k/k up to k = s; k = 1 are the row sums.
TEST_P(EveryTable, StagesIntegratePolynomialsUpToDegreeSMinus1) {
  for (int k = 1; k <= s; ++k)
    for (int i = 0; i < s; ++i) {
      double sum = 0;
      for (int j = 0; j < s; ++j) sum += g.a[i][j] * std::pow(g.c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(g.c[i], k) / k, rounding) << "row " << i << ", k = " << k;
    }
}

TEST_P(EveryTable, IsSymplectic) {
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      EXPECT_NEAR(g.b[i] * g.a[i][j] + g.b[j] * g.a[j][i], g.b[i] * g.b[j], rounding) << i << j;
}

TEST(GaussTable, HasOneToEightStages) {
  for (const int stages : {-1, 0, 9, 1000}) {
    EXPECT_THROW(gauss_table(stages), std::out_of_range) << stages;
    EXPECT_THROW(gauss(stages), std::out_of_range) << stages;
    EXPECT_THROW(make_flow("gauss", {.stages = stages}), std::out_of_range) << stages;
  }
  EXPECT_EQ(gauss(8).order, 16);
  EXPECT_TRUE(gauss(3).symmetric);
}

}  // namespace
}  // namespace carom::test
