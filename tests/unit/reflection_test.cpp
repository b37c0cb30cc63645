// The generalized reflection and the non-negative least squares below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/QR>

#include "carom/reflection.hpp"

namespace carom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Random {
  std::mt19937_64 engine{20110603};
  std::normal_distribution<double> normal;
  MatrixXd matrix(int rows, int columns) {
    MatrixXd m(rows, columns);
    for (int i = 0; i < m.size(); ++i) m(i) = normal(engine);
    return m;
  }
  int upto(int n) { return std::uniform_int_distribution<int>(1, n)(engine); }
};

double objective(const MatrixXd& A, const VectorXd& b, const VectorXd& y) {
  return 0.5 * y.dot(A * y) - b.dot(y);
}

// The least objective over every choice of active contacts.
double least_by_brute_force(const MatrixXd& A, const VectorXd& b) {
  const int n = static_cast<int>(b.size());
  double least = 0;
  for (int set = 1; set < 1 << n; ++set) {
    std::vector<int> index;
    for (int i = 0; i < n; ++i)
      if (set >> i & 1) index.push_back(i);
    const MatrixXd small = A(index, index);
    const VectorXd x = small.completeOrthogonalDecomposition().solve(VectorXd(b(index)));
    if (x.minCoeff() < -1e-12) continue;
    VectorXd y = VectorXd::Zero(n);
    y(index) = x.cwiseMax(0);
    least = std::min(least, objective(A, b, y));
  }
  return least;
}

void expect_optimal(const MatrixXd& A, const VectorXd& b) {
  const VectorXd y = solve_nonnegative(A, b);
  const double scale = 1 + b.lpNorm<Eigen::Infinity>();
  ASSERT_TRUE(y.allFinite()) << A << "\n\n" << b;
  EXPECT_GE(y.minCoeff(), 0);
  EXPECT_NEAR(objective(A, b, y), least_by_brute_force(A, b), 1e-11 * scale * scale * (1 + y.norm()))
      << A << "\n\n"
      << b;
  const VectorXd slope = A * y - b;  // >= 0, and zero where y > 0
  EXPECT_GT(slope.minCoeff(), -1e-11 * scale * (1 + y.norm()));
  EXPECT_NEAR(slope.dot(y), 0, 1e-11 * scale * (1 + y.squaredNorm()));
}

// A = G'G with b = G'w, as contacts give them; more contacts than dimensions make A singular.
TEST(SolveNonnegative, MatchesBruteForceOverActiveSets) {
  Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = random.upto(5), dimensions = random.upto(6);
    const MatrixXd G = random.matrix(dimensions, n);
    expect_optimal(G.transpose() * G, G.transpose() * random.matrix(dimensions, 1));
    if (HasFailure()) return;
  }
}
TEST(SolveNonnegative, MatchesBruteForceWithRepeatedContacts) {
  Random random;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + random.upto(4), dimensions = random.upto(4);
    MatrixXd G = random.matrix(dimensions, n);
    G.col(n - 1) = G.col(0) * std::exp(random.normal(random.engine));
    expect_optimal(G.transpose() * G, G.transpose() * random.matrix(dimensions, 1));
    if (HasFailure()) return;
  }
}
TEST(SolveNonnegative, NothingToGainIsZero) {
  EXPECT_EQ(solve_nonnegative(MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0)), VectorXd::Zero(3));
  EXPECT_EQ(solve_nonnegative(MatrixXd(0, 0), VectorXd(0)).size(), 0);
}

struct Body {
  MatrixXd M, G, MinvG;
  VectorXd v;
};
Body random_body(Random& random, int dimensions, int contacts) {
  Body b;
  const MatrixXd root = random.matrix(dimensions, dimensions);
  b.M = root * root.transpose() + 0.1 * MatrixXd::Identity(dimensions, dimensions);
  b.G = random.matrix(dimensions, contacts);
  b.MinvG = b.M.householderQr().solve(b.G);
  b.v = random.matrix(dimensions, 1);
  return b;
}

