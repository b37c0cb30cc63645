// The linear algebra under contacts and joints against dense solves: LU factors in an
// envelope, matrices bordered by constraints, and blocks of them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "carom/numerics/kkt_matrix.hpp"

namespace carom::test {
namespace {

using Dense = Eigen::MatrixXd;
constexpr double eps = std::numeric_limits<double>::epsilon();

struct Dice {
  std::mt19937_64 engine{20120612};
  double uniform(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
  bool chance(double x) { return uniform(0, 1) < x; }
  Values vector(int n) {
    Values r(n);
    for (double& x : r) x = uniform();
    return r;
  }
};

double condition(const Dense& A) {
  const auto s = A.jacobiSvd().singularValues();
  return s[0] / s[s.size() - 1];
}

// A matrix whose pattern is symmetric and whose values are not; its diagonal dominates, so that no pivoting
// is needed.
Dense random_sparse(Dice& dice, int n, double density) {
  Dense A = Dense::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k)
      if (dice.chance(density)) A(i, k) = dice.uniform(), A(k, i) = dice.uniform();
  for (int i = 0; i < n; ++i)
    A(i, i) = (dice.chance(0.5) ? 1 : -1) * (1 + std::fmax(A.row(i).lpNorm<1>(), A.col(i).lpNorm<1>()));
  return A;
}

std::vector<int> first_columns(const Dense& A) {
  std::vector<int> first(A.rows());
  for (int i = 0; i < A.rows(); ++i) {
    first[i] = i;
    for (int k = i; k >= 0; --k)
      if (A(i, k) != 0 || A(k, i) != 0) first[i] = k;
  }
  return first;
}

void fill(Envelope& envelope, const Dense& A) {
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.rows(); ++k)
      if (A(i, k) != 0) envelope.add(i, k, A(i, k));
}

TEST(Envelope, SolvesLikeADenseMatrix) {
  Dice dice;
  Envelope envelope;  // one for all: shaping again leaves nothing behind
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + dice.below(40);
    const Dense A = random_sparse(dice, n, dice.uniform(0, 0.4));
    envelope.shape(first_columns(A));
    fill(envelope, A);
    ASSERT_TRUE(envelope.factor(std::vector<char>(n, 0)));
    const Values b = dice.vector(n);
    Values x = b;
    envelope.solve(x);
    EXPECT_LT((x - A.partialPivLu().solve(b)).norm(), 10 * n * eps * condition(A) * x.norm()) << n;
  }
}

TEST(Envelope, ZeroPivotsAreRefusedUnlessTheyAreMultipliers) {
  Envelope envelope;
  envelope.shape(std::vector{0, 0});
  for (const double last : {4.0, 4.0 * (1 + 1e-14)}) {  // [1 2; 2 4] and what rounding makes of it
    for (const char multiplier : {0, 1}) {
      envelope.set_zero();
      envelope.add(0, 0, 1), envelope.add(0, 1, 2), envelope.add(1, 0, 2), envelope.add(1, 1, last);
      EXPECT_EQ(envelope.factor(std::vector<char>{0, multiplier}), multiplier == 1);
      EXPECT_EQ(envelope.dropped(1), multiplier == 1);
    }
  }
  envelope.set_zero();
  envelope.add(0, 0, NAN), envelope.add(1, 1, 1);
  EXPECT_FALSE(envelope.factor(std::vector<char>{1, 1}));
}

