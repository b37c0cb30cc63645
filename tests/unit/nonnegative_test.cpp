// 0 <= y ⟂ W y + b >= 0 for symmetric positive semidefinite W: thousands of random problems, singular ones
// among them, against the conditions themselves and against brute force over all subsets.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "carom/numerics/nonnegative.hpp"

namespace carom::test {
namespace {

using Dense = Eigen::MatrixXd;

struct Dice {
  std::mt19937_64 engine{20120613};
  double normal() { return std::normal_distribution<double>()(engine); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
  Dense matrix(int rows, int columns) {
    Dense r(rows, columns);
    for (double& x : r.reshaped()) x = normal();
    return r;
  }
};

struct Solution {
  bool ok;
  ChangingValues y;
  Values slack;
};

Solution solve(const Dense& W, const Values& b) {
  NonnegativeSolver solver;
  solver.shape(std::vector<int>(b.size(), 0));
  for (int i = 0; i < b.size(); ++i)
    for (int k = 0; k <= i; ++k) solver.add(i, k, W(i, k));
  Solution r;
  r.ok = solver.solve(b, r.y);
  if (r.ok) r.slack = W * r.y + b;
  return r;
}

void expect_solved(const Dense& W, const Values& b, const Solution& s, const char* what) {
  ASSERT_TRUE(s.ok) << what << "\n" << W << "\n" << b.transpose();
  const double rounding = 1e-12 * (b.lpNorm<Eigen::Infinity>() + (W.cwiseAbs() * s.y).maxCoeff());
  EXPECT_GE(s.y.minCoeff(), 0) << what;
  EXPECT_GE(s.slack.minCoeff(), -rounding) << what << "\n" << W << "\nb " << b.transpose();
  for (int i = 0; i < b.size(); ++i)
    EXPECT_TRUE(s.y[i] == 0 || std::abs(s.slack[i]) <= rounding) << what << ", row " << i;
}

// Impulses of contacts: W = N'N and b = 2 N'p, N with more columns than rows, copies among them.
TEST(Nonnegative, RandomContacts) {
  Dice dice;
  for (int trial = 0; trial < 6000; ++trial) {
    const int n = 1 + dice.below(12), rank = 1 + dice.below(n);
    Dense N = dice.matrix(rank, n);
    if (trial % 3 == 1 && n > 1) N.col(n - 1) = 2 * N.col(0);
    if (trial % 3 == 2 && n > 2) N.col(n - 1) = 0.5 * N.col(0) + 3 * N.col(1);
    const Values b = 2 * N.transpose() * dice.matrix(rank, 1);
    const Dense W = N.transpose() * N;
    expect_solved(W, b, solve(W, b), "contacts");
  }
}

// Directions from a small grid: dependent, antiparallel and equal contacts, and ties, as in stacks.
TEST(Nonnegative, DegenerateContacts) {
  Dice dice;
  for (int trial = 0; trial < 6000; ++trial) {
    const int n = 1 + dice.below(9), rank = 1 + dice.below(3);
    Dense N(rank, n), p(rank, 1);
    for (double& x : N.reshaped()) x = dice.below(3) - 1;
    for (double& x : p.reshaped()) x = dice.below(5) - 2;
    const Values b = 2 * N.transpose() * p;
    const Dense W = N.transpose() * N;
    expect_solved(W, b, solve(W, b), "degenerate");
  }
}

// Any b: solved where a solution exists, and never a wrong one.
TEST(Nonnegative, AgainstAllSubsets) {
  Dice dice;
  int solvable = 0, not_solvable = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int n = 1 + dice.below(5), rank = 1 + dice.below(n);
    const Dense N = dice.matrix(rank, n), W = N.transpose() * N;
    const Values b = trial % 2 ? Values(dice.matrix(n, 1)) : Values(N.transpose() * dice.matrix(rank, 1));
    bool exists = false;
    for (int set = 0; set < 1 << n && !exists; ++set) {
      std::vector<int> in;
      for (int i = 0; i < n; ++i)
        if (set >> i & 1) in.push_back(i);
      if (static_cast<int>(in.size()) > rank) continue;  // a solution with independent columns exists, if any
      Values y = Values::Zero(n);
      if (!in.empty()) y(in) = W(in, in).fullPivLu().solve(-b(in));
      exists = y.minCoeff() >= 0 && (W * y + b).minCoeff() >= -1e-10 * (1 + y.norm());
    }
    const Solution s = solve(W, b);
    (exists ? solvable : not_solvable)++;
    EXPECT_TRUE(s.ok || !exists) << "trial " << trial << "\n" << W << "\n" << b.transpose();
    if (s.ok || trial % 2 == 0) expect_solved(W, b, s, "any");
    EXPECT_TRUE(rank < n || s.ok);
  }
  EXPECT_GT(solvable, 2000);
  EXPECT_GT(not_solvable, 100);
}

// Chains: W tridiagonal, as of a row of balls that touch. Its condition grows as n², the band stays.
TEST(Nonnegative, ChainsOfAThousand) {
  Dice dice;
  constexpr int n = 1000;
  for (int trial = 0; trial < 12; ++trial) {
    NonnegativeSolver solver;
    std::vector<int> first(n);
    for (int i = 0; i < n; ++i) first[i] = std::max(0, i - 1);
    solver.shape(first);
    Values v(n + 1), b(n);
    ChangingValues y;
    for (int i = 0; i <= n; ++i)  // random; two halves that meet; one that hits; steps of equal speed
      v[i] = trial % 4 == 0   ? dice.normal()
             : trial % 4 == 1 ? (i < 500 ? 1 : -1)
             : trial % 4 == 2 ? i == 0
                              : -i / 50;
    for (int i = 0; i < n; ++i) {
      solver.add(i, i, 2);
      if (i > 0) solver.add(i, i - 1, -1);
      b[i] = 2 * (v[i + 1] - v[i]);
    }
    ASSERT_TRUE(solver.solve(b, y)) << trial;
    const double rounding = 1e-14 * (b.lpNorm<Eigen::Infinity>() + 4 * y.maxCoeff());
    for (int i = 0; i < n; ++i) {
      const double slack = b[i] + 2 * y[i] - (i > 0 ? y[i - 1] : 0) - (i + 1 < n ? y[i + 1] : 0);
      EXPECT_GE(slack, -rounding) << trial << ", " << i;
      EXPECT_TRUE(y[i] == 0 || std::abs(slack) <= rounding) << trial << ", " << i << ": " << slack;
    }
  }
}

}  // namespace
}  // namespace carom::test