TEST(Reflect, OneContactIsTheMirrorLaw) {
  Random random;
  for (int trial = 0; trial < 100; ++trial) {
    auto b = random_body(random, 4, 1);
    if (b.G.col(0).dot(b.v) > 0) b.v = -b.v;
    const auto r = reflect(b.G, b.MinvG, b.v);
    const double rate = b.G.col(0).dot(b.v), size = b.G.col(0).dot(b.MinvG.col(0));
    EXPECT_TRUE(r.ok);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_NEAR(r.impulse[0], -2 * rate / size, 1e-13 * std::abs(rate / size));
  }
}
TEST(Reflect, SeparatingContactsAreLeftAlone) {
  const MatrixXd G = MatrixXd::Identity(2, 2);
  const auto r = reflect(G, G, VectorXd::Constant(2, 0.5));
  EXPECT_TRUE(r.ok);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_EQ(r.impulse, VectorXd::Zero(2));
}
TEST(Reflect, KeepsTheEnergyAndOpensEveryContact) {
  Random random;
  int ended = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto b = random_body(random, 6, random.upto(5));
    const auto r = reflect(b.G, b.MinvG, b.v);
    if (!r.ok) continue;  // contacts that are nearly antiparallel in the kinetic metric: a thin wedge
    ++ended;
    const VectorXd after = b.v + b.MinvG * r.impulse;
    EXPECT_GE(r.impulse.minCoeff(), 0);
    EXPECT_NEAR(after.dot(b.M * after), b.v.dot(b.M * b.v), 1e-11 * b.v.dot(b.M * b.v) * (1 + r.iterations));
    EXPECT_GE((b.G.transpose() * after).minCoeff(),
              -2e-12 * (b.G.transpose() * b.v).lpNorm<Eigen::Infinity>());
  }
  EXPECT_GE(ended, 495);
}

// A particle in the tip of a wedge of angle a, walls at ±a/2 around the negative x axis.
MatrixXd wedge(double angle) {
  MatrixXd G(2, 2);
  G << -std::sin(angle / 2), -std::sin(angle / 2), std::cos(angle / 2), -std::cos(angle / 2);
  return G;
}
void expect_reflected(const MatrixXd& G, const VectorXd& v, const Reflection& r) {
  const VectorXd after = v + G * r.impulse;
  ASSERT_TRUE(r.ok);
  EXPECT_GE((G.transpose() * after).minCoeff(), -1e-12);
  EXPECT_NEAR(after.norm(), v.norm(),
              1e-14 * v.norm() / G.row(0).squaredNorm());  // both walls at once: condition 1/a²
}
// One wall after the other turns the velocity by a each time: π/a at most (003), half of that from across.
TEST(Reflect, AWedgeTakesAboutPiOverItsAngle) {
  Random random;
  for (const double angle : {1.0, 0.5, 0.2, 0.1, 0.05, 0.02}) {
    const MatrixXd G = wedge(angle);
    const VectorXd across = Eigen::Vector2d(0, 1);
    const auto r = reflect(G, G, across);
    expect_reflected(G, across, r);
    EXPECT_NEAR(r.iterations, std::numbers::pi / (2 * angle), 1) << angle;
    for (int trial = 0; trial < 20; ++trial) {
      const VectorXd v = random.matrix(2, 1);
      const auto any = reflect(G, G, v);
      expect_reflected(G, v, any);
      EXPECT_LE(any.iterations, std::numbers::pi / angle + 1) << angle;
    }
  }
}
// Where both approach, both are turned at once.
TEST(Reflect, HeadOnIntoAWedgeComesBackAtOnce) {
  for (const double angle : {1.0, 0.1}) {
    const VectorXd v = Eigen::Vector2d(1, 0.3 * angle);
    const MatrixXd G = wedge(angle);
    const auto r = reflect(G, G, v);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_LT((v + G * r.impulse + v).norm(), 1e-14 / (angle * angle));
  }
}

// Newton's cradle: n equal balls that touch, the first one moving.
TEST(Reflect, AChainOfBallsHandsTheVelocityOn) {
  for (int n = 2; n <= 10; ++n) {
    MatrixXd G = MatrixXd::Zero(n, n - 1);
    for (int k = 0; k + 1 < n; ++k) G(k, k) = -1, G(k + 1, k) = 1;
    VectorXd v = VectorXd::Zero(n);
    v[0] = 1;
    const auto r = reflect(G, G, v);
    ASSERT_TRUE(r.ok);
    EXPECT_LE(r.iterations, n - 1);
    VectorXd expected = VectorXd::Zero(n);
    expected[n - 1] = 1;
    EXPECT_LT((v + G * r.impulse - expected).norm(), 1e-13) << n;
  }
}

// Two walls that face each other with no room between them: no impulse opens both.
TEST(Reflect, SqueezingContactsAreReported) {
  for (const double lean : {0.0, 1e-9, 1e-4}) {
    MatrixXd G(2, 2);
    G << -lean, -lean, 1, -1;
    const VectorXd v = Eigen::Vector2d(1, 0.5);
    const auto r = reflect(G, G, v);
    EXPECT_FALSE(r.ok) << lean;
    EXPECT_TRUE(r.impulse.allFinite());
  }
}

}  // namespace
}  // namespace carom::test
