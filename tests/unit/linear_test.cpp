// Small linear solves: random matrices, pivots, matrices that must be refused, and derivatives of a solution.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <random>

#include "carom/numerics/dual_math.hpp"
#include "carom/numerics/linear.hpp"
#include "carom/numerics/positive.hpp"

namespace carom::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int N>
Matrix<double, N> random_matrix(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix<double, N> r(n, n);
  for (double& entry : r.reshaped()) entry = uniform(random);
  return r;
}
template <int N>
Vector<double, N> random_vector(int n, std::mt19937_64& random) {
  return random_matrix<N>(n, random).col(0);
}
// Symmetric with eigenvalues of at least 0.1.
template <int N>
Matrix<double, N> random_mass(int n, std::mt19937_64& random) {
  const Matrix<double, N> A = random_matrix<N>(n, random);
  return A * A.transpose() + 0.1 * Matrix<double, N>::Identity(n, n);
}

template <int N>
void expect_lu_solves(int n) {
  std::mt19937_64 random(99);
  for (int k = 0; k < 50; ++k) {
    const Matrix<double, N> A = random_matrix<N>(n, random);
    const Vector<double, N> b = random_vector<N>(n, random);
    const LU<N> lu(A);
    ASSERT_TRUE(lu.ok());
    const Vector<double, N> x = lu.solve(b);
    EXPECT_LT((A * x - b).norm(), 1e-14 * n * (1 + x.norm())) << A;
  }
}
TEST(LU, RandomMatrices) {
  expect_lu_solves<1>(1);
  expect_lu_solves<2>(2);
  expect_lu_solves<3>(3);
  expect_lu_solves<6>(6);
  expect_lu_solves<Eigen::Dynamic>(2);
  expect_lu_solves<Eigen::Dynamic>(12);
}

// Without exchanging rows the first would divide by zero, and the second lose all digits.
TEST(LU, PivotsWhereItMust) {
  Matrix<double, 3> A;
  A << 0, 2, 1, 0, 0, 3, 4, 1, 1;
  const Vector<double, 3> x(1, -2, 3), b = A * x;
  EXPECT_TRUE(LU<3>(A).ok());
  EXPECT_LT((LU<3>(A).solve(b) - x).norm(), 1e-15);
  Matrix<double, 2> B;
  B << 1e-20, 1, 1, 1;
  const Vector<double, 2> y = LU<2>(B).solve(Vector<double, 2>(1, 2));
  EXPECT_LT((y - Vector<double, 2>(1, 1)).norm(), 1e-15);
  B << 1e-20, 1, -1, 1;  // the size counts, not the sign
  const Vector<double, 2> z = LU<2>(B).solve(Vector<double, 2>(1, 0));
  EXPECT_LT((z - Vector<double, 2>(1, 1)).norm(), 1e-15);
}

TEST(LU, RefusesSingularMatrices) {
  Matrix<double, 2> A;
  A << 1, 2, 2, 4;
  EXPECT_FALSE(LU<2>(A).ok());
  EXPECT_FALSE(LU<3>(Matrix<double, 3>::Zero()).ok());
  Matrix<double, 3> B = Matrix<double, 3>::Identity();
  B(2, 2) = 0;
  EXPECT_FALSE(LU<3>(B).ok());
}
TEST(LU, RefusesWhatIsNotFinite) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (const double bad : {nan, HUGE_VAL, -HUGE_VAL}) {
        Matrix<double, 3> A = 2 * Matrix<double, 3>::Identity() + Matrix<double, 3>::Ones();
        A(i, j) = bad;
        EXPECT_FALSE(LU<3>(A).ok()) << A;
      }
}

TEST(LU, DerivativesPassThroughLinearly) {
  using D = Dual<double, 2>;
  std::mt19937_64 random(5);
  const auto A = random_matrix<3>(3, random);
  const auto b = random_vector<3>(3, random), b0 = random_vector<3>(3, random),
             b1 = random_vector<3>(3, random);
  Vector<D, 3> right;
  for (int i = 0; i < 3; ++i) right[i].a = b[i], right[i].d[0] = b0[i], right[i].d[1] = b1[i];
  const LU<3> lu(A);
  const Vector<D, 3> x = lu.solve(right);
  const Vector<double, 3> y = lu.solve(b), y0 = lu.solve(b0), y1 = lu.solve(b1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(x[i].a, y[i]);
    EXPECT_DOUBLE_EQ(x[i].d[0], y0[i]);
    EXPECT_DOUBLE_EQ(x[i].d[1], y1[i]);
  }
}

