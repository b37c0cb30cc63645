// Dual numbers as numbers: accuracy of values, comparisons, magnitude, use in Eigen's vectors. Derivatives
// are in dual_test.cpp.
#include <gtest/gtest.h>

#include <limits>

#include "carom/numerics/differentiate.hpp"

namespace carom::test {
namespace {

TEST(Dual, ValuesAreAsAccurateAsThoseOfDoubles) {
  using D = Dual<double, 1>;
  for (const double x : {0.3, 0.99, 1 - 1e-6, 1 - 1e-10}) {
    EXPECT_DOUBLE_EQ(asin(D::variable(x, 0)).a, std::asin(x));
    EXPECT_DOUBLE_EQ(acos(D::variable(x, 0)).a, std::acos(x));
  }
  EXPECT_DOUBLE_EQ(pow(D::variable(10, 0), D(200.5)).a, std::pow(10, 200.5));
  EXPECT_DOUBLE_EQ(pow(10, D::variable(200.5, 0)).a, std::pow(10, 200.5));
}
TEST(Dual, SlopeOfAsinIsAccurateNearOne) {
  using D = Dual<double, 1>;
  const double x = 1 - 0x1p-34;  // 1 - x and 1 + x are exact
  const double right = 1 / std::sqrt((1 - x) * (1 + x));
  EXPECT_NEAR(asin(D::variable(x, 0)).d[0], right, 1e-13 * right);
}

// What a user writes as pow(x, S(2)) must not differ from pow(x, 2.0).
TEST(Dual, PowerWithAnExponentThatHasNoDerivatives) {
  using D = Dual2<double, 1>;
  for (const double x : {-1.5, 0.0, 1.5}) {
    const D y = pow(D::variable(x, 0), D(2.0));
    EXPECT_NEAR(y.a, x * x, 1e-14) << x;
    EXPECT_NEAR(y.d[0], 2 * x, 1e-14) << x;
    EXPECT_NEAR(y.h[0], 2, 1e-14) << x;
  }
}

TEST(Dual, ComparisonsLookAtValues) {
  using D = Dual<Dual<double, 1>, 1>;
  const D one = D::variable(D::Value::variable(1, 0), 0), two = D(2.0);
  EXPECT_TRUE(one < two && two > one && one <= one && two >= one && one != two && one == D(1.0));
  EXPECT_TRUE(one < 2 && two > 1.5 && one <= 1 && two >= 2.0);
  EXPECT_FALSE(two < one || one > two || two <= one || one >= two || one == two || one != D(1.0));
  EXPECT_TRUE(one < two.a && two > one.a.a);
}

TEST(Dual, OrderAndBase) {
  static_assert(derivative_order<double>() == 0);
  static_assert(derivative_order<Dual<Dual2<double, 2>, 3>>() == 3);
  static_assert(std::is_same_v<Base<Dual<Dual2<double, 2>, 3>>, double>);
  static_assert(Dual2<double, 3>::index(0, 2) == Dual2<double, 3>::index(2, 0));
  EXPECT_EQ(base_value(Dual<Dual2<double, 2>, 3>(1.25)), 1.25);
}

TEST(Dual, MagnitudeIsTheLargestPart) {
  using D = Dual2<double, 2>;
  D x(-1.0);
  EXPECT_EQ(magnitude(x), 1);
  x.d[1] = -3;
  EXPECT_EQ(magnitude(x), 3);
  x.h[2] = 7;
  EXPECT_EQ(magnitude(x), 7);
  EXPECT_EQ(magnitude(Dual<D, 1>(x)), 7);
}
TEST(Dual, MagnitudeIsNotANumberWhereAnyPartIsNone) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  using D = Dual2<double, 2>;
  for (double* (*part)(D&) :
       {+[](D& x) { return &x.a; }, +[](D& x) { return &x.d[0]; }, +[](D& x) { return &x.h[2]; }}) {
    D x(1.0);
    x.d[0] = x.d[1] = 2;
    *part(x) = nan;
    EXPECT_TRUE(std::isnan(magnitude(x)));
  }
}

// Duals are scalars to Eigen, with doubles as constants.
TEST(Dual, InEigensVectors) {
  using D = Dual<double, 2>;
  const Vector<D, 2> x(D::variable(2, 0), D::variable(3, 1));
  Matrix<double, 2> A;
  A << 1, 2, 3, 4;
  const Vector<D, 2> y = A.cast<D>() * x;
  EXPECT_EQ(y[1].a, 18);
  EXPECT_EQ(y[1].d[0], 3);
  EXPECT_EQ(y[1].d[1], 4);
  const D n = x.squaredNorm(), s = (x * 2.0 + 0.5 * x).sum();
  EXPECT_EQ(n.a, 13);
  EXPECT_EQ(n.d[1], 6);
  EXPECT_EQ(s.d[0], 2.5);
}

}  // namespace
}  // namespace carom::test