// A block alone has the same solution as the whole with zeros elsewhere.
TEST(Envelope, BlocksAreTheCoupledRows) {
  Dice dice;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 30;
    Dense A = Dense::Zero(n, n);
    std::vector<Envelope::Block> expected(n);
    for (int begin = 0; begin < n;) {
      const int end = std::min(n, begin + 1 + dice.below(6));
      A.block(begin, begin, end - begin, end - begin) = random_sparse(dice, end - begin, 1);
      for (int i = begin; i < end; ++i) expected[i] = {begin, end};
      begin = end;
    }
    Envelope envelope;
    envelope.shape(first_columns(A));
    fill(envelope, A);
    ASSERT_TRUE(envelope.factor(std::vector<char>(n, 0)));
    std::vector<Envelope::Block> found;
    envelope.find_blocks(found);
    Values b = dice.vector(n), whole = Values::Zero(n);
    const int at = dice.below(n);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(found[i].begin, expected[i].begin) << i;
      EXPECT_EQ(found[i].end, expected[i].end) << i;
      if (i >= found[at].begin && i < found[at].end) whole[i] = b[i];
    }
    envelope.solve(whole);
    envelope.solve(b, found[at].begin, found[at].end);
    for (int i = found[at].begin; i < found[at].end; ++i) EXPECT_EQ(b[i], whole[i]);
  }
}

// A random constrained problem: A positive definite and unsymmetric, constraints of few coordinates, some of
// them copies or sums of those before.
struct Bordered {
  Dense A, B, C;
  std::vector<std::array<int, 2>> pairs;
  SparseRows columns, rows;
  std::vector<char> redundant;

  Bordered(Dice& dice, int n, int m, bool with_redundant) : A(Dense::Zero(n, n)), redundant(m, 0) {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < i; ++k)
        if (dice.chance(0.15)) A(i, k) = dice.uniform(), A(k, i) = dice.uniform(), pairs.push_back({i, k});
    for (int i = 0; i < n; ++i) A(i, i) = 1 + std::fmax(A.row(i).lpNorm<1>(), A.col(i).lpNorm<1>());
    B = C = Dense::Zero(n, m);
    for (int k = 0; k < m; ++k) {
      redundant[k] = with_redundant && k > 0 && dice.chance(0.4);
      const int source = k > 0 ? dice.below(k) : 0;
      std::vector<int> at;
      for (int i = 0; i < n; ++i)
        if (redundant[k] ? B(i, source) != 0 : dice.chance(2.5 / n) || i == k % n) at.push_back(i);
      const double factor = dice.uniform(0.5, 2);
      for (const int i : at) {
        // A step's two gradients, at its start and its end, differ by little.
        B(i, k) = redundant[k] ? factor * B(i, source) : dice.uniform();
        C(i, k) = redundant[k] ? factor * C(i, source) : B(i, k) + 0.1 * dice.uniform();
        columns.push(i, B(i, k)), rows.push(i, C(i, k));
      }
      columns.end_row(), rows.end_row();
    }
  }
  void fill(KktMatrix& matrix) const {
    matrix.arrange(static_cast<int>(A.rows()), pairs, columns);
    matrix.set_zero();
    for (int i = 0; i < A.rows(); ++i)
      for (int k = 0; k < A.rows(); ++k)
        if (A(i, k) != 0) matrix.add(i, k, A(i, k));
    for (int k = 0; k < columns.size(); ++k) matrix.add_column(k, columns[k]), matrix.add_row(k, rows[k]);
  }
  Dense dense() const {
    const auto n = A.rows(), m = B.cols();
    Dense K = Dense::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = A, K.topRightCorner(n, m) = B, K.bottomLeftCorner(m, n) = C.transpose();
    return K;
  }
};

TEST(KktMatrix, SolvesLikeADenseMatrix) {
  Dice dice;
  KktMatrix matrix;
  int solved = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 2 + dice.below(20), m = dice.below(n / 2 + 1);
    const Bordered problem(dice, n, m, false);
    const Dense K = problem.dense();
    const double k = condition(K);
    if (k > 1e6) continue;  // chance may make constraints depend on each other
    problem.fill(matrix);
    ASSERT_TRUE(matrix.factor());
    const Values rhs = dice.vector(n + m), expected = K.fullPivLu().solve(rhs);
    Values x = rhs.head(n), lambda = rhs.tail(m);
    matrix.solve(x, lambda);
    // Without pivoting multipliers stand on small pivots: their growth is bounded by another condition
    // number.
    EXPECT_LT((x - expected.head(n)).norm(), 100 * eps * k * k * expected.norm()) << n << " " << m;
    EXPECT_LT((lambda + expected.tail(m)).norm(), 100 * eps * k * k * expected.norm()) << n << " " << m;
    ++solved;
  }
  EXPECT_GT(solved, 300);
}