TEST(SemidefiniteSolve, LeavesDependentUnknownsAtZero) {
  std::mt19937_64 random(31);
  for (int k = 0; k < 50; ++k) {
    Eigen::Matrix<double, 5, 4> F = random_matrix<5>(5, random).leftCols<4>();
    F.col(1) = 3 * F.col(0), F.col(3) = F.col(0) - 0.5 * F.col(2);
    const Matrix<double, 4> A = F.transpose() * F;
    const SemidefiniteSolve<4> gram(A);
    EXPECT_TRUE(gram.uses(0) && !gram.uses(1) && gram.uses(2) && !gram.uses(3));
    const Vector<double, 4> b = A * random_vector<4>(4, random), x = gram.solve(b);
    EXPECT_LT((A * x - b).norm(), 1e-12 * (1 + x.norm()));
    EXPECT_EQ(x[1], 0);
    EXPECT_EQ(x[3], 0);
  }
  EXPECT_EQ(SemidefiniteSolve<2>(Matrix<double, 2>::Zero()).solve(Vector<double, 2>(1, 2)).norm(), 0);
}

template <int N>
void expect_positive_solves(int n) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 50; ++k) {
    const auto M = random_mass<N>(n, random);
    const auto b = random_vector<N>(n, random);
    const auto solved = solve_positive(M, b);
    ASSERT_TRUE(solved.ok);
    EXPECT_LT((M * solved.x - b).norm(), 1e-14 * n * (1 + solved.x.norm())) << M;
  }
}
TEST(SolvePositive, RandomMatrices) {
  expect_positive_solves<1>(1);
  expect_positive_solves<2>(2);
  expect_positive_solves<3>(3);
  expect_positive_solves<5>(5);
  expect_positive_solves<Eigen::Dynamic>(3);
  expect_positive_solves<Eigen::Dynamic>(10);
}

TEST(SolvePositive, RefusesWhatIsNotPositiveDefinite) {
  const Vector<double, 2> b(1, 2);
  Matrix<double, 2> indefinite, singular, negative;
  indefinite << 1, 2, 2, 1;
  singular << 1, 1, 1, 1;
  negative << -2, 0, 0, -1;
  for (const auto& M : {indefinite, singular, negative, Matrix<double, 2>(Matrix<double, 2>::Zero())})
    EXPECT_FALSE(solve_positive(M, b).ok) << M;
  Matrix<double, 3> last = Matrix<double, 3>::Identity();
  last(2, 2) = -1;
  EXPECT_FALSE(solve_positive(last, Vector<double, 3>(1, 1, 1)).ok);
}
TEST(SolvePositive, RefusesWhatIsNotFinite) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j <= i; ++j)
      for (const double bad : {nan, HUGE_VAL, -HUGE_VAL}) {
        Matrix<double, 2> M;
        M << 2, 0.5, 0.5, 2;
        M(i, j) = M(j, i) = bad;
        EXPECT_FALSE(solve_positive(M, Vector<double, 2>(1, 1)).ok) << M;
      }
}
TEST(SolvePositive, OnlyTheValueDecides) {
  using D = Dual<double, 1>;
  Matrix<D, 2> M;
  M << D(2.0), D(0.0), D(0.0), D(1.0);
  M(0, 0).d[0] = -5, M(1, 1).d[0] = -3;
  EXPECT_TRUE(solve_positive(M, Vector<D, 2>(D(1.0), D(1.0))).ok);
}

// x(s) = M(s)^{-1} b(s) with M = M0 + s M1 and b = b0 + s b1 + s² b2: with A = M0^{-1},
// x' = A (b' - M1 x), x'' = A (b'' - 2 M1 x'), x''' = -3 A M1 x''.
struct Curve {
  Matrix<double, 3> M0, M1;
  Vector<double, 3> b0, b1, b2;
  Vector<double, 3> x[4];

  explicit Curve(std::mt19937_64& random)
      : M0(random_mass<3>(3, random)),
        M1(random_mass<3>(3, random)),
        b0(random_vector<3>(3, random)),
        b1(random_vector<3>(3, random)),
        b2(random_vector<3>(3, random)) {
    const Matrix<double, 3> A = M0.inverse();
    x[0] = A * b0;
    x[1] = A * (b1 - M1 * x[0]);
    x[2] = A * (2 * b2 - 2 * M1 * x[1]);
    x[3] = A * (-3 * M1 * x[2]);
  }

