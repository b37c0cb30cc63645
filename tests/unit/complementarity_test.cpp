#include "carom/numerics/complementarity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom {
namespace {

double uniform_entry(std::mt19937_64& random) {
  return 2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1;
}

// Positive semidefinite with a part that is skew: copositive-plus, as frictional contact at rest is.
TEST(Complementarity, SolvesProblemsThatHaveASolution) {
  std::mt19937_64 random(5);
  Complementarity lcp;
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + static_cast<int>(random() % 40), rank = std::max(1, n / 2);
    Eigen::MatrixXd root(n, rank), skew(n, n);
    for (auto& x : root.reshaped()) x = uniform_entry(random);
    for (auto& x : skew.reshaped()) x = uniform_entry(random);
    Eigen::VectorXd x(n), w(n);  // of a solution
    for (int i = 0; i < n; ++i) {
      const double size = std::abs(uniform_entry(random));
      x[i] = random() % 2 ? size : 0, w[i] = x[i] > 0 ? 0 : size;
    }
    const Eigen::MatrixXd M = root * root.transpose() + skew - skew.transpose();
    const Eigen::VectorXd q = w - M * x;
    lcp.resize(n);
    for (int i = 0; i < n; ++i) {
      lcp.bias(i) = q[i];
      for (int j = 0; j < n; ++j) lcp.entry(i, j) = M(i, j);
    }
    ASSERT_TRUE(lcp.solve()) << k;
    const Eigen::VectorXd left = M * lcp.x + q;
    const double size = 1 + q.lpNorm<Eigen::Infinity>() + lcp.x.lpNorm<Eigen::Infinity>();
    EXPECT_GE(left.minCoeff(), -1e-9 * size) << k;
    EXPECT_GE(lcp.x.minCoeff(), 0);
    EXPECT_LE((left.cwiseProduct(lcp.x)).cwiseAbs().maxCoeff(), 1e-9 * size * size) << k;
  }
}

TEST(Complementarity, SaysWhereThereIsNone) {
  Complementarity lcp;
  lcp.resize(1);
  lcp.entry(0, 0) = 0, lcp.bias(0) = -1;
  EXPECT_FALSE(lcp.solve());
  lcp.bias(0) = 1;
  EXPECT_TRUE(lcp.solve());
  EXPECT_EQ(lcp.x[0], 0);
}

}  // namespace
}  // namespace carom
