// gradient, hessian and jacobian against closed forms, with sizes known at compile time and at run time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/numerics/differentiate.hpp"

namespace carom::test {
namespace {

// f(x) = Σ_i (i+1) sin x_i + Σ_{i<j} x_i x_j² : every second derivative is different.
struct Coupled {
  template <class V>
  auto operator()(const V& x) const {
    using S = typename V::Scalar;
    S sum(0.0);
    for (int i = 0; i < x.size(); ++i) {
      sum = sum + (i + 1) * sin(x[i]);
      for (int j = i + 1; j < x.size(); ++j) sum = sum + x[i] * x[j] * x[j];
    }
    return sum;
  }
};

template <int N>
Vector<double, N> point(int n) {
  Vector<double, N> x(n);
  for (int i = 0; i < n; ++i) x[i] = 0.3 + 0.4 * i - 0.07 * i * i;
  return x;
}

struct Expected {
  double value;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};
Expected expected(const Eigen::VectorXd& x) {
  const int n = static_cast<int>(x.size());
  Expected r{0, Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, n)};
  for (int i = 0; i < n; ++i) {
    r.value += (i + 1) * std::sin(x[i]);
    r.gradient[i] += (i + 1) * std::cos(x[i]);
    r.hessian(i, i) -= (i + 1) * std::sin(x[i]);
    for (int j = i + 1; j < n; ++j) {
      r.value += x[i] * x[j] * x[j];
      r.gradient[i] += x[j] * x[j];
      r.gradient[j] += 2 * x[i] * x[j];
      r.hessian(j, j) += 2 * x[i];
      r.hessian(i, j) = r.hessian(j, i) = 2 * x[j];
    }
  }
  return r;
}

template <class Size>
class Differentiate : public testing::Test {};
template <int N, int n = N>
struct SizeOf {
  static constexpr int fixed = N, size = n;
};
// Below, at, above and at twice a chunk of directions.
constexpr int D = Eigen::Dynamic;
using Sizes = testing::Types<SizeOf<1>, SizeOf<3>, SizeOf<4>, SizeOf<5>, SizeOf<9>, SizeOf<D, 1>,
                             SizeOf<D, 3>, SizeOf<D, 4>, SizeOf<D, 5>, SizeOf<D, 9>>;
TYPED_TEST_SUITE(Differentiate, Sizes);

TYPED_TEST(Differentiate, Gradient) {
  const auto x = point<TypeParam::fixed>(TypeParam::size);
  const auto y = gradient(Coupled(), x);
  const auto right = expected(x);
  EXPECT_NEAR(y.value, right.value, 1e-14 * (1 + std::abs(right.value)));
  EXPECT_LT((y.gradient - right.gradient).norm(), 1e-14 * (1 + right.gradient.norm()));
}

TYPED_TEST(Differentiate, Hessian) {
  const auto x = point<TypeParam::fixed>(TypeParam::size);
  const auto y = hessian(Coupled(), x);
  const auto right = expected(x);
  EXPECT_NEAR(y.value, right.value, 1e-14 * (1 + std::abs(right.value)));
  EXPECT_LT((y.gradient - right.gradient).norm(), 1e-14 * (1 + right.gradient.norm()));
  EXPECT_LT((y.hessian - right.hessian).norm(), 1e-14 * (1 + right.hessian.norm()));
  EXPECT_EQ(y.hessian, y.hessian.transpose());
}

// The Jacobian of the gradient is the Hessian.
TYPED_TEST(Differentiate, JacobianOfTheGradient) {
  const auto x = point<TypeParam::fixed>(TypeParam::size);
  const auto slopes = [](const auto& y) { return gradient(Coupled(), y).gradient; };
  const auto J = jacobian(slopes, x);
  static_assert(decltype(J)::RowsAtCompileTime == TypeParam::fixed);
  EXPECT_LT((J - expected(x).hessian).norm(), 1e-14 * (1 + J.norm()));
}

// ∂³/∂x_i∂x_j∂x_k: the Hessian over a scalar that itself carries the direction k.
TYPED_TEST(Differentiate, ThirdDerivativesByNesting) {
  constexpr int N = TypeParam::fixed, n = TypeParam::size;
  using S = Dual<double, 1>;
  const auto x = point<N>(n);
  for (int k = 0; k < n; ++k) {
    Vector<S, N> moved(n);
    for (int i = 0; i < n; ++i) moved[i] = i == k ? S::variable(x[i], 0) : S(x[i]);
    const auto y = hessian(Coupled(), moved);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(y.gradient[i].d[0], expected(x).hessian(i, k), 1e-13);
      for (int j = 0; j < n; ++j) {
        std::array<int, 3> of{i, j, k};  // of x_i x_j², i < j, the last one counts twice
        std::sort(of.begin(), of.end());
        const double cubic = of[0] < of[1] && of[1] == of[2] ? 2 : 0;
        const double right = of[0] == of[2] ? -(i + 1) * std::cos(x[i]) : cubic;
        EXPECT_NEAR(y.hessian(i, j).d[0], right, 1e-13) << i << j << k;
      }
    }
  }
}