  template <class S>
  Solved<S, 3> solve(const S& s) const {
    Matrix<S, 3> M;
    Vector<S, 3> b;
    for (int i = 0; i < 3; ++i) {
      b[i] = b0[i] + s * b1[i] + s * s * b2[i];
      for (int j = 0; j < 3; ++j) M(i, j) = M0(i, j) + s * M1(i, j);
    }
    return solve_positive(M, b);
  }
};
TEST(SolvePositive, DerivativesOfTheSolution) {
  using D1 = Dual<double, 1>;
  using D2 = Dual2<double, 1>;
  using D3 = Dual<D2, 1>;
  std::mt19937_64 random(31);
  for (int k = 0; k < 20; ++k) {
    const Curve curve(random);
    const auto first = curve.solve(D1::variable(0, 0));
    const auto second = curve.solve(D2::variable(0, 0));
    const auto third = curve.solve(D3::variable(D2::variable(0, 0), 0));
    ASSERT_TRUE(first.ok && second.ok && third.ok);
    const double size = 1 + curve.x[3].norm();
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(first.x[i].a, curve.x[0][i], 1e-12 * size);
      EXPECT_NEAR(first.x[i].d[0], curve.x[1][i], 1e-12 * size);
      EXPECT_NEAR(second.x[i].h[0], curve.x[2][i], 1e-12 * size);
      EXPECT_NEAR(third.x[i].d[0].a, curve.x[1][i], 1e-12 * size);
      EXPECT_NEAR(third.x[i].a.h[0], curve.x[2][i], 1e-12 * size);
      EXPECT_NEAR(third.x[i].d[0].h[0], curve.x[3][i], 1e-12 * size);
    }
  }
}

template <class S>
Solved<S, 2> solve_two(const S& a, const S& b, const S& c) {
  Matrix<S, 2> M;
  M << a, b, b, c;
  return solve_positive(M, Vector<S, 2>(S(1.0), S(-2.0)));
}
TEST(SolvePositive, LaneByLane) {
  Pack<4> a, b, c;
  for (int i = 0; i < 4; ++i) a.lanes[i] = 2 + i, b.lanes[i] = 0.3 * i - 0.5, c.lanes[i] = 1 + 0.2 * i;
  const auto packed = solve_two(a, b, c);
  EXPECT_TRUE(packed.ok);
  using D = Dual<Pack<4>, 1>;
  const auto moving = solve_two(D::variable(a, 0), D(b), D(c));
  EXPECT_TRUE(moving.ok);
  for (int i = 0; i < 4; ++i) {
    const auto one = solve_two(a[i], b[i], c[i]);
    const auto one_moving =
        solve_two(Dual<double, 1>::variable(a[i], 0), Dual<double, 1>(b[i]), Dual<double, 1>(c[i]));
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(packed.x[k][i], one.x[k]) << i;
      EXPECT_EQ(moving.x[k].a[i], one_moving.x[k].a) << i;
      EXPECT_EQ(moving.x[k].d[0][i], one_moving.x[k].d[0]) << i;
    }
  }
}

// One bad lane is enough, whichever it is and whether its pivot is negative, zero or no number.
TEST(SolvePositive, RefusesAPackWithOneBadLane) {
  for (int bad = 0; bad < 4; ++bad)
    for (const double pivot : {-1.0, 0.0, nan, HUGE_VAL}) {
      Pack<4> a = 2.0;
      a.lanes[bad] = pivot;
      EXPECT_FALSE(solve_two(a, Pack<4>(0.0), Pack<4>(1.0)).ok) << "lane " << bad << ", pivot " << pivot;
      EXPECT_FALSE(solve_two(Pack<4>(1.0), Pack<4>(0.0), a).ok) << "lane " << bad << ", pivot " << pivot;
    }
}

// Dense, banded and diagonal: the bits of sums over all entries, zeros and all.
TEST(SolvePositive, HasTheBitsOfFullSums) {
  std::mt19937_64 random(5);
  for (const int n : {1, 2, 5, 20})
    for (const int band : {0, 1, 3, n}) {
      Matrix<double, Eigen::Dynamic> M = random_mass<Eigen::Dynamic>(n, random);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
          if (std::abs(i - k) > band) M(i, k) = 0;
      M.diagonal().array() += n;  // still positive
      Matrix<double, Eigen::Dynamic> full = M, row_major = M.transpose();
      Values b = random_vector<Eigen::Dynamic>(n, random), x = b;
      ASSERT_TRUE(detail::factor_ldlt(full));
      ASSERT_TRUE(solve_positive_in_place(row_major.data(), x.data(), n));
      EXPECT_EQ(x, detail::solve_ldlt(full, b)) << n << ' ' << band;
      EXPECT_LT((M * x - b).norm(), 1e-14 * n * b.norm());
    }
}

TEST(SolvePositive, RefusesWhatIsNotPositive) {
  for (const double bad : {0.0, -1.0, nan, HUGE_VAL}) {
    Matrix<double, Eigen::Dynamic> M = Matrix<double, Eigen::Dynamic>::Identity(3, 3);
    M(1, 1) = bad;
    Values b = Values::Ones(3);
    EXPECT_FALSE(solve_positive_in_place(M.data(), b.data(), 3)) << bad;
  }
}

}  // namespace
}  // namespace carom::test