// Of copies one acts: x is the same as without them, and the equations hold with the multipliers found.
TEST(KktMatrix, RedundantConstraintsAreDropped) {
  Dice dice;
  KktMatrix matrix;
  int copies = 0, solved = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 4 + dice.below(16), m = 1 + dice.below(n / 2);
    const Bordered problem(dice, n, m, true);
    const auto kept = std::count(problem.redundant.begin(), problem.redundant.end(), 0);
    const Dense K = problem.dense();
    const auto s = K.jacobiSvd().singularValues();
    const double k = s[0] / s[n + kept - 1];
    if (k > 1e4) continue;
    problem.fill(matrix);
    ASSERT_TRUE(matrix.factor());
    int dropped = 0;
    for (int i = 0; i < m; ++i) dropped += matrix.dropped(i);
    EXPECT_EQ(dropped, m - kept);
    const Values wanted = dice.vector(n), a = dice.vector(n);
    Values x = a, lambda = problem.C.transpose() * wanted;  // consistent
    const Values b = lambda;
    matrix.solve(x, lambda);
    const double size = wanted.norm() + a.norm() + x.norm() + lambda.norm();
    EXPECT_LT((problem.A * x - problem.B * lambda - a).norm(), 100 * eps * k * k * size);
    EXPECT_LT((problem.C.transpose() * x - b).norm(), 100 * eps * k * k * size);
    copies += dropped, ++solved;
  }
  EXPECT_GT(copies, 200);
  EXPECT_GT(solved, 200);
}

// A constraint that touches nothing, or is released, changes nothing.
TEST(KktMatrix, EmptyAndReleasedConstraints) {
  KktMatrix matrix;
  SparseRows rows;
  rows.end_row();
  rows.push(0, 1), rows.push(2, -1), rows.end_row();
  matrix.arrange(3, {}, rows);
  matrix.set_zero();
  for (int i = 0; i < 3; ++i) matrix.add(i, i, i + 1.0);
  matrix.add_column(0, rows[0]), matrix.add_row(0, rows[0]);
  matrix.add_column(1, rows[1]), matrix.release(1);
  ASSERT_TRUE(matrix.factor());
  EXPECT_TRUE(matrix.dropped(0));
  Values x(3), lambda(2);
  x << 1, 2, 3, lambda << 5, 0.25;  // λ_2 = 1/4 pushes along its gradient
  matrix.solve(x, lambda);
  EXPECT_EQ(lambda[0], 0);
  EXPECT_DOUBLE_EQ(lambda[1], 0.25);
  EXPECT_DOUBLE_EQ(x[0], 1.25);
  EXPECT_DOUBLE_EQ(x[1], 1);
  EXPECT_DOUBLE_EQ(x[2], 2.75 / 3);
}

TEST(KktMatrix, RespondsToOneRow) {
  Dice dice;
  KktMatrix matrix;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + dice.below(20), m = dice.below(n / 3 + 1);
    const Bordered problem(dice, n, m, false);
    const Dense K = problem.dense();
    const double k = condition(K);
    if (k > 1e6) continue;
    problem.fill(matrix);
    ASSERT_TRUE(matrix.factor());
    matrix.find_blocks();
    SparseRows sources, answers;
    for (int i = 0; i < 3; ++i) {
      const int at = dice.below(n);
      sources.push(at, dice.uniform());
      if (n > 4) sources.push((at + 1 + i) % n, dice.uniform());
      sources.end_row();
      matrix.respond(sources[i], answers);
      Values rhs = Values::Zero(n + m), x = Values::Zero(n);
      sources[i].add_to(rhs, 1);
      answers[i].add_to(x, 1);
      const Values expected = K.fullPivLu().solve(rhs);
      EXPECT_LT((x - expected.head(n)).norm(), 100 * eps * k * k * expected.norm());
    }
  }
}

}  // namespace
}  // namespace carom::test