template <int N>
void expect_same_both_ways() {
  const Vector<double, N> x = point<N>(N);
  const Vector<double, Eigen::Dynamic> y = x;
  const auto fixed = hessian(Coupled(), x);
  const auto dynamic = hessian(Coupled(), y);
  EXPECT_DOUBLE_EQ(fixed.value, dynamic.value);
  EXPECT_LT((gradient(Coupled(), x).gradient - gradient(Coupled(), y).gradient).norm(),
            1e-15 * fixed.gradient.norm());
  EXPECT_LT((fixed.gradient - dynamic.gradient).norm(), 1e-15 * fixed.gradient.norm());
  EXPECT_LT((fixed.hessian - dynamic.hessian).norm(), 1e-15 * fixed.hessian.norm());
}
TEST(Differentiate, FixedAndRunTimeSizesAgree) {
  expect_same_both_ways<1>();
  expect_same_both_ways<3>();
  expect_same_both_ways<4>();
  expect_same_both_ways<5>();
  expect_same_both_ways<9>();
}

// Spherical coordinates, and a map into more and into fewer dimensions than it comes from.
TEST(Differentiate, JacobianOfSphericalCoordinates) {
  const double r = 1.7, theta = 0.6, phi = -2.1;
  const auto to_space = [](const auto& u) {
    using S = typename std::decay_t<decltype(u)>::Scalar;
    return Vector<S, 3>(u[0] * sin(u[1]) * cos(u[2]), u[0] * sin(u[1]) * sin(u[2]), u[0] * cos(u[1]));
  };
  const auto J = jacobian(to_space, Vector<double, 3>(r, theta, phi));
  Matrix<double, 3> right;
  const double s = std::sin(theta), c = std::cos(theta), sp = std::sin(phi), cp = std::cos(phi);
  right << s * cp, r * c * cp, -r * s * sp, s * sp, r * c * sp, r * s * cp, c, -r * s, 0;
  EXPECT_LT((J - right).norm(), 1e-15);
}

template <int N>
void expect_rectangular() {
  const auto square_and_sum = [](const auto& x) {
    using S = typename std::decay_t<decltype(x)>::Scalar;
    return Vector<S, 2>(x.squaredNorm(), x.sum());
  };
  const Vector<double, N> x = point<N>(6);
  const auto J = jacobian(square_and_sum, x);
  ASSERT_EQ(J.rows(), 2);
  ASSERT_EQ(J.cols(), 6);
  for (int j = 0; j < 6; ++j) {
    EXPECT_DOUBLE_EQ(J(0, j), 2 * x[j]);
    EXPECT_EQ(J(1, j), 1);
  }
}
TEST(Differentiate, RectangularJacobian) {
  expect_rectangular<6>();
  expect_rectangular<Eigen::Dynamic>();
  const auto many = [](const auto& x) {
    using S = typename std::decay_t<decltype(x)>::Scalar;
    Vector<S, Eigen::Dynamic> y(7);
    for (int i = 0; i < 7; ++i) y[i] = pow(x[0], i);
    return y;
  };
  const auto J = jacobian(many, Vector<double, 1>(1.5));
  ASSERT_EQ(J.rows(), 7);
  for (int i = 0; i < 7; ++i) EXPECT_DOUBLE_EQ(J(i, 0), i * std::pow(1.5, i - 1));
}

}  // namespace
}  // namespace carom::test
